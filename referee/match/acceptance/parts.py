"""The first steps of an acceptance: are all parts there, and fit to referee?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from referee.box.firmware import committed_hash
from referee.games.game import MoveT, StateT
from referee.games.said import joined, say
from referee.match.acceptance.bench import Bench
from referee.match.acceptance.talk import Asking, FailedError, Prompt, SkippedError
from referee.match.commands import Do
from referee.words import said
from vision.errors import UnreadableError
from vision.fitness import complaints
from vision.network import listed, network
from vision.session import Look

#: So many pictures one after the other show that a camera goes on.
_PICTURES = 3


class Parts(Generic[StateT, MoveT]):
    """Looks at software, networks, record, camera, table and box."""

    def __init__(self, bench: Bench[StateT, MoveT], software: Mapping[str, Any]) -> None:
        self._bench, self._software = bench, software
        self._plan = bench.game.plan(bench.view.position)

    def software(self, prompt: Prompt) -> Asking:
        """What runs here; that it is the match's own was looked at when it was opened."""
        yield from ()
        words = (f"{key} {value}" for key, value in self._software.items() if key != "models")
        return ", ".join(words)

    def networks(self, prompt: Prompt) -> Asking:
        """All networks are there, and each has the hash that it should have."""
        yield from ()
        names = listed()
        if not names:
            raise FailedError(say("No network is there: install the program again."))
        for name in names:
            try:
                network(name)
            except UnreadableError as error:
                raise FailedError(joined(said(error))) from None
        return say("{names}: whole.", names=joined(names, ", "))

    def record(self, prompt: Prompt) -> Asking:
        """The journal takes an event."""
        yield from ()
        answer = self._bench.command(Do.NOTE, text="Check before the match: begun.")
        if not answer.accepted:
            raise FailedError(answer.text)
        return say("Event {n} is on the disk.", n=self._bench.view.seq)

    def camera(self, prompt: Prompt) -> Asking:
        """New pictures come, of the table as it is now, that are no frozen one."""
        bench = self._bench
        if bench.watch is None:
            raise SkippedError(say("No camera is used."))
        seen: set[int] = set()

        def fresh() -> str:
            look = bench.look
            if look is None or look.quiet.why == "stale":
                seen.clear()
                return ""
            seen.add(look.frame.id)
            height, width = look.frame.image.shape[:2]
            if len(seen) < _PICTURES:
                return ""
            return say("{width} x {height}, always new ones.", width=width, height=height)

        found = yield from bench.until(prompt, fresh, patience=bench.patience.start)
        return found

    def picture(self, prompt: Prompt) -> Asking:
        """The pictures are bright and sharp enough."""
        found = yield from self._bench.until(
            prompt,
            lambda: "" if self._unfit() else say("Bright and sharp enough to be read."),
            lambda: self._unfit() or "",
        )
        return found

    def plane(self, prompt: Prompt) -> Asking:
        """It is known where the table lies."""
        bench, markers = self._bench, len(self._plan.markers)

        def holds() -> str:
            look = bench.look
            if look is None or look.tracked.plane is None:
                return ""
            return say("{n} of {all} markers are seen.", n=look.tracked.held, all=markers)

        def lost() -> str:
            look = bench.look
            fault = None if look is None else look.tracked.fault
            return bench.said() if fault is None else joined(said(fault))

        found = yield from bench.until(prompt, holds, lost)
        return found

    def boards(self, prompt: Prompt) -> Asking:
        """All boards that bear markers were found where they lie."""
        bench = self._bench
        due = [board.name for board in self._plan.boards if board.markers]

        def lost() -> list[str]:
            look = bench.look
            reading = None if look is None else look.reading
            return due if reading is None else [n for n in due if n not in reading.boards]

        found = yield from bench.until(
            prompt,
            lambda: "" if lost() else say("{names}: found.", names=self._called(due)),
            lambda: say("Not found yet: {names}.", names=self._called(lost())),
        )
        return found

    def box(self, prompt: Prompt) -> Asking:
        """The box speaks."""
        bench, box = self._bench, self._bench.box
        if box is None:
            raise SkippedError(say("No box is used."))

        def speaks() -> str:
            if not box.connected or box.hello is None:
                return ""
            board, firmware = box.hello.board.name.lower(), f"{box.hello.source_hash:08x}"
            text = say(
                "{board} at {device}, firmware {firmware}.",
                board=board,
                device=box.device,
                firmware=firmware,
            )
            if box.hello.source_hash == committed_hash():
                return text
            return joined([text, say("The firmware is not this program's own.")])

        def silent() -> str:
            return bench.live.box_trouble or say("It does not answer yet.")

        found = yield from bench.until(prompt, speaks, silent, bench.patience.start)
        return found

    def _called(self, boards: Sequence[str]) -> str:
        return joined([self._plan.called(board) for board in boards], ", ")

    def _unfit(self) -> str | None:
        """What is wrong with the picture; None if nothing is, a sentence if there is none."""
        look = self._bench.look
        if look is None:
            return self._bench.said() or say("There is no picture.")
        plane = look.tracked.plane
        if plane is None:
            wrong = complaints(look.frame.image)
        else:
            outline = plane.to_px(_corners(plane.size))
            zones = self._zones(look)
            wrong = complaints(look.frame.image, zones, outline, plane.px_per_mm)
        return joined([part for each in wrong for part in said(each)]) or None

    def _zones(self, look: Look) -> Mapping[str, NDArray[np.generic]]:
        """The zones of the table as polygons in pixels."""
        plane = look.tracked.plane
        assert plane is not None
        zones = {
            self._plan.called(zone.name): plane.to_px(zone.polygon) for zone in self._plan.zones
        }
        for placed in look.tracked.boards.placed:
            for zone in placed.board.zones:
                zones[self._plan.called(zone.name)] = plane.to_px(placed.to_plane(zone.polygon))
        return zones


def _corners(size: tuple[float, float]) -> list[tuple[float, float]]:
    width, height = size
    return [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
