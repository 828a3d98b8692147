"""Where tiles lie: detectors find flat pieces of a known size on a known plane."""

from vision.tiles.cells import Finds
from vision.tiles.classic import ClassicDetector
from vision.tiles.detections import Detections, Detector
from vision.tiles.glimpse import Glimpse, shifted
from vision.tiles.learned import LearnedDetector
from vision.tiles.loose import find_loose
from vision.tiles.neighbours import lies_below, outlined, sizes
from vision.tiles.packing import Rivals, hidden, overlaps, pack
from vision.tiles.sampling import whole
from vision.tiles.stock import (
    OF_STOCK,
    SHADE,
    common_change,
    rims,
    share_of_stock,
    share_under_glare,
)
from vision.tiles.together import Together, default_detector

__all__ = [
    "OF_STOCK",
    "SHADE",
    "ClassicDetector",
    "Detections",
    "Detector",
    "Finds",
    "Glimpse",
    "LearnedDetector",
    "Rivals",
    "Together",
    "common_change",
    "default_detector",
    "find_loose",
    "hidden",
    "lies_below",
    "outlined",
    "overlaps",
    "pack",
    "rims",
    "share_of_stock",
    "share_under_glare",
    "shifted",
    "sizes",
    "whole",
]
