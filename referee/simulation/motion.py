"""Hands that carry things from one arrangement of a table to the next."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from referee.simulation.arrangement import Arrangement, LaidTile, StoodPiece, stayed
from referee.simulation.room import Pose
from vision.scene.description import Hand

#: A hand takes so many tiles at once.
HANDFUL = 6
#: Shares of a sweep in which the hand arrives, carries, and leaves.
_ARRIVE, _LEAVE = 0.35, 0.7
#: How high tiles are carried, and hands held, in mm.
_LIFT, _HAND_HEIGHT = 30.0, 55.0
#: From a hand's tip to its elbow, and how far outside the plane a hand waits, in mm.
_ARM, _OUTSIDE = 620.0, 260.0

Point = tuple[float, float]


@dataclass(frozen=True)
class Move:
    """A tile that is carried from where it lay to where it will lie.

    One that `comes` was outside the picture before, one that `goes` will be.
    """

    start: LaidTile
    end: LaidTile
    comes: bool = False
    goes: bool = False


@dataclass(frozen=True)
class Sweep:
    """One hand's way in and out: what it carries, and how the table lies before and after."""

    before: Arrangement
    after: Arrangement
    moves: tuple[Move, ...]
    at: Point
    """Where the hand goes if it carries nothing."""


def sweeps(before: Arrangement, after: Arrangement) -> list[Sweep]:
    """The hands that it takes to make one arrangement of another, one after the other.

    None if the table was bare: nobody watches it being set up.
    """
    if not before.tiles and not before.pieces and not before.overlays:
        return []
    found: list[Sweep] = []
    now = before
    for handful in _handfuls(_moves(before, after)):
        rest = _without(now.tiles, [move.start for move in handful])
        tiles = (*rest, *(move.end for move in handful if not move.goes))
        then = replace(now, tiles=tiles)
        found.append(Sweep(now, then, handful, (0.0, 0.0)))
        now = then
    for field in _changed_fields(now, after):
        there = [p for p in after.pieces if p.field == field]
        there = there or [p for p in now.pieces if p.field == field]
        kept = tuple(p for p in now.pieces if p.field != field)
        pieces = kept + tuple(p for p in after.pieces if p.field == field)
        then = replace(now, pieces=pieces)
        found.append(Sweep(now, then, (), there[0].centre))
        now = then
    if now.overlays != after.overlays:
        changed = set(now.overlays) ^ set(after.overlays)
        board = next(b for b in now.boards if b.board.name == next(iter(changed)).board)
        found.append(Sweep(now, after, (), board.pose.centre))
    return found


def during(sweep: Sweep, share: float) -> tuple[Arrangement, tuple[LaidTile, ...], Hand]:
    """The table without what is carried, the tiles that are, and the hand, at 0 to 1 of a sweep."""
    enter, take, put, leave = _way(sweep)
    carried = _ease((share - _ARRIVE) / (_LEAVE - _ARRIVE))
    if share < _ARRIVE:
        tip = _between(enter, take, _ease(share / _ARRIVE))
    elif share < _LEAVE:
        tip = _between(take, put, carried)
    else:
        tip = _between(put, leave, _ease((share - _LEAVE) / (1.0 - _LEAVE)))
    table = sweep.before if share < (_ARRIVE + _LEAVE) / 2 else sweep.after
    held = [tile for move in sweep.moves for tile in (move.start, move.end)]
    tiles = tuple(_carried(move, carried, enter, leave) for move in sweep.moves)
    return replace(table, tiles=_without(table.tiles, held)), tiles, _hand(tip, sweep)


def _without(tiles: Sequence[LaidTile], taken: Sequence[LaidTile]) -> tuple[LaidTile, ...]:
    return tuple(tile for tile in tiles if not any(tile is other for other in taken))


