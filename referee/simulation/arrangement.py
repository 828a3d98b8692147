"""Where each thing of a placement lies on one simulated table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.games.table import (
    Board,
    Dial,
    Field,
    PlacedOverlay,
    PlacedPieces,
    PlacedTile,
    Placement,
    TablePlan,
)
from referee.simulation.room import NoRoomError, Points, Pose, Room, quad_of

#: White print around a marker of the table, as a share of its black square.
MARKER_MARGIN = 8 / 60
#: Thickness in mm of printed paper that is no board.
PAPER = 0.3
#: Millimetres kept free around markers, so that no tile spoils them.
_MARKER_CLEARANCE = 4.0


@dataclass(frozen=True, slots=True)
class Habits:
    """How people lay things: distances in mm, turns in degrees (sigma), shares of the tiles.

    `strewn` is the chance that a zone's tiles are thrown at random rather than laid in rows;
    `gap` is kept between tiles; `overlapping` of the tiles lie partly on another one.
    """

    strewn: float = 0.5
    gap: float = 2.0
    overlapping: float = 0.0
    board_shift: float = 1.5
    board_turn: float = 0.8
    marker_turn: float = 0.6
    dial_shift: float = 2.0


TIDY = Habits()
#: Tiles pushed together until they touch.
CROWDED = Habits(strewn=0.0, gap=0.15)
#: One tile in seven lies partly on another.
CARELESS = Habits(overlapping=0.15)


@dataclass(frozen=True, slots=True)
class LaidBoard:
    """A board where it lies."""

    board: Board
    pose: Pose

    def to_plane(self, points: Iterable[tuple[float, float]]) -> Points:
        """Points (n, 2) of the board on the plane."""
        w, h = self.board.size
        local = np.asarray(list(points), dtype=np.float64) - np.array([w / 2, h / 2])
        c, s = math.cos(math.radians(self.pose.angle)), math.sin(math.radians(self.pose.angle))
        return np.asarray(local @ np.array([[c, s], [-s, c]]) + self.pose.centre)

    @property
    def outline(self) -> Points:
        """Its corners on the plane."""
        return quad_of(self.pose, self.board.size)


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile where it lies; `base` is the height of its under side."""

    tile: PlacedTile
    pose: Pose
    base: float


@dataclass(frozen=True, slots=True)
class StoodPiece:
    """A standing piece where it stands."""

    colour: str
    field: str
    centre: tuple[float, float]
    base: float


@dataclass(frozen=True, slots=True)
class LaidDial:
    """A dial where it lies; `arrow` is the arrow's angle from the disc's top, clockwise."""

    dial: Dial
    pose: Pose
    arrow: float


