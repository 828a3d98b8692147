"""Gives each tile and piece a number that it keeps all session long, and says what happened.

Equal tiles that change places can't be told from tiles that stayed: no event then. A tile that
was moved and turned over at once, away from where it lay, is one that vanished and one that
appeared. Places are millimetres on the plane, so a pushed camera changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.observation import NONE, Facing, Observation
from vision.settle.events import Happening, Kind, Subject
from vision.settle.pairing import Floats, nearest_pairs
from vision.settle.votes import sides

#: A thing lies where it lay if its middle moved by less than this share of a tile's side, or mm.
_SAME_TILE, _SAME_PIECE_MM = 0.5, 8.0
#: It was moved there if its middle moved by more than this share of a tile's side, or mm.
_MOVED_TILE, _MOVED_PIECE_MM = 0.2, 5.0
#: Pairs that a new calibration is judged by: fewer say nothing of a common shift.
_FEWEST = 4


@dataclass(frozen=True, eq=False)
class Things:
    """The tiles or pieces of one look as arrays of n: what identity rests on."""

    subject: Subject
    places: Floats
    sides: Floats
    """How far a thing may seem to move while it lies still: its own size in mm, shape (n,)."""
    labels: NDArray[np.int16]
    """Label or colour, NONE if unknown."""
    rivals: NDArray[np.int16]
    """All that a thing may bear if its label is in doubt, shape (n, k); NONE pads."""
    facings: NDArray[np.int8]
    """A `Facing`; UP for pieces."""
    steady: NDArray[np.bool_]
    """Whether every frame shows it: only then it may be something new."""

    @classmethod
    def tiles(cls, seen: Observation, steady: NDArray[np.bool_]) -> Things:
        """The tiles of a settled look."""
        tiles = seen.tiles
        up = tiles.facings == Facing.UP
        labels = np.where(up, tiles.label_ids, NONE).astype(np.int16)
        in_doubt = (up & ~tiles.certain)[:, None]
        rivals = np.where(in_doubt, tiles.candidate_ids, NONE).astype(np.int16)
        return cls(
            Subject.TILE, tiles.centres_mm, sides(tiles), labels, rivals, tiles.facings, steady
        )

    @classmethod
    def pieces(cls, seen: Observation, steady: NDArray[np.bool_]) -> Things:
        """The pieces of a settled look."""
        pieces = seen.pieces
        n = len(pieces)
        # Twice the reach: `_SAME_TILE` is half of a side.
        size = np.full(n, 2 * _SAME_PIECE_MM, np.float32)
        return cls(
            Subject.PIECE,
            pieces.points_mm,
            size,
            pieces.colour_ids,
            np.zeros((n, 0), np.int16),
            np.zeros(n, np.int8),
            steady,
        )

    def select(self, mask: NDArray[np.bool_]) -> Things:
        """The things that `mask` keeps."""
        return Things(
            self.subject,
            self.places[mask],
            self.sides[mask],
            self.labels[mask],
            self.rivals[mask],
            self.facings[mask],
            self.steady[mask],
        )

    @property
    def moved_mm(self) -> Floats:
        """By how many mm a thing must have moved to be called moved, shape (n,)."""
        if self.subject is Subject.PIECE:
            return np.full(len(self.places), _MOVED_PIECE_MM, np.float32)
        return np.asarray(_MOVED_TILE * self.sides, np.float32)


class Register:
    """The numbers of the tiles, or of the pieces, of one session."""

    def __init__(self) -> None:
        self._next = 0
        self._known: Things | None = None
        self._numbers: NDArray[np.int32] = np.zeros(0, np.int32)

    @property
    def places(self) -> Floats:
        """Where things were seen last, (n, 2) in mm."""
        return np.zeros((0, 2), np.float32) if self._known is None else self._known.places

    def update(self, now: Things, calibrated: bool) -> tuple[NDArray[np.int32], list[Happening]]:
        """The numbers of what is seen now, and what happened; nothing did at the first look.

        What is new but not steady has no number yet: NONE. `calibrated`: the plane was found anew
        since, so that all may seem to have shifted a bit.
        """
        before, first = self._known, self._known is None
        numbers = np.full(len(now.places), NONE, np.int32)
        happened: list[Happening] = []
        if before is not None:
            if calibrated:
                before = replace(before, places=before.places + _common_shift(before, now))
            pairs = _pairs(before, now)
            for i, j in pairs:
                numbers[j] = self._numbers[i]
                happened += _between(before, now, i, j, int(numbers[j]))
            for i in sorted(set(range(len(before.places))) - {i for i, _ in pairs}):
                happened.append(
                    Happening(
                        Kind.VANISHED,
                        now.subject,
                        int(self._numbers[i]),
                        int(before.labels[i]),
                        start=_point(before.places[i]),
                    )
                )
        for j in np.flatnonzero((numbers == NONE) & now.steady).tolist():
            numbers[j] = self._next
            self._next += 1
            if not first:
                happened.append(
                    Happening(
                        Kind.APPEARED,
                        now.subject,
                        int(numbers[j]),
                        int(now.labels[j]),
                        end=_point(now.places[j]),
                    )
                )
        # What has no number yet is not known; a label once read is kept while it is not read.
        known, numbered = self._remembering(before, now, numbers), numbers != NONE
        self._known, self._numbers = known.select(numbered), numbers[numbered]
        return numbers, happened

    def _remembering(
        self, before: Things | None, now: Things, numbers: NDArray[np.int32]
    ) -> Things:
        if before is None:
            return now
        old = dict(zip(self._numbers.tolist(), range(len(self._numbers)), strict=True))
        labels = now.labels.copy()
        for j, number in enumerate(numbers.tolist()):
            i = old.get(number)
            if labels[j] == NONE and i is not None and before.facings[i] == now.facings[j]:
                labels[j] = before.labels[i]
        return replace(now, labels=labels)


def _pairs(before: Things, now: Things) -> list[tuple[int, int]]:
    """Which thing of before is which now: first those in place, then those of one label."""
    same_side = before.facings[:, None] == now.facings[None]
    same_label = before.labels[:, None] == now.labels[None]
    unread = (before.labels[:, None] == NONE) | (now.labels[None] == NONE)
    known = same_label & (before.labels[:, None] != NONE)
    either = (before.labels[:, None, None] == now.rivals[None]).any(axis=2)
    either |= (before.rivals[:, None] == now.labels[None, :, None]).any(axis=2)
    # Steps: in place and perhaps alike; in place, turned over; elsewhere with the same face.
    near: float | Floats = np.asarray(_SAME_TILE * before.sides, np.float32)
    steps: Sequence[tuple[float | Floats, NDArray[np.bool_]]] = (
        (near, same_side & (same_label | unread | either)),
        (near, ~same_side),
        (np.inf, same_side & known & now.steady[None]),
    )
    pairs: list[tuple[int, int]] = []
    for reach, allowed in steps:
        allowed = allowed.copy()
        for i, j in pairs:
            allowed[i, :] = False
            allowed[:, j] = False
        pairs += nearest_pairs(before.places, now.places, reach, allowed)
    return pairs


def _between(before: Things, now: Things, i: int, j: int, number: int) -> list[Happening]:
    """What happened to a thing that was seen before and is seen now."""
    start, end = _point(before.places[i]), _point(now.places[j])
    label = int(now.labels[j] if now.labels[j] != NONE else before.labels[i])
    found: list[Happening] = []
    if np.linalg.norm(now.places[j] - before.places[i]) > now.moved_mm[j]:
        found.append(Happening(Kind.MOVED, now.subject, number, label, start, end))
    if before.facings[i] != now.facings[j]:
        found.append(Happening(Kind.TURNED, now.subject, number, label, start, end))
    return found


def _common_shift(before: Things, now: Things) -> Floats:
    """By how many mm (x, y) things in place seem to have shifted all together."""
    near = np.asarray(_SAME_TILE * before.sides, np.float32)
    pairs = nearest_pairs(before.places, now.places, near)
    if len(pairs) < _FEWEST:
        return np.zeros(2, np.float32)
    i, j = np.array(pairs).T
    return np.asarray(np.median(now.places[j] - before.places[i], axis=0), np.float32)


def _point(place: Floats) -> tuple[float, float]:
    return float(place[0]), float(place[1])
