"""What a house needs from outside: the set that is played with, and what is plugged in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.box.box import Box
from referee.box.draw import Dial
from referee.games.game import Game
from referee.games.table import Placement, TablePlan
from referee.journal import EvidenceStore, Journal
from referee.match.live import Live
from referee.match.watch import Watch
from referee.web.setup.settings import Settings
from vision.camera import Camera, Found
from vision.dial import DialReader
from vision.faces import FaceBook


@dataclass(frozen=True)
class Opened:
    """A match that is open. `watch` and `box` are None if none is to be used."""

    game: Game[Any, Any]
    journal: Journal
    pictures: EvidenceStore
    watch: Watch | None
    box: Box | None
    live: Live[Any, Any]

    @property
    def id(self) -> str:
        """The match's name."""
        return self.journal.id

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.live.view.step is None

    @property
    def at_start(self) -> bool:
        """Whether nothing has been played yet."""
        view = self.live.view
        return bool(view.position == view.positions[0])


class Gear(Protocol):
    """What a house plays with: the set, and what is plugged in. Names are those of the settings."""

    game: str
    """The folder's name of the game that is played."""
    kit_languages: tuple[str, ...]
    """The languages in which the set can be printed."""

    def cameras(self) -> Sequence[Found]:
        """The cameras that are there now."""

    def open(self, spec: str, settings: Settings) -> Camera:
        """Opens a camera; raises UnreadableError if it isn't there."""

    def box(self, port: str) -> Box:
        """A box that need not be there yet; an empty port is the only one."""

    def edition(self, name: str) -> str:
        """An edition's file as text; raises ValueError if there is none."""

    def book(self, name: str) -> FaceBook:
        """Taught faces; raises UnreadableError if there are none."""

    def dial(self, plan: TablePlan) -> DialReader | None:
        """What reads a table's dial; None if it has none."""

    def bare(self, plan: TablePlan) -> Callable[[Placement], Mapping[str, NDArray[np.uint8]]]:
        """What gives the faces of a table's boards with nothing standing on them, BGR."""

    def art(self, name: str) -> NDArray[np.uint8] | None:
        """One of the set's drawings as BGRA; None if there is none."""

    def print_kit(self, file: Path, paper: str, language: str) -> None:
        """Writes the set as a PDF, however long that takes; raises UnreadableError if it can't."""

    def laid(self, game: Game[Any, Any], position: Any, new: bool) -> Callable[[Dial], int]:
        """Gets ready for a match that stands there; returns what draws the sectors of its dial."""

    def plays(self, match: Opened) -> None:
        """A match runs from now on."""

    def over(self) -> None:
        """It does not run any more."""
