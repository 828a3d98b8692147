"""The moves: what people do at the table, with every fact that a camera or a person supplies.

Steps that only follow from others (an excess paid in supporters, consolation, the end check) are
no moves; `apply` does them. Seats are numbered from 0 in the order in which they sit.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.tumult_royale.board import Laid
from referee.games.tumult_royale.tiles import Tiles


@dataclass(frozen=True, slots=True)
class FirstStatue:
    """A player places the first statue on a field (section 2)."""

    seat: int
    field: int


@dataclass(frozen=True, slots=True)
class Spin:
    """The king spun: the number at the arrow (section 3.1)."""

    demand: int


@dataclass(frozen=True, slots=True)
class SetAside:
    """All players have set tiles aside, so many together (section 3.2)."""

    tiles: int


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The hourglass has run out, or nobody wants more (section 3.2).

    `castles` says how many face-down tiles lie on each castle, None if nobody counted. A tile
    that is still in a hand is not among them; it may be kept or put back. `hands_empty` says that
    all other tiles were counted in the centre, so that no hand held one.
    """

    castles: tuple[int, ...] | None
    hands_empty: bool = False


@dataclass(frozen=True, slots=True)
class Reveal:
    """All tiles in the centre and on the castles lie face up (section 3.2)."""

    centre: Tiles
    castles: tuple[Tiles, ...]


@dataclass(frozen=True, slots=True)
class Plead:
    """Which seats use their mercy; only where the house's ruling asks for it (section 3.3)."""

    seats: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Punish:
    """The verdict on the tumults is carried out: the tiles that each seat returned (3.3)."""

    returned: tuple[Tiles, ...]


@dataclass(frozen=True, slots=True)
class Build:
    """A player fills a field with statues and pays with tiles (section 3.4)."""

    seat: int
    field: int
    payment: Tiles


@dataclass(frozen=True, slots=True)
class Pass:
    """A player does not build (section 3.4)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rank:
    """The nobility cards are dealt anew: the rank of each seat (section 3.5)."""

    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Crown:
    """The king pays and puts statues on the next space of the chronicle (section 3.6)."""

    statues: int


@dataclass(frozen=True, slots=True)
class TurnRegion:
    """The king turns a face-down region up; `place` counts from 1 (section 3.6)."""

    place: int
    laid: Laid


@dataclass(frozen=True, slots=True)
class ShowMercy:
    """The mercy cards are turned: which seats are shown mercy (section 3.7)."""

    seats: tuple[bool, ...]


Move = (
    FirstStatue
    | Spin
    | SetAside
    | TimeUp
    | Reveal
    | Plead
    | Punish
    | Build
    | Pass
    | Rank
    | Crown
    | TurnRegion
    | ShowMercy
)
