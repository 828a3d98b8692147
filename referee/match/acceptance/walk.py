"""The walk through all steps of an acceptance, and its result on record."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from referee.box.box import Box
from referee.box.draw import Dial, draw_sector
from referee.games.game import MoveT, StateT
from referee.games.said import say
from referee.journal import canonical
from referee.match.acceptance.bench import Bench, Patience
from referee.match.acceptance.boxsteps import BoxSteps
from referee.match.acceptance.parts import Parts
from referee.match.acceptance.tablesteps import TableSteps
from referee.match.acceptance.talk import (
    Asking,
    Asks,
    Deed,
    EndedError,
    FailedError,
    Mark,
    Prompt,
    Result,
    SkippedError,
    Walk,
)
from referee.match.commands import Checked
from referee.match.live import Live
from referee.match.watch import Watch

PATIENCE = Patience()


@dataclass(frozen=True, slots=True)
class _Step:
    """A step: its name, what is shown of it, and the steps that must have passed before."""

    name: str
    title: str
    asks: Asks
    needs: tuple[str, ...]
    deed: Deed
    text: str = ""


class Acceptance(Generic[StateT, MoveT]):
    """The check before a match, for a judge; the match must stand at its start."""

    def __init__(
        self,
        live: Live[StateT, MoveT],
        watch: Watch | None,
        box: Box | None,
        *,
        software: Mapping[str, Any],
        book: str,
        by: str,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[Dial], int] = draw_sector,
        patience: Patience = PATIENCE,
    ) -> None:
        """`watch` and `box` are those of `live`, None if none is to be used.

        `software` is what runs here, with its networks' hashes, `book` the hash of the faces that
        are read. `by` is who checks. `clock` is that of the watch's frames; `draw` draws where the
        arrow is sent to.
        """
        self._bench = Bench(live, watch, box, by, clock, patience)
        self._parts = Parts(self._bench, software)
        self._table = TableSteps(self._bench)
        self._box = BoxSteps(self._bench, draw)
        self._software, self._book = dict(software), book
        self._results: dict[str, Result] = {}

    @property
    def results(self) -> tuple[Result, ...]:
        """Those of the steps that are over."""
        return tuple(self._results.values())

    def walk(self) -> Walk:
        """Goes through all steps; yields what to show, and each step's result when it is over.

        Send it what a person replies, None if nobody said anything; it never waits itself: ask it
        for the next prompt a few times a second. If it is closed before its end, all is taken back
        and on record all the same; what was not tried counts as skipped.
        """
        steps = list(self._steps())
        try:
            for step in steps:
                yield from self._through(step)
            result = self._signed()
        except BaseException:
            # Closed, stopped by a person, or broken: the record must not keep what was tried.
            self._break_off(steps)
            raise
        self._results[result.step] = result
        yield result

    def _steps(self) -> Iterator[_Step]:
        parts, table, box = self._parts, self._table, self._box
        nothing, deed, answer = Asks.NOTHING, Asks.DEED, Asks.ANSWER
        yield _Step("software", say("Software"), nothing, (), parts.software)
        yield _Step("networks", say("Networks"), nothing, (), parts.networks)
        yield _Step("record", say("Record"), nothing, (), parts.record)
        yield _Step(
            "camera", say("Camera"), nothing, (), parts.camera, say("Waiting for pictures.")
        )
        text = say("See that light falls on the table, and that the lens is clean.")
        yield _Step("picture", say("Picture"), nothing, ("camera",), parts.picture, text)
        text = say("See that the camera sees the markers in the corners.")
        yield _Step("plane", say("Table"), nothing, ("camera",), parts.plane, text)
        text = say("Lay out all boards, their markers uncovered, and take hands off the table.")
        yield _Step("boards", say("Boards"), deed, ("plane",), parts.boards, text)
        yield _Step("layout", say("Known layout"), deed, ("record", "boards"), table.layout)
        yield _Step("legal", say("Legal case"), deed, ("layout",), table.legal)
        yield _Step("illegal", say("Illegal case"), deed, ("layout",), table.illegal)
        yield _Step("doubtful", say("Doubtful case"), deed, ("plane",), table.doubtful)
        yield _Step("box", say("Box"), nothing, (), parts.box, say("Waiting for the box."))
        yield _Step("lights", say("Lights"), answer, ("box",), box.lights)
        yield _Step("sound", say("Buzzer"), answer, ("box",), box.sound)
        yield _Step("button", say("Button"), deed, ("box",), box.button)
        yield _Step(
            "spinner", say("Spinner"), nothing, ("box",), self._spinner, say("The arrow turns.")
        )
        yield _Step("override", say("Override"), deed, ("record",), self._override)
        yield _Step("start", say("Start"), deed, (), self._start)

    def _spinner(self, prompt: Prompt) -> Asking:
        return self._box.spinner(prompt, self._passed("plane"))

    def _override(self, prompt: Prompt) -> Asking:
        return self._table.override(prompt, self._passed("illegal"))

    def _start(self, prompt: Prompt) -> Asking:
        return self._table.start(prompt, self._passed("plane"))

    def _passed(self, name: str) -> bool:
        return self._results[name].mark is Mark.PASSED

    def _through(self, step: _Step) -> Walk:
        """One step to its result."""
        clock = self._bench.clock
        began, mark = clock(), Mark.PASSED
        try:
            for name in step.needs:
                if not self._passed(name):
                    raise SkippedError(self._results[name].hinders)
            reason = yield from step.deed(Prompt(step.name, step.title, step.text, step.asks))
        except EndedError as error:
            mark, reason = error.mark, error.reason
        result = Result(step.name, step.title, mark, reason, clock() - began)
        self._results[step.name] = result
        yield result

    def _signed(self) -> Result:
        """Puts all results on record, with one hash of all parts."""
        began = self._bench.clock()
        data = self._data()
        answer = self._bench.live.command(Checked(self._bench.by, data))
        mark = Mark.PASSED
        reason: str = say("On record with the parts {parts}.", parts=data["parts"])
        if not answer.accepted:
            mark, reason = Mark.FAILED, answer.text
        return Result("signed", say("Signed"), mark, reason, self._bench.clock() - began)

    def _data(self) -> dict[str, Any]:
        """What goes on record."""
        made_of = self._made_of()
        return {
            "results": [result.to_json() for result in self.results],
            "passed": all(result.mark is Mark.PASSED for result in self.results),
            "parts": hashlib.sha256(canonical(made_of).encode()).hexdigest(),
            "made_of": made_of,
        }

    def _made_of(self) -> dict[str, Any]:
        """All parts that a verdict rests on."""
        watch, box = self._bench.watch, self._bench.box
        look = None if watch is None else watch.newest
        plane = None if look is None else look.tracked.plane
        hello = None if box is None else box.hello
        return {
            "software": self._software,
            "edition": self._bench.game.edition,
            "calibration": "" if plane is None else plane.calibration_id,
            "book": self._book,
            "firmware": "" if hello is None else f"{hello.source_hash:08x}",
        }

    def _break_off(self, steps: list[_Step]) -> None:
        """Takes all back, and says what was not tried."""
        for step in steps:
            if step.name not in self._results:
                broken = Mark.SKIPPED, say("The check was broken off.")
                mark, reason = self._taken_back() if step.name == "start" else broken
                self._results[step.name] = Result(step.name, step.title, mark, reason, 0.0)
        self._signed()

    def _taken_back(self) -> tuple[Mark, str]:
        try:
            self._table.take_back()
        except FailedError as error:
            return error.mark, error.reason
        return Mark.SKIPPED, say("The check was broken off; the record stands at its start.")
