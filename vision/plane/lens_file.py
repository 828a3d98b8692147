"""A lens in a file, with the camera and resolution that it belongs to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from vision.errors import UnreadableError
from vision.plane.charuco import Calibration
from vision.plane.pinhole import Lens

_FORMAT = "table-referee lens 1"


@dataclass(frozen=True, eq=False)
class CameraLens:
    """A lens, and for which camera and picture size it holds.

    `camera` is the key of a camera (see `vision.camera.found_cameras`), or None for pictures from
    files, of which nobody knows the camera.
    """

    lens: Lens
    size: tuple[int, int]
    camera: str | None
    error_px: float
    views: int

    @classmethod
    def of(cls, calibration: Calibration, camera: str | None) -> Self:
        """The lens of a calibration."""
        return cls(
            calibration.lens,
            calibration.size,
            camera,
            calibration.error_px,
            calibration.views,
        )

    def fitting(self, camera: str | None, size: tuple[int, int]) -> Lens:
        """The lens for a camera and its picture size (width, height).

        Raises UnreadableError if it is another camera's, or was taken at another resolution:
        cameras crop differently at each, so that nothing can be scaled.
        """
        if camera != self.camera:
            raise UnreadableError(
                "This lens belongs to {own}, not to {camera}.",
                "Calibrate this camera's own lens with `referee lens`, or go on without one.",
                own=self.camera or "pictures in files",
                camera=camera or "pictures in files",
            )
        if size != self.size:
            raise UnreadableError(
                "This lens holds for {width} x {height} pixels, but the pictures have {size}.",
                "Set the camera to that resolution, or calibrate the lens again with "
                "`referee lens`.",
                width=self.size[0],
                height=self.size[1],
                size=f"{size[0]} x {size[1]}",
            )
        return self.lens

    def save(self, path: Path) -> None:
        """Writes the file; raises UnreadableError if it can't be written."""
        told = {
            "format": _FORMAT,
            "camera": self.camera,
            "size": self.size,
            "matrix": self.lens.matrix.tolist(),
            "distortion": self.lens.distortion.tolist(),
            "error_px": round(self.error_px, 4),
            "views": self.views,
        }
        try:
            path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise UnreadableError(
                "{path} can't be written ({strerror}).",
                "Check that its folder exists.",
                path=path,
                strerror=error.strerror,
            ) from None

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads a file that `save` wrote; raises UnreadableError if it is none."""
        again = "Write it again with `referee lens`."
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            if told["format"] != _FORMAT:
                raise UnreadableError(
                    "{path} has the format {format}.", again, path=path, format=repr(told["format"])
                )
            width, height = (int(side) for side in told["size"])
            matrix = np.array(told["matrix"], np.float64).reshape(3, 3)
            distortion = np.array(told["distortion"], np.float64).reshape(5)
            lens = cls(
                Lens(matrix, distortion),
                (width, height),
                None if told["camera"] is None else str(told["camera"]),
                float(told["error_px"]),
                int(told["views"]),
            )
        except UnreadableError:
            raise
        except OSError as error:
            raise UnreadableError(
                "{path} can't be read ({strerror}).", again, path=path, strerror=error.strerror
            ) from None
        except (ValueError, KeyError, TypeError) as error:
            raise UnreadableError(
                "{path} is no lens: {error}.", again, path=path, error=repr(error)
            ) from None
        if not (np.isfinite(matrix).all() and np.isfinite(distortion).all() and matrix[0, 0] > 0):
            raise UnreadableError("{path} is no lens: its numbers can't be.", again, path=path)
        return lens