@dataclass(frozen=True)
class Arrangement:
    """Everything on one table. Things that nothing asks to move keep their places."""

    plan: TablePlan
    boards: tuple[LaidBoard, ...]
    marker_angles: tuple[float, ...]
    tiles: tuple[LaidTile, ...] = ()
    pieces: tuple[StoodPiece, ...] = ()
    overlays: tuple[PlacedOverlay, ...] = ()
    dial: LaidDial | None = None

    @classmethod
    def empty(cls, plan: TablePlan, rng: np.random.Generator, habits: Habits = TIDY) -> Arrangement:
        """Boards and markers only, each a little off its usual place."""
        boards = tuple(
            LaidBoard(
                board,
                Pose(
                    (
                        board.origin[0]
                        + board.size[0] / 2
                        + float(rng.normal()) * habits.board_shift,
                        board.origin[1]
                        + board.size[1] / 2
                        + float(rng.normal()) * habits.board_shift,
                    ),
                    float(rng.normal(0.0, habits.board_turn)),
                ),
            )
            for board in plan.boards
        )
        angles = tuple(float(rng.normal(0.0, habits.marker_turn)) for _ in plan.markers)
        return cls(plan, boards, angles)

    def relaid(
        self,
        placement: Placement,
        rng: np.random.Generator,
        habits: Habits = TIDY,
        *,
        keep: bool = True,
    ) -> Arrangement:
        """The same table with this placement on it.

        With `keep`, tiles and pieces that stay in their zone or on their field stay where they
        are; a zone that is too full for what comes to it is laid out anew. Raises ValueError for
        a zone, field, board or dial that the plan lacks, NoRoomError if a zone can't hold its
        tiles.
        """
        return Arrangement(
            self.plan,
            self.boards,
            self.marker_angles,
            self._lay_tiles(placement.tiles, rng, habits, keep=keep),
            self._stand(placement.pieces, placement.overlays, rng, keep=keep),
            placement.overlays,
            self._lay_dial(placement.dial, rng, habits),
        )

    def _lay_dial(
        self, arrow: float | None, rng: np.random.Generator, habits: Habits
    ) -> LaidDial | None:
        """The dial stays where it once lay, any way round; only its arrow is turned."""
        if arrow is None:
            return None
        dial = self.plan.dial
        if dial is None:
            raise ValueError("no dial on this table for an arrow to turn on")
        if self.dial is not None:
            return replace(self.dial, arrow=arrow)
        x, y = (c + float(rng.normal()) * habits.dial_shift for c in dial.centre)
        return LaidDial(dial, Pose((x, y), float(rng.uniform(0.0, 360.0))), arrow)

    def _lay_tiles(
        self,
        tiles: Sequence[PlacedTile],
        rng: np.random.Generator,
        habits: Habits,
        *,
        keep: bool,
    ) -> tuple[LaidTile, ...]:
        places: dict[int, tuple[Pose, float]] = {}
        if keep:
            places = {i: (t.pose, t.base) for i, t in stayed(self.tiles, tiles).items()}
        for zone in dict.fromkeys(tile.zone for tile in tiles):
            wanted = [i for i, tile in enumerate(tiles) if tile.zone == zone]
            room, base = self._room(zone)
            new = [i for i in wanted if i not in places]
            if not new:
                continue
            lying = [quad_of(places[i][0], self.plan.tile) for i in wanted if i in places]
            try:
                poses = _find(room, len(new), lying, rng, habits)
            except NoRoomError:
                new, lying = wanted, []
                poses = _find(room, len(new), lying, rng, habits)
            for i, pose in zip(new, poses, strict=True):
                places[i] = (pose, base)
            for i in new:
                if rng.random() < habits.overlapping:
                    self._push_onto_another(i, new, places, rng)
        return tuple(LaidTile(tile, *places[i]) for i, tile in enumerate(tiles))

    def _push_onto_another(
        self,
        tile: int,
        others: Sequence[int],
        places: dict[int, tuple[Pose, float]],
        rng: np.random.Generator,
    ) -> None:
        """Slides a tile onto its nearest neighbour, so that up to half of that one is hidden."""
        pose, base = places[tile]
        beside = [
            (math.dist(pose.centre, places[other][0].centre), other)
            for other in others
            if other != tile and places[other][1] == base
        ]
        if not beside:
            return
        distance, other = min(beside)
        under, _ = places[other]
        left = float(rng.uniform(0.6, 0.85)) * min(self.plan.tile) / max(distance, 1e-6)
        if left >= 1.0:
            return
        x, y = (u + (p - u) * left for p, u in zip(pose.centre, under.centre, strict=True))
        places[tile] = (Pose((x, y), pose.angle), base + self.plan.tile_thickness)

    def _room(self, name: str) -> tuple[Room, float]:
        """Where tiles of a zone can lie, and the height of what they lie on."""
        markers = [
            _square(marker.centre, marker.side * (1 + 2 * MARKER_MARGIN) + _MARKER_CLEARANCE)
            for marker in self.plan.markers
        ]
        obstacles = [np.asarray(square) for square in markers]
        for laid in self.boards:
            for zone in laid.board.zones:
                if zone.name == name:
                    own = [
                        _square(m.centre, m.side + 2 * _MARKER_CLEARANCE)
                        for m in laid.board.markers
                    ]
                    own += [_rectangle(field) for field in laid.board.fields]
                    others = [b.outline for b in self.boards if b is not laid]
                    return (
                        Room(
                            laid.to_plane(zone.polygon),
                            laid.to_plane(zone.yard or zone.polygon),
                            (*obstacles, *others, *(laid.to_plane(quad) for quad in own)),
                            self.plan.tile,
                            laid.pose.angle,
                        ),
                        laid.board.thickness,
                    )
        for zone in self.plan.zones:
            if zone.name == name:
                taken = [b.to_plane(z.polygon) for b in self.boards for z in b.board.zones]
                taken += [b.outline for b in self.boards]
                polygon = np.asarray(zone.polygon, dtype=np.float64)
                yard = np.asarray(zone.yard or zone.polygon, dtype=np.float64)
                return Room(polygon, yard, (*obstacles, *taken), self.plan.tile, 0.0), 0.0
        zones = [
            z.name for z in (*self.plan.zones, *(z for b in self.plan.boards for z in b.zones))
        ]
        raise ValueError(f"no zone {name!r} on this table; there are {', '.join(zones)}")

    def _stand(
        self,
        placed: Sequence[PlacedPieces],
        overlays: Sequence[PlacedOverlay],
        rng: np.random.Generator,
        *,
        keep: bool,
    ) -> tuple[StoodPiece, ...]:
        fields = {f.name: (b, f) for b in self.boards for f in b.board.fields}
        stood: list[StoodPiece] = []
        for name in dict.fromkeys(pieces.field for pieces in placed):
            if name not in fields:
                raise ValueError(f"no field {name!r} on the boards of this table")
            colours = [p.colour for p in placed if p.field == name for _ in range(p.count)]
            before = [piece for piece in self.pieces if piece.field == name]
            if keep and Counter(piece.colour for piece in before) == Counter(colours):
                stood += before
                continue
            laid, field = fields[name]
            paper = any(overlay.board == laid.board.name for overlay in overlays)
            base = laid.board.thickness + (PAPER if paper else 0.0)
            spots = _spots(field, len(colours), self.plan.piece_diameter, rng)
            for colour, (x, y) in zip(colours, laid.to_plane(spots), strict=True):
                stood.append(StoodPiece(colour, name, (float(x), float(y)), base))
        return tuple(stood)


