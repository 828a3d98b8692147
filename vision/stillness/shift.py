"""Notices that the whole picture moved: the camera was pushed, not the things on the table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.stillness.pictures import Image, Mask

#: Corners that are followed, at least so many must be, and so great a share of them must agree.
_CORNERS, _FEWEST, _AGREE = 120, 24, 0.6
#: Distance in pixels from the common motion within which a corner agrees with it.
_WITHIN_PX = 0.6
#: The corners that agree must lie in so many of the 16 fields that the picture is cut into.
_SPREAD = 6
#: A common motion of fewer pixels than this is none.
_LEAST_PX = 0.25


def camera_shift(before: Image, now: Image, watched: Mask) -> NDArray[np.float64] | None:
    """The motion (2, 3) that takes `before` to `now`, BGR pictures of one size, or None.

    None if the picture as a whole stands still, or no one motion (shift, turn and scale) explains
    most of it. `watched` (h, w) marks where corners may lie, in another size if need be.
    """
    one, other = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in (before, now))
    mask = cv2.resize(watched, (one.shape[1], one.shape[0]), interpolation=cv2.INTER_NEAREST)
    corners = np.asarray(cv2.goodFeaturesToTrack(one, _CORNERS, 0.02, 6.0, mask=mask))
    if corners.size < 2 * _FEWEST:
        return None
    points = np.ascontiguousarray(corners, np.float32).reshape(-1, 1, 2)
    moved, status, _ = cv2.calcOpticalFlowPyrLK(
        one, other, points, np.empty_like(points), winSize=(15, 15), maxLevel=3
    )
    found = status.reshape(-1) == 1
    start, end = points.reshape(-1, 2)[found], moved.reshape(-1, 2)[found]
    if len(start) < _FEWEST:
        return None
    motion, agreed = cv2.estimateAffinePartial2D(
        start, end, method=cv2.RANSAC, ransacReprojThreshold=_WITHIN_PX
    )
    if motion is None:
        return None
    agrees = agreed.reshape(-1) == 1
    fields = np.floor(start[agrees] / (np.array(one.shape[::-1]) / 4)).astype(int)
    if agrees.sum() < _AGREE * len(points) or len(np.unique(fields, axis=0)) < _SPREAD:
        return None
    shifts = np.linalg.norm(end[agrees] - start[agrees], axis=1)
    return np.asarray(motion, np.float64) if np.median(shifts) > _LEAST_PX else None
