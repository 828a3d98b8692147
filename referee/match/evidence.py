"""Marks in a picture what a verdict rests on, or what keeps the referee from one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.match.verdict import Outcome, RulingT, Verdict
from vision.draw import annotate
from vision.observation import Observation

Image = NDArray[np.uint8]

#: BGR; the mark is also thicker than any other line, and reaches beyond the tile.
MARK, CASING = (60, 60, 235), (255, 255, 255)
#: How far a mark reaches beyond its tile, as a share of the tile.
REACH = 0.22


def evidence(image: Image, observation: Observation, verdict: Verdict[RulingT]) -> Image:
    """The picture with its readings; the tiles that an inconclusive verdict concerns are marked.

    `image` is BGR of shape (h, w, 3), the picture that was read. Raises ValueError if it is not.
    """
    return marked(annotate(image, observation), observation, verdict)


def marked(drawn: Image, observation: Observation, verdict: Verdict[RulingT]) -> Image:
    """Marks in a picture the tiles that an inconclusive verdict concerns; returns the picture."""
    if verdict.outcome is Outcome.CONFIRMED:
        return drawn
    width = max(2, round(max(drawn.shape[:2]) / 480))
    for quad in observation.tiles.quads_px[list(verdict.tiles)]:
        middle = quad.mean(axis=0)
        frame = np.rint(middle + (1 + REACH) * (quad - middle)).astype(np.int32)
        for ink, thickness in ((CASING, 2 * width + 1), (MARK, width)):
            cv2.polylines(drawn, [frame], True, ink, thickness, cv2.LINE_AA)
    return drawn