def _find(
    room: Room, count: int, lying: Sequence[Points], rng: np.random.Generator, habits: Habits
) -> list[Pose]:
    if rng.random() < habits.strewn:
        strewn = room.strew(count, lying, rng, habits.gap)
        if strewn is not None:
            return strewn
    return room.rows(count, lying, rng, habits.gap)


def stayed(before: Sequence[LaidTile], tiles: Sequence[PlacedTile]) -> dict[int, LaidTile]:
    """Which of `tiles` (by index) lay in their zone before: the same face if possible."""
    pool = list(before)
    stayed: dict[int, LaidTile] = {}
    for same in (_equal, _turned_over, _unknown):
        for i, tile in enumerate(tiles):
            if i in stayed:
                continue
            for laid in pool:
                if same(laid.tile, tile):
                    stayed[i] = laid
                    pool.remove(laid)
                    break
    return stayed


def _equal(one: PlacedTile, other: PlacedTile) -> bool:
    return one == other


def _turned_over(one: PlacedTile, other: PlacedTile) -> bool:
    return (one.drawing, one.zone) == (other.drawing, other.zone)


def _unknown(one: PlacedTile, other: PlacedTile) -> bool:
    """What lay face down may turn out to be anything."""
    return one.zone == other.zone and not (one.face_up and other.face_up)


def _spots(
    field: Field, count: int, diameter: float, rng: np.random.Generator
) -> list[tuple[float, float]]:
    """Where pieces stand on a field, in the board's mm: around its middle, not touching."""
    middle = (field.corner[0] + field.size[0] / 2, field.corner[1] + field.size[1] / 2)
    ring = 0.0 if count == 1 else (diameter + 1.5) / 2 / math.sin(math.pi / count)
    play = max(0.0, min(field.size) / 2 - diameter / 2 - ring)
    phase = float(rng.uniform(0.0, 2 * math.pi))
    shift = np.clip(rng.normal(0.0, 2.5, 2), -0.7 * play, 0.7 * play)
    return [
        (
            middle[0] + float(shift[0]) + ring * math.cos(phase + 2 * math.pi * i / count),
            middle[1] + float(shift[1]) + ring * math.sin(phase + 2 * math.pi * i / count),
        )
        for i in range(count)
    ]


def _square(centre: tuple[float, float], side: float) -> list[tuple[float, float]]:
    (x, y), r = centre, side / 2
    return [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]


def _rectangle(field: Field) -> list[tuple[float, float]]:
    (x, y), (w, h) = field.corner, field.size
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
