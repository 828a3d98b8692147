"""Where pictures come from: files, folders, videos, cameras, and pictures drawn by code.

Every source is a `Camera`: `read` gives the next or the newest `Frame`. A live camera is known by
what stays of it, not by its number, and is judged by the age of its newest picture and by whether
it changes, never by whether reading "succeeds": a replugged camera can repeat its last picture
for ever.
"""

from vision.camera.files import IMAGE_SUFFIXES, Film, Pictures, load_image, save_image
from vision.camera.frames import Camera, Drawn, EndOfFramesError, Frame, Image
from vision.camera.identity import Found
from vision.camera.live import Live
from vision.camera.sources import (
    camera_named,
    found_cameras,
    identity_of,
    is_live,
    open_source,
    without_password,
)
from vision.camera.tuning import Held, Settings

__all__ = [
    "IMAGE_SUFFIXES",
    "Camera",
    "Drawn",
    "EndOfFramesError",
    "Film",
    "Found",
    "Frame",
    "Held",
    "Image",
    "Live",
    "Pictures",
    "Settings",
    "camera_named",
    "found_cameras",
    "identity_of",
    "is_live",
    "load_image",
    "open_source",
    "save_image",
    "without_password",
]