def _moves(before: Arrangement, after: Arrangement) -> list[Move]:
    """Tiles that are elsewhere, or turned over; a tile that shows nothing may be any."""
    same = stayed(before.tiles, [laid.tile for laid in after.tiles])
    rest = _without(before.tiles, list(same.values()))
    moves: list[Move] = []
    for i, end in enumerate(after.tiles):
        start = same.get(i)
        if start is None:
            alike = [t for t in rest if t.tile.drawing == end.tile.drawing]
            alike = alike or [t for t in rest if not t.tile.face_up]
            if not alike:
                moves.append(Move(end, end, comes=True))
                continue
            start = alike[0]
            rest = _without(rest, alike[:1])
        if (start.pose, start.tile) != (end.pose, end.tile):
            moves.append(Move(start, end))
    return moves + [Move(tile, tile, goes=True) for tile in rest]


def _handfuls(moves: Sequence[Move]) -> Iterator[tuple[Move, ...]]:
    """Moves that one hand can make at once: from one zone to one zone, and not too many."""

    def way(move: Move) -> tuple[str, str]:
        start, end = move.start.tile.zone, move.end.tile.zone
        return ("" if move.comes else start, "" if move.goes else end)

    for _, group in groupby(sorted(moves, key=way), key=way):
        together = list(group)
        for start in range(0, len(together), HANDFUL):
            yield tuple(together[start : start + HANDFUL])


def _changed_fields(before: Arrangement, after: Arrangement) -> list[str]:
    def standing(pieces: Sequence[StoodPiece]) -> dict[str, Counter[StoodPiece]]:
        fields: dict[str, Counter[StoodPiece]] = {}
        for piece in pieces:
            fields.setdefault(piece.field, Counter())[piece] += 1
        return fields

    old, new = standing(before.pieces), standing(after.pieces)
    return [field for field in dict.fromkeys([*new, *old]) if old.get(field) != new.get(field)]


def _way(sweep: Sweep) -> tuple[Point, Point, Point, Point]:
    """Where the hand comes in, takes, puts, and goes out."""
    size = sweep.before.plan.size
    if not sweep.moves:
        wait = _outside(sweep.at, size)
        return wait, sweep.at, sweep.at, wait
    sources = [move.start.pose.centre for move in sweep.moves if not move.comes]
    targets = [move.end.pose.centre for move in sweep.moves if not move.goes]
    take, put = (_middle(points) if points else None for points in (sources, targets))
    enter = _outside(take or put or sweep.at, size)
    leave = _outside(put or take or sweep.at, size)
    return enter, take or enter, put or leave, leave


def _carried(move: Move, share: float, enter: Point, leave: Point) -> LaidTile:
    start, end = move.start, move.end
    turn = (end.pose.angle - start.pose.angle + 180.0) % 360.0 - 180.0
    source = enter if move.comes else start.pose.centre
    target = leave if move.goes else end.pose.centre
    lift = _LIFT * math.sin(math.pi * share)
    return LaidTile(
        start.tile if share < 0.5 else end.tile,
        Pose(_between(source, target, share), start.pose.angle + turn * share),
        start.base + (end.base - start.base) * share + lift,
    )


def _hand(tip: Point, sweep: Sweep) -> Hand:
    x, y = tip
    width, height = sweep.before.plan.size
    lean = 0.3 * (x - width / 2) / width
    elbow = (x + _ARM * math.sin(lean), y + math.copysign(_ARM * math.cos(lean), y - height / 2))
    return Hand(tip, elbow, _HAND_HEIGHT)


def _outside(point: Point, size: Point) -> Point:
    """Where the nearer long side's hand waits."""
    width, height = size
    x = point[0] + 0.2 * (point[0] - width / 2)
    return (x, height + _OUTSIDE) if point[1] > height / 2 else (x, -_OUTSIDE)


def _middle(points: Sequence[Point]) -> Point:
    x, y = np.mean(points, axis=0)
    return float(x), float(y)


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _ease(share: float) -> float:
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)
