"""Zones on the table: what a game's plan asks of vision, and what an Observation answers.

Knows no game by name: a game supplies a `TablePlan` and says how many tiles of a label there are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from referee.games.game import Counts
from referee.games.table import Board, Dial, Marker, TablePlan, Zone
from vision import layout
from vision.observation import CANDIDATES, Facing, Observation

#: A candidate whose likeness is this much below the best one's is no explanation of a tile. Wide:
#: it must keep every rival that can have made vision doubt.
MARGIN = 0.3
#: Below this likeness even the best candidate is a guess, which no rule can turn into a reading.
GUESS = 0.5
#: More doubtful tiles than this are not explained: 4 candidates each make 4096 explanations.
MAX_DOUBTFUL = 6


@dataclass(frozen=True, slots=True)
class DoubtfulTile:
    """A tile that may bear any of `candidates` (best first; none if that is not known)."""

    tile: int
    zone: str | None
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claims:
    """What an Observation says in the rules' terms. Tiles are indices into its readings.

    Each tile is in exactly one of `labels`, `doubtful`, `face_down`; `zones` has all of them.
    """

    zones: tuple[str | None, ...]
    """The zone of each tile."""
    labels: Mapping[int, str]
    """The label of each tile that is surely face up and surely read."""
    doubtful: tuple[DoubtfulTile, ...]
    face_down: tuple[int, ...]
    pieces: Mapping[str, Mapping[str, int]]
    """Standing pieces by field and colour, where both are sure."""
    doubtful_pieces: tuple[int, ...]
    """Pieces whose colour or field is not sure."""
    stray_pieces: tuple[int, ...]
    """Pieces that surely stand on no field."""
    sure_fields: frozenset[str]
    """Fields that bear exactly what `pieces` says of them, which may be nothing."""
    likely: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Standing pieces by field and colour on fields that are not sure: what was read there."""
    boards: frozenset[str] = frozenset()
    """Boards that were found where they lie, rather than assumed."""
    dial: str | None = None
    """The label at the dial's arrow, where it is sure."""
    dial_rivals: tuple[str, ...] = ()
    """The labels that the arrow may point to where it is not."""

    @classmethod
    def of(cls, observation: Observation, margin: float = MARGIN) -> Claims:
        """Sorts the readings; `margin` is the likeness that a rival may lack to the best one."""
        tiles = observation.tiles
        labels: dict[int, str] = {}
        doubtful: list[DoubtfulTile] = []
        face_down: list[int] = []
        for tile in range(len(tiles)):
            label = observation.tile_label(tile)
            if not tiles.certain[tile] or (label is None and tiles.facings[tile] == Facing.UP):
                doubtful.append(
                    DoubtfulTile(
                        tile, observation.tile_zone(tile), _rivals(observation, tile, margin)
                    )
                )
            elif label is None or tiles.facings[tile] == Facing.DOWN:
                face_down.append(tile)
            else:
                labels[tile] = label
        pieces, doubtful_pieces, stray_pieces = _sort_pieces(observation)
        dial = observation.dial
        return cls(
            zones=tuple(observation.tile_zone(tile) for tile in range(len(tiles))),
            labels=labels,
            doubtful=tuple(doubtful),
            face_down=tuple(face_down),
            pieces=pieces,
            doubtful_pieces=doubtful_pieces,
            stray_pieces=stray_pieces,
            sure_fields=frozenset(observation.sure_fields),
            likely=_likely(observation),
            boards=frozenset(observation.boards),
            dial=dial.label if dial is not None and dial.certain else None,
            dial_rivals=() if dial is None or dial.certain else dial.rivals,
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Claims:
        """The claims that `to_json` wrote; raises KeyError or TypeError for anything else."""
        return cls(
            zones=tuple(data["zones"]),
            labels={int(tile): label for tile, label in data["labels"].items()},
            doubtful=tuple(
                DoubtfulTile(tile, zone, tuple(candidates))
                for tile, zone, candidates in data["doubtful"]
            ),
            face_down=tuple(data["face_down"]),
            pieces=data["pieces"],
            doubtful_pieces=tuple(data["doubtful_pieces"]),
            stray_pieces=tuple(data["stray_pieces"]),
            sure_fields=frozenset(data["sure_fields"]),
            likely=data["likely"],
            boards=frozenset(data["boards"]),
            dial=data["dial"],
            dial_rivals=tuple(data["dial_rivals"]),
        )

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values: what a verdict rests on, to reproduce it from."""
        return {
            "zones": list(self.zones),
            "labels": {str(tile): label for tile, label in self.labels.items()},
            "doubtful": [[tile.tile, tile.zone, list(tile.candidates)] for tile in self.doubtful],
            "face_down": list(self.face_down),
            "pieces": {field: dict(colours) for field, colours in self.pieces.items()},
            "doubtful_pieces": list(self.doubtful_pieces),
            "stray_pieces": list(self.stray_pieces),
            "sure_fields": sorted(self.sure_fields),
            "likely": {field: dict(colours) for field, colours in self.likely.items()},
            "boards": sorted(self.boards),
            "dial": self.dial,
            "dial_rivals": list(self.dial_rivals),
        }

    @property
    def faceless(self) -> frozenset[int]:
        """Doubtful tiles that show nothing that was taught: a coin, say, or an unreadable tile."""
        return frozenset(tile.tile for tile in self.doubtful if not tile.candidates)

    def corrected(self, labels: Mapping[int, str]) -> Claims:
        """The same with tiles read as a person says: by index, face up and without doubt."""
        if not labels:
            return self
        return replace(
            self,
            labels={**self.labels, **labels},
            doubtful=tuple(tile for tile in self.doubtful if tile.tile not in labels),
            face_down=tuple(tile for tile in self.face_down if tile not in labels),
        )

    def within(self, zones: Iterable[str]) -> list[int]:
        """All tiles in `zones`, however they lie."""
        wanted = set(zones)
        return [tile for tile, zone in enumerate(self.zones) if zone in wanted]

    def outside(self, zones: Iterable[str]) -> list[int]:
        """All tiles in none of `zones`."""
        wanted = set(zones)
        return [tile for tile, zone in enumerate(self.zones) if zone not in wanted]

    def counts(self, zones: Iterable[str], also: Mapping[int, str] | None = None) -> Counts:
        """Tiles of each label in each zone: the sure ones, and those in `also` as it reads them."""
        found: dict[str, Counter[str]] = {zone: Counter() for zone in zones}
        for tile, label in (*self.labels.items(), *(also or {}).items()):
            zone = self.zones[tile]
            if zone in found:
                found[zone][label] += 1
        return found


def surplus(claims: Claims, zones: Iterable[str], in_play: Mapping[str, int]) -> list[int]:
    """Surely read tiles in `zones` of labels that are seen more often than they are in play."""
    tiles = [tile for tile in claims.within(zones) if tile in claims.labels]
    seen = Counter(claims.labels[tile] for tile in tiles)
    return [
        tile for tile in tiles if seen[claims.labels[tile]] > in_play.get(claims.labels[tile], 0)
    ]


def explanations(
    claims: Claims, zones: Iterable[str], in_play: Mapping[str, int], expected: int
) -> list[Mapping[int, str]]:
    """Every way to read the doubtful tiles in `zones` that fits what is in play.

    An explanation gives each doubtful tile one of its candidates, so that no label occurs more
    often than `in_play` says and `expected` tiles lie in the zones. What was surely read stays as
    it is. Of explanations that put the same labels into the same zones only the first is given;
    the likeliest come first. Raises ValueError for more than `MAX_DOUBTFUL` doubtful tiles.
    """
    zones = tuple(zones)
    doubtful = [tile for tile in claims.doubtful if tile.zone in zones]
    if len(doubtful) > MAX_DOUBTFUL:
        raise ValueError(f"expected at most {MAX_DOUBTFUL} doubtful tiles, got {len(doubtful)}")
    inside = claims.within(zones)
    if len(inside) != expected or any(tile in claims.face_down for tile in inside):
        return []
    sure = Counter(claims.labels[tile] for tile in inside if tile in claims.labels)
    found: dict[frozenset[tuple[tuple[str | None, str], int]], Mapping[int, str]] = {}
    for choice in product(*(tile.candidates for tile in doubtful)):
        total = sure + Counter(choice)
        if all(number <= in_play.get(label, 0) for label, number in total.items()):
            pairs = list(zip(doubtful, choice, strict=True))
            told = Counter((tile.zone, label) for tile, label in pairs)
            found.setdefault(frozenset(told.items()), {tile.tile: label for tile, label in pairs})
    return list(found.values())


def layout_of(plan: TablePlan) -> layout.Layout:
    """The same table as vision is told about it: sizes and places without the drawings."""
    return layout.Layout(
        size=plan.size,
        tile=plan.tile,
        tile_thickness=plan.tile_thickness,
        markers=tuple(map(_marker, plan.markers)),
        boards=tuple(map(_board, plan.boards)),
        zones=tuple(map(_zone, plan.zones)),
        piece_colours=dict(plan.piece_colours),
        piece_diameter=plan.piece_diameter,
        piece_height=plan.piece_height,
        dial=_dial(plan.dial) if plan.dial else None,
    )


def _rivals(observation: Observation, tile: int, margin: float) -> tuple[str, ...]:
    """What a doubtful tile may bear; the runner-up is kept however far behind it is.

    Empty if what it may bear is not known: for no explanation may rest on a part of its rivals.
    """
    candidates = observation.tile_candidates(tile)
    # What looks like a back most of all may well be one: its faces are no explanation.
    down = observation.tiles.facings[tile] == Facing.DOWN
    if down or not candidates or candidates[0][1] < GUESS:
        return ()
    best = candidates[0][1]
    rivals = tuple(
        label
        for rank, (label, score) in enumerate(candidates)
        if rank < 2 or score >= best - margin
    )
    # A reading keeps only so many: if all are rivals, there may be one more that is not told.
    return () if len(rivals) == CANDIDATES < len(observation.labels) else rivals


def _sort_pieces(
    observation: Observation,
) -> tuple[Mapping[str, Mapping[str, int]], tuple[int, ...], tuple[int, ...]]:
    """Sure pieces by field and colour, the indices of doubtful ones, and of sure strays."""
    placed: defaultdict[str, Counter[str]] = defaultdict(Counter)
    doubtful: list[int] = []
    stray: list[int] = []
    for piece in range(len(observation.pieces)):
        colour, field = observation.piece_colour(piece), observation.piece_field(piece)
        if colour is None or not observation.pieces.certain[piece]:
            doubtful.append(piece)
        elif field is None:
            stray.append(piece)
        else:
            placed[field][colour] += 1
    return dict(placed), tuple(doubtful), tuple(stray)


def _likely(observation: Observation) -> Mapping[str, Mapping[str, int]]:
    """All pieces that were read on fields of which it is not sure what they bear."""
    placed: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for piece in range(len(observation.pieces)):
        colour, name = observation.piece_colour(piece), observation.piece_field(piece)
        if colour is not None and name is not None and name not in observation.sure_fields:
            placed[name][colour] += 1
    return dict(placed)


def _marker(marker: Marker) -> layout.Marker:
    return layout.Marker(marker.id, marker.centre, marker.side)


def _dial(dial: Dial) -> layout.Dial:
    return layout.Dial(dial.centre, dial.diameter, dial.labels, dial.arrow_size, dial.height)


def _zone(zone: Zone) -> layout.Zone:
    return layout.Zone(zone.name, zone.polygon)


def _board(board: Board) -> layout.Board:
    return layout.Board(
        name=board.name,
        size=board.size,
        origin=board.origin,
        thickness=board.thickness,
        markers=tuple(map(_marker, board.markers)),
        zones=tuple(map(_zone, board.zones)),
        fields=tuple(
            layout.Field(
                field.name,
                (
                    (field.corner[0], field.corner[1]),
                    (field.corner[0] + field.size[0], field.corner[1]),
                    (field.corner[0] + field.size[0], field.corner[1] + field.size[1]),
                    (field.corner[0], field.corner[1] + field.size[1]),
                ),
            )
            for field in board.fields
        ),
    )
