"""Two detectors that err in different ways: what either of them finds is looked at."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from vision.network import ModelMissingError
from vision.plane import Plane
from vision.tiles.classic import ClassicDetector
from vision.tiles.detections import Detections, Detector, MayBear, anywhere
from vision.tiles.learned import LearnedDetector

_LOG = logging.getLogger(__name__)


class Together:
    """Finds what any of several detectors finds, each in a thread of its own; see `Detector`.

    The finds of each are a tier after those of the one before: where that one's finds show what
    lies there, nobody asks further.
    """

    def __init__(self, *detectors: Detector) -> None:
        self._detectors = detectors
        self._threads = ThreadPoolExecutor(len(detectors), thread_name_prefix="tiles")

    def detect(
        self,
        image: NDArray[np.uint8],
        plane: Plane,
        tile_mm: tuple[float, float],
        thickness_mm: float,
        may_bear: MayBear = anywhere,
    ) -> Detections:
        """See `Detector.detect`."""

        def ask(detector: Detector) -> Detections:
            return detector.detect(image, plane, tile_mm, thickness_mm, may_bear)

        found = list(self._threads.map(ask, self._detectors))
        return Detections(
            np.concatenate([each.quads_mm for each in found]),
            np.concatenate([each.quads_px for each in found]),
            np.concatenate([each.scores for each in found]),
            np.repeat(np.arange(len(found), dtype=np.int8), [len(each) for each in found]),
        )


def default_detector() -> Detector:
    """Edges and the network together, or edges alone, with a warning, if there is no network."""
    try:
        return Together(ClassicDetector(), LearnedDetector())
    except ModelMissingError as missing:
        _LOG.warning("%s Tiles are found by their edges alone.", missing.what)
        return ClassicDetector()
