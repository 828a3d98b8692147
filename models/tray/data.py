"""Makes the pictures that the network learns from: rendered trays, and what is seen where."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from vision.pieces.tray_patch import SIDE_PX, TrayPatch
from vision.plane import Lens, Plane
from vision.scene.cubes import trace
from vision.scene.cubes_trays import TrayPicture, draw_tray
from vision.scene.projection import View

#: Area of a cube's face in a patch, in pixels; the share of it from which a cube is to be found.
FACE_PX = SIDE_PX**2
VISIBLE = 0.15
NOTHING = 255


@dataclass(frozen=True, eq=False)
class Sample:
    """A patch with its truth."""

    patch: NDArray[np.uint8]
    """(h, w, 3) BGR."""
    ids: NDArray[np.uint8]
    """(h, w) index of the cube that each pixel shows, 255 for none."""
    centres: NDArray[np.float32]
    """(n, 2) a pixel well within what is seen of each cube."""
    visible: NDArray[np.float32]
    """(n,) what is seen of each cube, in areas of a face."""
    places: NDArray[np.float32]
    """(n, 2) where each cube's middle would be seen, if nothing hid it."""


def plane_of(picture: TrayPicture, size: tuple[float, float]) -> Plane:
    """The plane as a perfect calibration finds it."""
    camera = picture.camera
    turn = cv2.Rodrigues(camera.rvec)[0]
    pose = np.column_stack([turn, np.asarray(camera.tvec).reshape(3)])
    lens = Lens(camera.matrix, camera.distortion)
    return Plane(size, (), camera.size, camera.matrix @ pose, lens, 0.0)


def floor_of(picture: TrayPicture) -> NDArray[np.float64]:
    """The corners (4, 2) of the tray's floor in mm."""
    (x, y), (w, h) = picture.corner, picture.size
    return np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])


def sample_of(picture: TrayPicture, view: TrayPatch) -> Sample:
    """The patch `view` of a picture, and its truth."""
    plane = plane_of(picture, picture.size)
    patch = view.cut(picture.image, plane)
    rows, columns = view.shape
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=2)
    *eye, high = View(picture.camera).eye
    at = view.to_plane(grid).astype(np.float64)
    low = eye + (at - eye) * high / (high - view.height)
    rise = (np.array(eye) - low) / high
    seen = trace(low.astype(np.float32), rise.astype(np.float32), picture.boxes)
    n = len(picture.colours)
    ids = np.where((seen.ids >= 0) & (seen.ids < n), seen.ids, NOTHING).astype(np.uint8)
    counts = np.bincount(ids.ravel(), minlength=256)[:n]
    centres = np.array([_inner(ids == k) for k in range(n)], np.float32)
    middles = picture.boxes.centres[:n]
    slope = (np.array(eye) - middles[:, :2]) / (high - middles[:, 2:])
    flat = middles[:, :2] + slope * (view.height - middles[:, 2:])
    places = (flat - view.corner) * view.px_per_mm - 0.5
    return Sample(
        patch, ids, centres, (counts / FACE_PX).astype(np.float32), places.astype(np.float32)
    )


def _inner(mask: NDArray[np.bool_]) -> tuple[float, float]:
    """The pixel (x, y) of a mask that is deepest inside; of those alike, nearest to its middle."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return (-100.0, -100.0)
    top, left = rows.min(), columns.min()
    part = mask[top : rows.max() + 1, left : columns.max() + 1].astype(np.uint8)
    depth = cv2.distanceTransform(np.pad(part, 1), cv2.DIST_L2, 3)[1:-1, 1:-1]
    y, x = np.indices(part.shape)
    off = np.hypot(x - columns.mean() + left, y - rows.mean() + top)
    best = np.unravel_index(np.argmax(depth - 0.25 * off - 99.0 * (part == 0)), part.shape)
    return (float(best[1] + left), float(best[0] + top))


def samples(first: int, count: int, *, held_back: bool = False) -> Iterator[Sample]:
    """Samples of consecutive seeds; tray and cubes are not known to a hair."""
    for seed in range(first, first + count):
        rng = np.random.default_rng((seed, 7))
        picture = draw_tray(seed, held_back=held_back)
        side = picture.side * float(rng.normal(1.0, 0.03))
        view = TrayPatch.around(floor_of(picture) + rng.normal(0, 1.0, 2), side)
        yield sample_of(picture, replace(view, height=picture.side / 2))


def main() -> None:
    """Makes a file of samples."""
    parser = argparse.ArgumentParser(prog="python -m models.tray.data", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=2000, help="so many trays")
    parser.add_argument("--out", type=Path, required=True, help="a folder for .npz files")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    seeds = range(args.first, args.first + args.count)
    for seed in tqdm(seeds, unit="tray"):
        path = args.out / f"{seed:06}.npz"
        if not path.exists():
            one = next(samples(seed, 1))
            part = path.with_suffix(".part.npz")
            np.savez(part, **vars(one))
            part.rename(path)


if __name__ == "__main__":
    main()
