"""Free room on a table: where another tile can lie without lying on something."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]

#: Random poses tried at once when tiles are strewn, and how often.
_THROWS, _THROWINGS = 64, 12


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a flat thing lies: its middle in mm of the plane, and its turn clockwise (degrees)."""

    centre: tuple[float, float]
    angle: float


class NoRoomError(ValueError):
    """A zone is too small, or too full, for the tiles that are to lie in it."""


@dataclass(frozen=True, eq=False)
class Room:
    """Part of the table; convex polygons of shape (n, 2) in mm, clockwise as seen.

    Tiles of `tile` (width, height) mm lie wholly within `yard` if they can; a tile's middle lies
    within `zone` in any case. `angle` is that of the yard, in degrees.
    """

    zone: Points
    yard: Points
    obstacles: tuple[Points, ...]
    tile: tuple[float, float]
    angle: float

    def strew(
        self, count: int, lying: Sequence[Points], rng: np.random.Generator, gap: float
    ) -> list[Pose] | None:
        """`count` poses at random, `gap` mm apart; None if they are not found by throwing."""
        found: list[Pose] = []
        taken = list(lying)
        low, high = self.yard.min(axis=0), self.yard.max(axis=0)
        for _ in range(_THROWINGS):
            centres = rng.uniform(low, high, (_THROWS, 2))
            angles = rng.uniform(0.0, 360.0, _THROWS)
            quads = quads_of(centres, angles, self.tile)
            free = inside(quads, self.yard) & self._free(quads, taken, gap)
            for i in np.flatnonzero(free):
                if len(found) == count:
                    return found
                if not any(overlaps(quads[i : i + 1], other, gap)[0] for other in taken):
                    found.append(_pose(centres[i], angles[i]))
                    taken.append(quads[i])
        return found if len(found) == count else None

    def rows(
        self, count: int, lying: Sequence[Points], rng: np.random.Generator, gap: float
    ) -> list[Pose]:
        """`count` poses in rows that keep `gap` mm between tiles, closer if there is no room.

        Tiles may stick out of the yard, then out of the zone, before it is given up. Raises
        NoRoomError if even so there are too few places.
        """
        most = 0
        for spacing in sorted({gap, min(gap, 1.0), 0.15}, reverse=True):
            for within in (self.yard, self.zone, None):
                for turn in (float(rng.normal(0.0, 4.0)), 0.0, 0.0):
                    poses = self._lattice(self.angle + turn, spacing, within, lying, rng)
                    most = max(most, len(poses))
                    if len(poses) >= count:
                        chosen = rng.choice(len(poses), count, replace=False)
                        return [_shaken(poses[i], spacing, self.tile, rng) for i in chosen]
        raise NoRoomError(
            f"{count} tiles of {self.tile[0]:g} x {self.tile[1]:g} mm are to lie where there is "
            f"room for {most}; place fewer in this zone"
        )

    def _lattice(
        self,
        angle: float,
        spacing: float,
        within: Points | None,
        lying: Sequence[Points],
        rng: np.random.Generator,
    ) -> list[Pose]:
        pitch = np.array(self.tile) + spacing
        turn = _turn(angle)
        middle = self.yard.mean(axis=0)
        reach = np.ceil(np.ptp(self.zone, axis=0).max() / pitch.min() / 2) + 1
        steps = np.arange(-reach, reach + 1)
        cells = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        best: list[Pose] = []
        for offset in ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5), *rng.uniform(0, 1, (4, 2))):
            centres = middle + ((cells + offset) * pitch) @ turn.T
            angles = np.full(len(centres), angle)
            quads = quads_of(centres, angles, self.tile)
            fits = inside(centres[:, None], self.zone)
            if within is not None:
                fits &= inside(quads, within)
            fits &= self._free(quads, lying, spacing)
            if fits.sum() > len(best):
                best = [_pose(centres[i], angle) for i in np.flatnonzero(fits)]
        return best

    def _free(self, quads: Points, lying: Iterable[Points], gap: float) -> NDArray[np.bool_]:
        free = np.ones(len(quads), dtype=bool)
        for obstacle in self.obstacles:
            free &= ~overlaps(quads, obstacle, 0.0)
        for other in lying:
            free &= ~overlaps(quads, other, gap)
        return free


def quads_of(centres: ArrayLike, angles: ArrayLike, size: tuple[float, float]) -> Points:
    """Corners (n, 4, 2), clockwise from the top left, of rectangles of `size` mm."""
    w, h = size
    local = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2.0
    radians = np.radians(np.asarray(angles, dtype=np.float64))
    c, s = np.cos(radians), np.sin(radians)
    turns = np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)
    corners = np.einsum("nij,kj->nki", turns, local)
    return np.asarray(np.asarray(centres, dtype=np.float64)[:, None] + corners)


def quad_of(pose: Pose, size: tuple[float, float]) -> Points:
    """Corners (4, 2), clockwise from the top left, of one rectangle."""
    return np.asarray(quads_of([pose.centre], [pose.angle], size)[0])


def inside(points: Points, polygon: Points) -> NDArray[np.bool_]:
    """Which of n sets of points (n, k, 2) lie wholly in a convex polygon, clockwise as seen."""
    sides = np.roll(polygon, -1, axis=0) - polygon
    away = points[:, :, None] - polygon
    cross = sides[:, 0] * away[..., 1] - sides[:, 1] * away[..., 0]
    return np.asarray((cross >= -1e-9).all(axis=(1, 2)))


def overlaps(quads: Points, polygon: Points, gap: float) -> NDArray[np.bool_]:
    """Which rectangles (n, 4, 2) come nearer than `gap` mm to a convex polygon (k, 2).

    Convex shapes are apart if and only if one of their sides separates them.
    """
    sides = np.concatenate(
        [
            quads[:, 1:3] - quads[:, 0:2],
            np.broadcast_to(np.roll(polygon, -1, axis=0) - polygon, (len(quads), len(polygon), 2)),
        ],
        axis=1,
    )
    normals = np.stack([-sides[..., 1], sides[..., 0]], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    mine = np.einsum("nsi,nki->nsk", normals, quads)
    other = np.einsum("nsi,ki->nsk", normals, polygon)
    apart = np.maximum(
        other.min(axis=2) - mine.max(axis=2), mine.min(axis=2) - other.max(axis=2)
    ).max(axis=1)
    return np.asarray(apart < gap - 1e-9)


def _shaken(
    pose: Pose, spacing: float, tile: tuple[float, float], rng: np.random.Generator
) -> Pose:
    """Shifted and turned so little that two neighbours still don't meet, and by half turns."""
    play = 0.35 * spacing
    x, y = (c + float(rng.uniform(-play, play)) / 2 for c in pose.centre)
    # Turning by a moves a corner by about a times half the longer side.
    turn = math.degrees(float(rng.uniform(-play, play)) / max(tile))
    step = 90.0 if tile[0] == tile[1] else 180.0
    return Pose((x, y), pose.angle + turn + step * float(rng.integers(4)))


def _pose(centre: Points, angle: float) -> Pose:
    return Pose((float(centre[0]), float(centre[1])), float(angle))


def _turn(degrees: float) -> Points:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s], [s, c]])
