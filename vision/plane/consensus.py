"""Which of the markers seen belong to the table, and how the camera stands to them.

Ids are read from paper under bad light: one can be false, or true and pushed aside. Markers are
kept that agree with each other on where the camera stands, by place, size and shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from operator import itemgetter

import cv2
import numpy as np

from vision.layout import Marker
from vision.plane.markers import Sighting
from vision.plane.pinhole import Array, Fit, Landmark, Lens, View, fit_view, view_from_homography

#: Three marker centres with known sides fix the camera; fewer leave the far end of the table open.
FEWEST_MARKERS = 3
#: Before the lens is known, a marker may lie off by this share of the picture's longer side.
_ROUGH_MISS = 0.012
#: After the fit, a marker that lies off by more (same share) was pushed aside or is false.
_TRUE_MISS = 0.0025
#: Sides and diagonals of a marker may differ from their lengths by this share.
_SHAPE_SLACK = 0.25
#: Fits to three markers are begun at so many of the likeliest places of the camera.
_STARTS = 4
#: Condition number beyond which a map shows the plane edge-on (millimetres and pixels mix in it).
_SINGULAR = 1e9


def fit_markers(
    sightings: Sequence[Sighting],
    markers: Mapping[int, Marker],
    plane: tuple[float, float],
    size: tuple[int, int],
    lens: Lens | None,
) -> tuple[Fit, list[Sighting]] | None:
    """The view that most sightings agree on, and those sightings; None if fewer than three do.

    `markers` are those of a plane of size `plane` mm, by id; the picture is `size` (w, h) px.
    """
    starts = _agreements(sightings, markers, size, lens or Lens.ordinary(size))
    fits = [_fitted(view, used, markers, plane, size, lens) for view, used in starts]
    good = [(fit, used) for fit, used in fits if fit.misses.max() <= _ROUGH_MISS * max(size)]
    return min(good, key=lambda pair: pair[0].cost) if good else None


def _fitted(
    view: View,
    used: list[Sighting],
    markers: Mapping[int, Marker],
    plane: tuple[float, float],
    size: tuple[int, int],
    lens: Lens | None,
) -> tuple[Fit, list[Sighting]]:
    """The fit to sightings from a rough view, without those that lie off, if enough are left."""
    edge = np.array([(x, y) for x in (0.0, 0.5, 1.0) for y in (0.0, 0.5, 1.0)]) * plane
    used = list(used)
    while True:
        landmarks = [Landmark.marker(markers[s.id].centre, markers[s.id].side, s) for s in used]
        fit = fit_view(view, landmarks, size, ask=edge, known=lens is not None)
        worst = int(fit.misses.argmax())
        if fit.misses[worst] <= _TRUE_MISS * max(size) or len(used) <= FEWEST_MARKERS:
            return fit, used
        del used[worst]


def _agreements(
    sightings: Sequence[Sighting], markers: Mapping[int, Marker], size: tuple[int, int], lens: Lens
) -> list[tuple[View, list[Sighting]]]:
    """Rough views that fit the largest set of sightings, and that set; the likeliest first.

    More than one if but three markers fit: then the camera may stand at up to four places.
    """
    straight = [Sighting(seen.id, lens.straightened(seen.quad)) for seen in sightings]
    pinhole = Lens(lens.matrix, np.zeros(5))
    found: list[tuple[float, Array, list[int]]] = []
    quads = np.array([sighting.quad for sighting in straight]).reshape(-1, 4, 2)
    seen = np.array([sighting.centre for sighting in straight]).reshape(-1, 2)
    theirs = [markers[sighting.id] for sighting in straight]
    for homography in _homographies(straight, markers, pinhole):
        if not np.isfinite(homography).all() or np.linalg.cond(homography) > _SINGULAR:
            continue
        used: dict[int, tuple[float, int]] = {}
        for k, miss in enumerate(_disagreements(homography, quads, seen, theirs, max(size))):
            known = straight[k].id
            if miss < min(1.0, used[known][0] if known in used else 1.0):
                used[known] = (miss, k)
        if len(used) >= FEWEST_MARKERS:
            miss = sum(miss for miss, _ in used.values())
            found.append((miss, homography, [k for _, k in used.values()]))
            if len(used) == len(sightings) > FEWEST_MARKERS:
                break
    most = max((len(used) for *_, used in found), default=0)
    best = sorted((f for f in found if len(f[2]) == most), key=itemgetter(0))
    return [
        (view_from_homography(homography, lens), [sightings[k] for k in used])
        for _, homography, used in best[: _STARTS if most == FEWEST_MARKERS else 1]
    ]


def _homographies(
    sightings: Sequence[Sighting], markers: Mapping[int, Marker], lens: Lens
) -> Iterator[Array]:
    """Maps from plane mm to pixels that some of the sightings propose, the likeliest first."""
    places = np.array([markers[sighting.id].centre for sighting in sightings]).reshape(-1, 2)
    seen = np.array([sighting.centre for sighting in sightings]).reshape(-1, 2)
    everything = tuple(range(len(sightings)))
    larger = [everything] if len(sightings) > 4 else []
    for some in (*larger, *combinations(everything, 4)):
        if len({sightings[i].id for i in some}) == len(some):
            homography, _ = cv2.findHomography(places[list(some)], seen[list(some)])
            if homography is not None:
                yield np.asarray(homography)
    flat = np.column_stack([places, np.zeros(len(places))])
    for three in combinations(everything, 3):
        if len({sightings[i].id for i in three}) == 3:
            chosen = list(three)
            _, rvecs, tvecs = cv2.solveP3P(
                flat[chosen], seen[chosen], lens.matrix, lens.distortion, cv2.SOLVEPNP_P3P
            )
            for rvec, tvec in zip(rvecs, tvecs, strict=True):
                pose = np.asarray(rvec, np.float64).ravel(), np.asarray(tvec, np.float64).ravel()
                yield View(lens, *pose).projection[:, [0, 1, 3]]


def _disagreements(
    homography: Array, quads: Array, seen: Array, markers: Sequence[Marker], longer: int
) -> list[float]:
    """How ill sightings fit a map, in units of what is allowed: place, then size and shape.

    `quads` (n, 4, 2) and their centres `seen` (n, 2) are those of `markers`.
    """
    places = np.array([(*marker.centre, 1.0) for marker in markers]) @ homography.T
    misses = np.linalg.norm(places[:, :2] / places[:, 2:] - seen, axis=1) / (_ROUGH_MISS * longer)
    there = np.linalg.inv(homography).T
    back = quads @ there[:2] + there[2]
    quad = back[..., :2] / back[..., 2:]
    sides = np.roll(quad, -1, axis=1) - quad
    diagonals = quad[:, 2:] - quad[:, :2]
    across, along = diagonals[:, 0], diagonals[:, 1]
    mirrored = across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0] <= 0
    lengths = np.concatenate(
        [np.linalg.norm(sides, axis=2), np.linalg.norm(diagonals, axis=2) / np.sqrt(2.0)], axis=1
    )
    true = np.array([marker.side for marker in markers])
    shapes = np.abs(lengths / true[:, None] - 1.0).max(axis=1) / _SHAPE_SLACK
    ill = np.where(mirrored, np.inf, np.maximum(misses, shapes))
    return [float(one) for one in ill]
