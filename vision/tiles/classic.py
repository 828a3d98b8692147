"""A detector without learning: votes of edges, then a fit of each guess."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Plane
from vision.tiles.detections import Detections, MayBear, anywhere
from vision.tiles.fitting import Poses, Search, alignment, border, fit
from vision.tiles.voting import Votes, vote

#: Shorter side of a tile, in pixels of the top view in which edges vote.
COARSE = 20.0
#: The same in the view in which poses are fitted, unless the picture has less.
FINE = 40.0
#: How far inside a tile's edge, in pixels of the fine view, a printed frame is accepted for it.
FRAME = 3
#: Least mean alignment of four sides that makes a guess; a tile with two sides unseen has 0.4.
LEAST_VOTE = 0.36
#: The same for a pose that is fitted once.
LEAST_ALIGNED = 0.3
#: The same for a pose beside another: in the midst of a block hardly a seam may be seen.
LEAST_BESIDE = 0.2
#: Alignment from which on a pose is trusted so far that others are looked for at its sides.
ANCHOR = 0.38
#: How many tiles beyond an anchor a row is followed.
HOPS = 2
#: Poses nearer than this share of a tile's side are one.
SAME_PLACE = 0.08
#: Most guesses that are fitted.
MOST_GUESSES = 600
#: How far a tile may lie from the peak of its votes, from a first fit, and from its neighbour.
ROUGH = Search(step=1.0, shift=3, turn=2, grow=1, shrink=FRAME)
EXACT = Search(step=0.5, shift=2, turn=2, grow=1, shrink=1)
BESIDE = Search(step=0.5, shift=3, turn=1, grow=0, shrink=0)


class ClassicDetector:
    """Finds tiles of a known size by the straight edges around them; see `Detector`."""

    def detect(
        self,
        image: NDArray[np.uint8],
        plane: Plane,
        tile_mm: tuple[float, float],
        thickness_mm: float,
        may_bear: MayBear = anywhere,
    ) -> Detections:
        """See `Detector.detect`."""
        margin = min(tile_mm)
        scale = min(plane.px_per_mm, FINE / margin)

        def borne(poses: Poses) -> Poses:
            """Those of the poses that lie where tiles may."""
            return poses.select(may_bear((poses.centres + 0.5) / scale - margin))

        tile = (tile_mm[0] * scale, tile_mm[1] * scale)
        size = (plane.size[0] + 2 * margin, plane.size[1] + 2 * margin)
        view = plane.patch(image, (-margin, -margin), size, scale, thickness_mm)
        shrink = COARSE / min(tile)
        coarse = cv2.resize(view, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        votes = vote(np.asarray(coarse, np.uint8), (tile[0] * shrink, tile[1] * shrink))
        # Four channels are aligned in memory: they are sampled twice as fast as three.
        fine = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2BGRA), np.uint8)
        poses = fit(fine, tile, borne(_guesses(votes, shrink)), ROUGH)
        aligned = alignment(votes.edges, tile, poses, shrink)
        poses = fit(fine, tile, poses.select(aligned > LEAST_ALIGNED), EXACT)
        aligned = alignment(votes.edges, tile, poses, shrink)
        anchors = poses.select(aligned > ANCHOR)
        for _ in range(HOPS):
            beside = borne(_beside(anchors, poses, tile))
            seen = alignment(votes.edges, tile, beside, shrink)
            beside = fit(fine, tile, beside.select(seen > LEAST_BESIDE), BESIDE)
            seen = alignment(votes.edges, tile, beside, shrink)
            anchors = beside.select(seen > ANCHOR)
            poses, aligned = poses.merged(beside), np.concatenate([aligned, seen])
        unity, distinctness = border(fine, tile, poses)
        closed = poses.sides.mean(axis=1) * unity
        scores = aligned.clip(0, 1) * np.sqrt(closed) * (0.5 + 0.5 * distinctness)
        order = np.argsort(-scores, kind="stable")
        poses = poses.select(order).outlines()
        quads_mm = (poses.quads(tile) + 0.5) / scale - margin
        return Detections.of(
            np.asarray(quads_mm, np.float32),
            plane.lift(quads_mm, thickness_mm),
            np.asarray(scores[order], np.float32),
        )


def _guesses(votes: Votes, shrink: float) -> Poses:
    """The peaks of the votes as poses in a view that is 1 / `shrink` times as large."""
    points, angles = votes.peaks(LEAST_VOTE, apart=3, most=MOST_GUESSES)
    n = len(points)
    centres = np.asarray((points + 0.5) / shrink - 0.5, np.float32)
    return Poses(centres, angles, np.ones(n, np.float32), np.zeros((n, 4), np.float32))


def _beside(anchors: Poses, known: Poses, tile: tuple[float, float]) -> Poses:
    """Poses that touch a side of an anchor, parallel to it, where none of `known` lies.

    In a row whose tiles show hardly a seam the ends are found, and the others from them.
    """
    corners = anchors.quads(tile)
    across, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    centres = np.concatenate([anchors.centres + shift for shift in (across, -across, down, -down)])
    dx, dy = (centres[:, None, part] - known.centres[:, part] for part in (0, 1))
    away = np.sqrt((dx * dx + dy * dy).min(axis=1, initial=np.inf))
    repeated = [
        np.concatenate([part] * 4) for part in (anchors.angles, anchors.scales, anchors.sides)
    ]
    return Poses(centres, *repeated).select(away > SAME_PLACE * min(tile))
