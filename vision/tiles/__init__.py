"""Where tiles lie: detectors find flat pieces of a known size on a known plane."""

from vision.tiles.classic import ClassicDetector
from vision.tiles.detections import Detections, Detector
from vision.tiles.packing import Rivals, overlaps, pack

__all__ = ["ClassicDetector", "Detections", "Detector", "Rivals", "overlaps", "pack"]
