"""The box as somebody sets it up: which ports there are, greeting it, trying each of its parts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from referee.box.box import Box
from referee.box.draw import Dial
from referee.box.driver import oddity
from referee.box.errors import BoxError
from referee.box.happenings import Happening, Told
from referee.box.inbox import Inbox
from referee.box.protocol import (
    RING_LEDS,
    Board,
    Button,
    LightMode,
    Parts,
    Pattern,
    Pressed,
    Profile,
)
from referee.games.said import say
from referee.heard import heard

#: The arrow is sent to these: a person sees at once whether it stands in the middle of one.
QUARTERS = Dial.equal(("top right", "bottom right", "bottom left", "top left"))
_BOARDS: Mapping[Board, str] = {
    Board.ATMEGA328P: say("a box (ATmega328P)"),
    Board.HOST_BUILD: say("firmware built for this computer"),
    Board.FAKE: say("a box in this program, not a real one"),
}
_BUTTONS: Mapping[Button, str] = {
    Button.STOP: say("The players' Stop button was pressed."),
    Button.JUDGE: say("The judge's button was pressed."),
}


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a trial: `what` was tried; `text` says what to see, or what is wrong."""

    what: str
    ok: bool
    text: str


class BoxTrial:
    """Tries the box, one part at a time, in a thread of its own; for any thread."""

    def __init__(self, box: Callable[[], Box | None]) -> None:
        """`box` gives the box of the settings."""
        self._box = box
        self._lock = threading.Lock()
        self._inbox: tuple[Box, Inbox] | None = None
        self.trying = ""
        """What is being tried; empty if nothing."""
        self.tried: tuple[Tried, ...] = ()
        """What was tried so far, each the last time."""

    def start(self, what: str) -> bool:
        """Tries a part; False if another one is being tried. Raises KeyError if there is none."""
        deed = _DEEDS[what]
        with self._lock:
            if self.trying:
                return False
            self.trying = what
        threading.Thread(target=self._try, args=(what, deed), name="box trial", daemon=True).start()
        return True

    def forget(self) -> None:
        """Another box is used from now on."""
        self.tried = ()
        self.stop()

    def stop(self) -> None:
        """Listens no more."""
        with self._lock:
            inbox, self._inbox = self._inbox, None
        if inbox is not None:
            inbox[1].close()

    def _try(self, what: str, deed: Callable[[Box], str]) -> None:
        try:
            box = self._box()
            if box is None:
                self._note(Tried(what, False, say("No box is to be used.")))
                return
            self._listen(box)
            box.connect()
            self._note(Tried(what, True, deed(box)))
        except BoxError as error:
            text = say("{what} {remedy}", what=heard(error.what), remedy=heard(error.remedy))
            self._note(Tried(what, False, text))
        finally:
            self.trying = ""

    def _listen(self, box: Box) -> None:
        """Hears its buttons from now on."""
        with self._lock:
            if self._inbox is not None and self._inbox[0] is box and not self._inbox[1].closed:
                return
            self._inbox = box, box.on_event(self._happened)

    def _happened(self, happening: Happening) -> None:
        match happening:
            case Told(Pressed(button=button), _):
                self._note(Tried("button", True, _BUTTONS[button]))

    def _note(self, tried: Tried) -> None:
        with self._lock:
            before = tuple(each for each in self.tried if each.what != tried.what)
            self.tried = (*before, tried)


def _greet(box: Box) -> str:
    told = box.connect()
    board = say(
        "Found at {device}: {board}, firmware {firmware}.",
        device=box.device,
        board=_BOARDS[told.board],
        firmware=f"{told.source_hash:08x}",
    )
    if warning := oddity(told):
        return say("{what} {remedy}", what=board, remedy=heard(warning))
    return board


def _light(box: Box) -> str:
    box.light(LightMode.BAR, (255, 255, 255), RING_LEDS // 2)
    return say("One half of the ring is white now, the other dark.")


def _buzz(box: Box) -> str:
    box.light(LightMode.OFF)
    box.buzz(Pattern.FANFARE, 3)
    return say("Four rising tones sounded.")


def _glass(box: Box) -> str:
    box.hourglass(5, warn_s=3)
    return say("The light shrinks for five seconds, ticks three times and ends with long tones.")


def _arrow(box: Box, quarter: int) -> str:
    box.cancel(Parts.GLASS | Parts.SOUND)
    box.spin(QUARTERS, quarter, turns=1, profile=Profile.BRISK)
    if quarter == 1:
        return say("Seen from home at the top, the arrow points to the bottom right.")
    return say("Seen from home at the top, the arrow points to the top left.")


_DEEDS: Mapping[str, Callable[[Box], str]] = {
    "hello": _greet,
    "light": _light,
    "buzz": _buzz,
    "glass": _glass,
    "arrow": partial(_arrow, quarter=1),
    "arrow-back": partial(_arrow, quarter=3),
}
#: What can be tried.
TRIALS = tuple(_DEEDS)
