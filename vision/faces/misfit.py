"""How badly a face explains a crop, and when it explains it so much better than any other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces.features import Array
from vision.faces.light import LOCAL_LIGHT, common_light
from vision.faces.likeness import Likeness

#: How much wrong hue, and light that no other tile has, count beside a wrong shape.
HUE, LIGHT = 0.5, 0.5
#: Faces that fit so much worse than the best one are no explanation of a tile.
PLAUSIBLE = 0.15
#: By how much the misfit of a rival must be greater: a share of the misfit, and of a floor, since
#: no comparison is exact.
MARGIN, MARGIN_FLOOR = 0.5, 0.06


def misfits(
    likeness: Likeness, light: Array, tolerance: float = 0.0, *, veiled: bool = False
) -> Array:
    """How badly faces explain crops (n, k) in a frame of this light (2,): 0 is perfect.

    Light that differs by no more than `tolerance`, in log chroma, counts nothing; neither does
    what a veil over the face explains, if it may be `veiled`.
    """
    strayed = likeness.light - light
    if veiled:
        power = (likeness.veil**2).sum(axis=-1, keepdims=True)
        amount = (strayed * likeness.veil).sum(axis=-1, keepdims=True) / np.maximum(power, 1e-6)
        strayed = strayed - amount.clip(0, 1) * likeness.veil
    apart = np.linalg.norm(strayed, axis=-1)
    apart = np.maximum(apart - tolerance, 0) / LOCAL_LIGHT
    strange = 1 - np.exp(-(apart**2) / 2)
    misfit = (1 - likeness.shape) + HUE * (1 - likeness.hue) + LIGHT * strange
    return np.asarray(misfit, np.float32)


def clearly_apart(best: Array, rival: Array) -> NDArray[np.bool_]:
    """Whether the best misfit leaves no doubt about the rival's."""
    return np.asarray(rival - best > MARGIN * (best + MARGIN_FLOOR), np.bool_)


def frame_light(likeness: Likeness) -> Array:
    """The change of light (2,) in which most crops look like a taught face of their shape."""
    fit = likeness.shape - HUE * (1 - likeness.hue)
    vote = np.where(fit > fit.max(axis=1, keepdims=True) - PLAUSIBLE, np.clip(fit, 0, 1), 0)
    return common_light(np.asarray(vote, np.float32), likeness.light)
