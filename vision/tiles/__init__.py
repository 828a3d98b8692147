"""Where tiles lie: detectors find flat pieces of a known size on a known plane."""

from vision.tiles.classic import ClassicDetector
from vision.tiles.detections import Detections, Detector
from vision.tiles.glimpse import Glimpse, shifted
from vision.tiles.packing import Rivals, overlaps, pack
from vision.tiles.stock import rims, share_of_stock

__all__ = [
    "ClassicDetector",
    "Detections",
    "Detector",
    "Glimpse",
    "Rivals",
    "overlaps",
    "pack",
    "rims",
    "share_of_stock",
    "shifted",
]
