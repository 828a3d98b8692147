"""What the match's page shows: the state as JSON, pictures with their marks, the health."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from referee.games.game import Game, MoveT, RunGlass, StateT
from referee.match.commands import Answer, Command
from referee.match.fold import Stage
from referee.match.live import Live
from referee.match.match import View
from referee.match.verdict import Reason
from referee.match.watch import Watch
from referee.web.byhand import ByHand
from referee.web.pictures import Kept, Pictures
from referee.web.reading import Reading, Readings
from referee.web.words import Words
from vision.session import Look

Json = dict[str, Any]

#: A picture older than this means that nobody watches the table any more.
STALE_S = 5.0


class MatchPage(Generic[StateT, MoveT]):
    """Reads what a running match publishes, and hands it commands; may be used by many threads."""

    def __init__(
        self,
        game: Game[StateT, MoveT],
        live: Live[StateT, MoveT],
        watch: Watch | None,
        kept: Kept | None,
        art: Callable[[str], NDArray[np.uint8] | None],
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`kept` has the evidence; `art` gives a drawing of the game by name as BGRA, if there is.

        `clock` is the cameras', `wall` the match's, in UTC seconds.
        """
        self._game, self._live, self._watch = game, live, watch
        self._pictures = Pictures(kept, art)
        self._clock, self._wall = clock, wall
        self._words = Words(game)
        self._by_hand = ByHand(game, self._words)
        self._readings = Readings()
        self._lock = threading.Lock()
        # Neither changes during a match.
        self._goods = game.goods
        self._colours = game.plan(live.view.position).piece_colours

    @property
    def seq(self) -> int:
        """The number of the newest event that is shown."""
        return self._live.view.seq

    @property
    def frame_id(self) -> int:
        """Id of the newest picture that was looked at; -1 if there is none."""
        look = self._look()
        return -1 if look is None else look.frame.id

    def command(self, command: Command) -> Answer:
        """Has a person's command done; waits until it is on record or refused."""
        return self._live.command(command)

    def position(self) -> Json:
        """The position in the game's notation, for whoever puts it right by hand."""
        view = self._live.view
        return {"at": view.state_id, "text": self._game.write_state(view.position)}

    def picture(self) -> tuple[int, bytes]:
        """The newest picture that was looked at: its id, and the annotated picture as JPEG."""
        look = self._look()
        if look is None:
            return -1, b""
        return look.frame.id, self._pictures.newest(look, self._live.view)

    def evidence(self, name: str) -> bytes | None:
        """A picture that a verdict rests on, as JPEG; None if it is not there (any more)."""
        return self._pictures.evidence(name)

    def art(self, name: str) -> bytes | None:
        """A drawing as PNG."""
        return self._pictures.art(name)

    def state(self) -> Json:
        """All that the page shows beside the pictures."""
        view = self._live.view
        with self._lock:
            reading = self._readings.of(self._look(), view.corrections)
            return {
                "match": view.match,
                "state": view.state_id,
                "seq": view.seq,
                "title": self._game.title,
                "round": view.sheet.round,
                "demand": view.sheet.demand,
                "over": view.step is None,
                "winner": view.sheet.winner,
                "step": self._step(view),
                "device": self._device(view),
                "goods": self._left(reading),
                "lines": self._lines(view, reading),
                "camera": self._watch is not None,
                "current": reading is not None and reading.current,
                "tiles": _tiles(reading),
                "verdict": self._words.verdict(view),
                "last": self._words.last(view),
                "behind": view.behind,
                "apart": view.apart,
                "troubles": self._troubles(view),
                "by_hand": self._by_hand.now(view),
                "recent": self._words.recent(view),
            }

    def health(self) -> Json:
        """Whether the table is being watched and the record can be written; `ok` if both are."""
        age, watch = self._age(), self._watch
        watched = watch is None or (age is not None and age <= STALE_S)
        camera = None
        if watch is not None:
            camera = {
                "frame_age_s": None if age is None else round(age, 2),
                "trouble": watch.trouble,
                "vision_failures": watch.failures,
            }
        return {
            "ok": watched and not self._live.trouble,
            "camera": camera,
            "box": self._live.box_trouble,
            "journal": self._live.trouble,
            "evidence": self._pictures.trouble,
        }

    def _look(self) -> Look | None:
        return None if self._watch is None else self._watch.newest

    def _age(self) -> float | None:
        """Seconds since the newest picture was taken; None if there is none."""
        look = self._look()
        return None if look is None else self._clock() - look.frame.captured_at

    def _step(self, view: View[StateT, MoveT]) -> Json | None:
        step = view.step
        if step is None:
            return None
        return {
            "phase": step.phase,
            "title": step.title,
            "instruction": step.instruction,
            "rule": step.rule,
            "actors": self._words.seats(view, step.actors),
        }

    def _device(self, view: View[StateT, MoveT]) -> Json | None:
        """The box's part of the step; None if it has none."""
        device, run = None if view.step is None else view.step.device, view.device
        if device is None:
            return None
        glass, runs = isinstance(device, RunGlass), run.stage is Stage.RUNNING
        left = max(0.0, run.wall_end - self._wall()) if glass and runs else None
        return {
            "kind": "glass" if glass else "dial",
            "stage": run.stage.value,
            "seconds": device.seconds if isinstance(device, RunGlass) else None,
            "left": None if left is None else round(left, 2),
            "label": run.label,
            "by_hand": run.by_hand,
        }

    def _left(self, reading: Reading | None) -> list[Json]:
        """Symbols in the store; None as long as a tile there is not read."""
        lying = None if reading is None else reading.lying(self._game.store, self._goods)
        hidden = lying is None or lying["down"] or lying["unread"]
        return [
            {
                "name": good.name,
                "art": f"art/{good.drawing}.png",
                "worth": dict(good.worth),
                "left": None if lying is None or hidden else lying["goods"][k],
            }
            for k, good in enumerate(self._goods)
        ]

    def _lines(self, view: View[StateT, MoveT], reading: Reading | None) -> list[Json]:
        acting = () if view.step is None else view.step.actors
        return [
            {
                "name": line.name,
                "colour": f"rgb{self._colours[line.colour]}",
                "rank": line.rank,
                "facts": line.facts,
                "badges": line.badges,
                "acts": seat in acting,
                "castle": None if reading is None else reading.lying(line.zone, self._goods),
            }
            for seat, line in enumerate(view.sheet.lines)
        ]

    def _troubles(self, view: View[StateT, MoveT]) -> list[Json]:
        """What does not work, in sentences; the match goes on by hand."""
        needs_box = view.step is not None and view.step.device is not None
        troubles = [
            ("record", self._live.trouble),
            ("camera", self._camera_trouble()),
            ("box", view.trouble or (self._live.box_trouble if needs_box else "")),
            ("evidence", self._pictures.trouble),
        ]
        return [{"part": part, "text": text} for part, text in troubles if text]

    def _camera_trouble(self) -> str:
        if self._watch is None:
            return ""
        look, age = self._look(), self._age()
        if self._watch.trouble:
            return self._watch.trouble
        if look is None or age is None:
            return "The camera has sent no picture yet."
        if age > STALE_S:
            return f"The newest picture is {age:.0f} s old. Enter by hand what happens meanwhile."
        if look.tracked.plane is None:
            # Where the table ends is not known: all of the picture is black.
            lost = Reason.PLANE_NOT_FOUND
            return f"{lost.one} {lost.remedy}"
        return ""


def _tiles(reading: Reading | None) -> Json | None:
    """Where tiles can be pointed at in the picture; None if nothing was read yet."""
    if reading is None:
        return None
    seen = reading.settled.observation
    return {"frame": seen.frame_id, "size": seen.size_px, "tiles": reading.tiles()}
