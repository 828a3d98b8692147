"""What the parts of the referee do just now, each with a heartbeat and what to do if it has none.

Everything is read from what runs anyway: asking holds up nobody.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from typing import Any

from referee.box.firmware import committed_hash
from referee.games.said import joined, say
from referee.journal import evidence_path
from referee.web.gear import Opened
from referee.web.judging.audit import Audit
from referee.web.judging.eyes import Eyes
from referee.web.judging.parts import ABSENT, BAD, DOUBTFUL, Json, Part, alive, rounded
from vision.camera import Held

#: A round trip to the box that takes longer than this delays a buzzer that people hear (s).
SLOW_TRIP_S = 0.05
#: Less than this on the disk and the record is in danger (bytes).
LITTLE_DISK = 200 * 1024 * 1024


class Diagnostics:
    """Reads the parts of one match; for any thread."""

    def __init__(
        self,
        match: Opened,
        audit: Audit,
        *,
        held: Callable[[], tuple[Held, ...]] = tuple,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`held` tells the camera's settings, and whether they held."""
        self._match, self._audit = match, audit
        self._eyes = Eyes(match.watch, held, clock)

    def parts(self) -> list[Json]:
        """Every part, as JSON whose sentences are still in all languages."""
        others = (self._box(), self._record(), self._evidence(), self._program())
        return [part.json() for part in (*self._eyes.parts(), *others)]

    def _box(self) -> Part:
        part = Part("box", say("Box"))
        box = self._match.box
        if box is None:
            part.state, part.says = ABSENT, self._match.live.box_trouble
            return part
        error, hello = box.error, box.hello
        part.values = (
            (say("port of the box"), box.device),
            (say("quickest round trip, s"), rounded(box.quickest_trip, 4)),
            (say("its clock is fast by, millionths"), box.clock_ppm),
        )
        if hello is not None:
            part.values += (
                (say("firmware of the box"), f"{hello.source_hash:08x}"),
                (say("protocol of the box"), hello.protocol),
                (say("board of the box"), hello.board.name.lower()),
                (say("why it started last"), hello.reset_cause.name.lower()),
            )
        if not box.connected:
            part.state = BAD
            part.says = say("It is not there.") if error is None else error.what
            part.remedy = joined(
                [*([] if error is None else [error.remedy]), say("Go on by hand meanwhile.")]
            )
        elif hello is not None and hello.source_hash != committed_hash():
            part.state, part.says = DOUBTFUL, say("Its firmware is not the one of this program.")
            part.remedy = say("After the match: referee box flash.")
        elif (box.quickest_trip or 0.0) > SLOW_TRIP_S:
            part.state, part.says = DOUBTFUL, say("It answers slowly.")
            part.remedy = say("Plug it in without a hub between.")
        else:
            part.says = say("It answers.")
        return part

    def _record(self) -> Part:
        part = Part("record", say("Record of the match"))
        live, (seq, digest) = self._match.live, self._audit.head()
        path = self._match.journal.path
        free = shutil.disk_usage(path.parent).free
        if trouble := live.trouble or self._audit.trouble:
            part.state, part.says = BAD, trouble
            part.remedy = say("Nothing more counts until it can be written: make room on the disk.")
        elif not alive("match"):
            part.state, part.says = BAD, say("It stands still.")
            part.remedy = say("Start the program again: the match goes on where it was.")
        elif free < LITTLE_DISK:
            part.state, part.says = DOUBTFUL, say("The disk is nearly full.")
            part.remedy = say("Make room before it is: without it nothing can be put on record.")
        else:
            part.says = say("Everything that was shown is on the disk.")
        part.values = (
            (say("name of the match"), self._match.id),
            (say("events on record"), seq),
            (say("number of the state"), live.view.state_id),
            (say("hash of the newest event"), digest),
            (say("size, kB"), path.stat().st_size // 1024),
            (say("room on the disk, MB"), free // (1024 * 1024)),
            (say("what was seen or told and failed"), live.failures),
        )
        return part

    def _evidence(self) -> Part:
        part = Part("evidence", say("Pictures as evidence"))
        if trouble := self._match.pictures.trouble:
            part.state, part.says = BAD, trouble
            part.remedy = say("The match goes on without new pictures: make room on the disk.")
        else:
            part.says = say("They are kept, and deleted after their time.")
        path = evidence_path(self._match.journal.path)
        size = path.stat().st_size // 1024 if path.exists() else 0
        part.values = ((say("size, kB"), size),)
        return part

    def _program(self) -> Part:
        header: Any = self._match.journal.header
        software: Any = header.get("software") or {}
        models: Any = software.get("models") or {}
        return Part(
            "program",
            say("Program"),
            says=say("As it was when the match began."),
            values=(
                (say("version of the program"), str(software.get("version", ""))),
                (say("version of Python"), str(software.get("python", ""))),
                (say("operating system"), str(software.get("system", ""))),
                *((name, str(digest)[:12]) for name, digest in models.items()),
                (say("edition of the game"), str(header.get("edition", ""))),
                (say("threads that run"), threading.active_count()),
            ),
        )
