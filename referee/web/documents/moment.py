"""All that is known at one moment, of which documents are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from referee.games.game import MoveT, StateT
from referee.match.match import View
from referee.web.reading import Reading
from vision.session import Look

Json = dict[str, Any]


@dataclass(frozen=True)
class Moment(Generic[StateT, MoveT]):
    """A match, its table, and what does not work.

    reading: None if nothing was read yet. troubles: sentences by the part that they concern.
    camera: Whether one is used at all. look: The newest; None if it has sent no picture yet.
    """

    view: View[StateT, MoveT]
    reading: Reading | None
    troubles: tuple[tuple[str, str], ...]
    camera: bool
    look: Look | None
