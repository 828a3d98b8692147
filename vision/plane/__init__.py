"""The table plane in millimetres, and the boards that lie on it.

The plane is found by its markers, or given by its four corners; `PlaneTracker` follows it through
the frames of a session, so that a bumped camera is noticed and put right. `Plane` maps between
pixels and plane millimetres, at the table top and at any height above it.
"""

from vision.plane.board_tracking import TrackedBoards
from vision.plane.boards import PlacedBoard, find_boards
from vision.plane.by_hand import plane_from_corners
from vision.plane.finding import find_plane
from vision.plane.geometry import Plane
from vision.plane.pinhole import Lens
from vision.plane.tracking import Hold, PlaneTracker, Tracked

__all__ = [
    "Hold",
    "Lens",
    "PlacedBoard",
    "Plane",
    "PlaneTracker",
    "Tracked",
    "TrackedBoards",
    "find_boards",
    "find_plane",
    "plane_from_corners",
]
