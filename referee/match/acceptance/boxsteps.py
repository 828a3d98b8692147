"""The steps of an acceptance at the box: light, sound, button, and the arrow against the camera."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import replace
from typing import Generic, TypeVar

from referee.box.box import Box
from referee.box.draw import Dial
from referee.box.errors import BoxError
from referee.box.happenings import Told
from referee.box.protocol import RING_LEDS, Button, LightMode, Pattern, Pressed, Profile
from referee.games.game import MoveT, StateT
from referee.games.said import joined, say
from referee.match.acceptance.bench import Bench
from referee.match.acceptance.talk import (
    Asking,
    Asks,
    EndedError,
    FailedError,
    Prompt,
    Reply,
    SkippedError,
)

ResultT = TypeVar("ResultT")


class BoxSteps(Generic[StateT, MoveT]):
    """What the box does; all but the button's press needs eyes or ears."""

    def __init__(self, bench: Bench[StateT, MoveT], draw: Callable[[Dial], int]) -> None:
        """`draw` draws the sector that the arrow is sent to."""
        self._bench, self._draw = bench, draw

    def lights(self, prompt: Prompt) -> Asking:
        """The ring shines."""
        box = self._box()
        half = RING_LEDS // 2
        yield from _called(prompt, lambda: box.light(LightMode.BAR, (255, 255, 255), half))
        try:
            found = yield from self._bench.asked(
                replace(prompt, text=say("Is one half of the ring white, and the other dark?")),
                say("Seen by a person."),
                say("The ring does not shine as it should."),
            )
        except EndedError:
            yield from _called(prompt, lambda: box.light(LightMode.OFF))
            raise
        yield from _called(prompt, lambda: box.light(LightMode.OFF))
        return found

    def sound(self, prompt: Prompt) -> Asking:
        """The buzzer sounds."""
        box = self._box()
        yield from _called(prompt, lambda: box.buzz(Pattern.FANFARE))
        found = yield from self._bench.asked(
            replace(prompt, text=say("Did four rising tones sound?")),
            say("Heard by a person."),
            say("The buzzer did not sound as it should."),
        )
        return found

    def button(self, prompt: Prompt) -> Asking:
        """The players' button is felt."""
        other: list[str] = []
        with self._box().events() as inbox:

            def felt() -> str:
                while (happening := inbox.get()) is not None:
                    if isinstance(happening, Told) and isinstance(happening.event, Pressed):
                        if happening.event.button is Button.STOP:
                            self._bench.pressed = True
                            return say("It was felt.")
                        other[:] = [say("That was the judge's button.")]
                return ""

            found = yield from self._bench.until(
                replace(prompt, text=say("Press the players' Stop button on the box.")),
                felt,
                lambda: joined(other),
            )
        return found

    def spinner(self, prompt: Prompt, seen: bool) -> Asking:
        """The arrow stops where it is sent. `seen`: the camera says so, else a person."""
        bench, box = self._bench, self._box()
        plan = bench.game.plan(bench.view.position)
        if plan.dial is None:
            raise SkippedError(say("The table has no dial."))
        dial = Dial.equal(plan.dial.labels)
        sector = self._draw(dial)
        spun = yield from _called(
            prompt, lambda: box.spin(dial, sector, turns=1, profile=Profile.BRISK)
        )
        if not seen or bench.watch is None:
            found = yield from bench.asked(
                replace(
                    prompt,
                    text=say("Does the arrow point to {label}?", label=spun.label),
                    asks=Asks.ANSWER,
                ),
                say("The arrow points to {label}, as a person saw.", label=spun.label),
                say(
                    "The motor turned to {label}, but the arrow does not point there.",
                    label=spun.label,
                ),
            )
            return found
        bench.watch.look_again()

        def read() -> str:
            look, sight = bench.look, bench.sight
            settled = None if look is None else look.settled
            if settled is None or sight is None or sight.claims is None:
                return ""
            if settled.observation.captured_at <= spun.at or sight.claims.dial is None:
                return ""
            if sight.claims.dial != spun.label:
                raise FailedError(
                    say(
                        "The motor turned to {label}, but the camera reads {dial}.",
                        label=spun.label,
                        dial=sight.claims.dial,
                    )
                )
            return say("The camera reads {label}, where the motor turned.", label=spun.label)

        text = say("The arrow stands: hands off the table, so that it can be read.")
        found = yield from bench.until(
            replace(prompt, text=text),
            read,
            lambda: bench.said() or say("The number at the arrow can't be read yet."),
        )
        return found

    def _box(self) -> Box:
        if self._bench.box is None:
            raise SkippedError(say("No box is used."))
        return self._bench.box


def _called(
    prompt: Prompt, call: Callable[[], ResultT]
) -> Generator[Prompt, Reply | None, ResultT]:
    """Waits for a call of the box, without holding anybody up; FailedError if it fails."""
    done: Future[ResultT] = Future()

    def work() -> None:
        try:
            done.set_result(call())
        except Exception as error:
            done.set_exception(error)

    threading.Thread(target=work, name="box-check", daemon=True).start()
    while not done.done():
        yield replace(prompt, asks=Asks.NOTHING)
    try:
        return done.result()
    except BoxError as error:
        raise FailedError(joined([error.what, error.remedy])) from None
