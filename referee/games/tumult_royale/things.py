"""What truly lies on a table of Tumult Royale: each tile, statues, and the spinner's arrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from referee.games.table import PlacedPieces, PlacedTile, Placement
from referee.games.tumult_royale.moves import Reveal
from referee.games.tumult_royale.state import State
from referee.games.tumult_royale.table import placement, tile_name
from referee.games.tumult_royale.tiles import Tiles, count, labels_of
from referee.games.tumult_royale.zones import CENTRE, castle_zone

#: The zone of a tile that is not on the table.
OFF = ""


@dataclass(frozen=True)
class Things:
    """Where everything lies. Tiles never come or go: their zones and sides change."""

    tiles: tuple[PlacedTile, ...]
    statues: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How many statues stand, by field and colour."""
    dial: float = 0.0
    """The angle of the spinner's arrow."""

    @classmethod
    def of(cls, state: State, rng: Random) -> Things:
        """A position before a tax phase: all tiles lie face down in the centre."""
        tiles = [
            PlacedTile(tile_name(tile), tile.label, "tile-back", CENTRE, face_up=False)
            for tile in state.edition.tiles_of(state.players)
        ]
        rng.shuffle(tiles)
        statues: dict[tuple[str, str], int] = {
            (state.board.name(number), seat.colour): n
            for seat in state.seats
            for number, n in seat.statues()
        }
        return cls(tuple(tiles), statues)

    def placement(self, state: State) -> Placement:
        """The same for a table; the map lies as in the position."""
        return Placement(
            tuple(tile for tile in self.tiles if tile.zone != OFF),
            tuple(PlacedPieces(colour, name, n) for (name, colour), n in self.statues.items()),
            placement(state).overlays,
            self.dial,
        )

    def heap(self, zone: str) -> Tiles:
        """The tiles of a zone, however they lie."""
        return count(tile.label for tile in self.tiles if tile.zone == zone)

    def within(self, zone: str) -> list[int]:
        """The indices of a zone's tiles."""
        return [at for at, tile in enumerate(self.tiles) if tile.zone == zone]

    def carried(self, tiles: Tiles, start: str, end: str) -> Things:
        """Takes tiles of these kinds from one zone to another; raises ValueError if some lack."""
        lying = list(self.tiles)
        for label in labels_of(tiles):
            fits = [i for i, t in enumerate(lying) if (t.zone, t.label) == (start, label)]
            if not fits:
                raise ValueError(f"no {label} in {start or 'no zone'}")
            lying[fits[0]] = replace(lying[fits[0]], zone=end)
        return replace(self, tiles=tuple(lying))

    def moved(self, at: int, zone: str) -> Things:
        """Takes one tile to another zone."""
        return self._changed(lambda i, tile: replace(tile, zone=zone) if i == at else tile)

    def turned_up(self, but: int | None = None) -> Things:
        """Turns all tiles on the table face up, but one."""
        return self._changed(lambda i, tile: replace(tile, face_up=i != but))

    def gathered(self, rng: Random) -> Things:
        """All tiles lie face down in the centre, in another order."""
        tiles = [replace(tile, zone=CENTRE, face_up=False) for tile in self.tiles]
        rng.shuffle(tiles)
        return replace(self, tiles=tuple(tiles))

    def stood(self, name: str, colour: str, more: int) -> Things:
        """Puts so many statues on a field, or takes them off."""
        statues = Counter(self.statues)
        statues[(name, colour)] += more
        return replace(self, statues={where: n for where, n in statues.items() if n})

    def reveal(self, state: State) -> Reveal:
        """The tiles as a reveal finds them."""
        castles = (castle_zone(seat.colour) for seat in state.seats)
        return Reveal(self.heap(CENTRE), tuple(map(self.heap, castles)))

    def _changed(self, change: Callable[[int, PlacedTile], PlacedTile]) -> Things:
        return replace(self, tiles=tuple(change(i, t) for i, t in enumerate(self.tiles)))
