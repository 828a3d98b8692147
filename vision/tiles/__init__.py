"""Where tiles lie: detectors find flat pieces of a known size on a known plane."""

from vision.tiles.classic import ClassicDetector
from vision.tiles.detections import Detections, Detector
from vision.tiles.glimpse import Glimpse, shifted
from vision.tiles.packing import Rivals, overlaps, pack
from vision.tiles.stock import in_other_light, rim_colours

__all__ = [
    "ClassicDetector",
    "Detections",
    "Detector",
    "Glimpse",
    "Rivals",
    "in_other_light",
    "overlaps",
    "pack",
    "rim_colours",
    "shifted",
]
