"""What clumsy hands do to a table that was to lie tidily."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from referee.games.hands import Slip
from referee.simulation.arrangement import Arrangement, LaidTile
from referee.simulation.room import NoRoomError, Points, Pose, inside, overlaps, quad_of

#: How far the middle of a tile that lies half out of its zone is beyond its edge, in mm.
_BEYOND = (4.0, 12.0)
#: How far a piece between two fields is at most off their common edge, in mm.
_ASTRIDE = 1.5
#: A tile pushed onto another leaves so much of the shorter side between their middles.
_LEFT = (0.6, 0.85)
_TRIES = 400

Change = Callable[[Arrangement, np.random.Generator], Arrangement]


def slipped(slip: Slip, where: str) -> Change:
    """What a slip in a zone or on a field does to a table.

    It raises NoRoomError if the slip can't happen there.
    """
    return lambda arrangement, rng: _SLIPS[slip](arrangement, where, rng)


def _overlap(table: Arrangement, zone: str, rng: np.random.Generator) -> Arrangement:
    lying = [at for at, laid in enumerate(table.tiles) if laid.tile.zone == zone]
    for at in rng.permutation(lying):
        moved = table.tiles[at]
        others = [
            (math.dist(moved.pose.centre, table.tiles[i].pose.centre), i) for i in lying if i != at
        ]
        if not others:
            break
        distance, under = min(others)
        left = float(rng.uniform(*_LEFT)) * min(table.plan.tile) / max(distance, 1e-6)
        if left >= 1.0:
            continue
        u, p = table.tiles[under].pose.centre, moved.pose.centre
        centre = (u[0] + (p[0] - u[0]) * left, u[1] + (p[1] - u[1]) * left)
        base = table.tiles[under].base + table.plan.tile_thickness
        return _with_tile(
            table, int(at), LaidTile(moved.tile, Pose(centre, moved.pose.angle), base)
        )
    raise NoRoomError(f"no two tiles of {zone} can overlap")


def _half_out(table: Arrangement, zone: str, rng: np.random.Generator) -> Arrangement:
    zones = _zones(table)
    lying = [at for at, laid in enumerate(table.tiles) if laid.tile.zone == zone]
    blocked = [laid.outline for laid in table.boards if laid.board.name == "map"]
    low, high = np.zeros(2), np.asarray(table.plan.size)
    edge = zones[zone]
    for _ in range(_TRIES):
        at = int(rng.choice(lying))
        side = int(rng.integers(len(edge)))
        a, b = edge[side], edge[(side + 1) % len(edge)]
        out = np.array([b[1] - a[1], a[0] - b[0]]) / np.linalg.norm(b - a)
        centre = a + float(rng.uniform()) * (b - a) + float(rng.uniform(*_BEYOND)) * out
        pose = Pose((float(centre[0]), float(centre[1])), float(rng.uniform(0.0, 360.0)))
        quad = quad_of(pose, table.plan.tile)
        others = [
            quad_of(laid.pose, table.plan.tile) for i, laid in enumerate(table.tiles) if i != at
        ]
        markers = [
            quad_of(Pose(m.centre, 0.0), (1.4 * m.side, 1.4 * m.side)) for m in table.plan.markers
        ]
        if (quad < low).any() or (quad > high).any():
            continue
        if any(_in(centre, other, -2.0) for other in zones.values()):
            continue
        if not any(overlaps(quad[None], other, 1.0)[0] for other in (*others, *markers, *blocked)):
            return _with_tile(table, at, LaidTile(table.tiles[at].tile, pose, 0.0))
    raise NoRoomError(f"no tile of {zone} can lie half out of it")


def _between(table: Arrangement, field: str, rng: np.random.Generator) -> Arrangement:
    laid, own = next((b, f) for b in table.boards for f in b.board.fields if f.name == field)
    neighbours = [
        other
        for other in laid.board.fields
        if abs(other.corner[0] - own.corner[0]) + abs(other.corner[1] - own.corner[1])
        < own.size[0] * 1.01
        and other is not own
        and not any(piece.field == other.name for piece in table.pieces)
    ]
    standing = [at for at, piece in enumerate(table.pieces) if piece.field == field]
    if not neighbours or not standing:
        raise NoRoomError(f"no piece of {field} can stand beside it")
    other = neighbours[int(rng.integers(len(neighbours)))]
    middle = [
        (own.corner[i] + own.size[i] / 2 + other.corner[i] + other.size[i] / 2) / 2 for i in (0, 1)
    ]
    across = [abs(other.corner[i] - own.corner[i]) > 1.0 for i in (0, 1)]
    spot = tuple(
        m + float(rng.uniform(-1, 1)) * (_ASTRIDE if over else 0.2 * own.size[0])
        for m, over in zip(middle, across, strict=True)
    )
    ((x, y),) = laid.to_plane([(spot[0], spot[1])])
    at = standing[-1]
    piece = replace(table.pieces[at], centre=(float(x), float(y)))
    return replace(table, pieces=(*table.pieces[:at], piece, *table.pieces[at + 1 :]))


def _with_tile(table: Arrangement, at: int, laid: LaidTile) -> Arrangement:
    return replace(table, tiles=(*table.tiles[:at], laid, *table.tiles[at + 1 :]))


def _zones(table: Arrangement) -> dict[str, Points]:
    """All zones as polygons on the plane."""
    found = {zone.name: np.asarray(zone.polygon, np.float64) for zone in table.plan.zones}
    for laid in table.boards:
        found |= {zone.name: laid.to_plane(zone.polygon) for zone in laid.board.zones}
    return found


def _in(point: Points, polygon: Points, margin: float) -> bool:
    """Whether a point lies in a polygon that is larger by about -`margin` mm all around."""
    middle = polygon.mean(axis=0)
    grown = middle + (polygon - middle) * (
        1.0 - margin / np.abs(polygon - middle).max(axis=0).clip(1.0)
    )
    return bool(inside(point[None, None], grown)[0])


_SLIPS = {Slip.OVERLAP: _overlap, Slip.HALF_OUT: _half_out, Slip.BETWEEN: _between}
