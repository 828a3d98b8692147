"""The table plane in millimetres, and the boards that lie on it.

The plane is found by its markers, or given by its four corners. `Plane` maps between pixels and
plane millimetres, at the table top and at any height above it.
"""

from vision.plane.boards import PlacedBoard, find_boards
from vision.plane.by_hand import plane_from_corners
from vision.plane.finding import find_plane
from vision.plane.geometry import Plane
from vision.plane.pinhole import Lens

__all__ = ["Lens", "PlacedBoard", "Plane", "find_boards", "find_plane", "plane_from_corners"]
