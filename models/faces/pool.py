"""The crops that the networks learn from: sets of faces, taught and seen, and things beside."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from models.faces.camera import Camera
from models.faces.things import square, thing
from models.prints import Prints
from models.prints.icons import Icons

#: Sets in a part; faces of a set, and views of each: the first as taught, the others as seen.
PART, FACES, VIEWS = 25, 6, 4
#: Things that are none of the faces, to each set.
THINGS = 3
#: So many processes draw.
WORKERS = 2


@dataclass(frozen=True)
class Part:
    """Crops by set; uint8 BGR, and the light of each as `Views` has it."""

    crops: NDArray[np.uint8]
    """(PART, FACES, VIEWS, CROP, CROP, 3)"""
    light: NDArray[np.float32]
    """(PART, FACES, VIEWS, 2)"""
    things: NDArray[np.uint8]
    """(PART, THINGS, CROP, CROP, 3)"""
    oblong: NDArray[np.bool_]
    """(PART,) whether quarter turns are out of the question."""


class Pool:
    """Parts that are drawn in the background and kept in a folder, by seed."""

    def __init__(self, folder: Path, seed: int, parts: int) -> None:
        """Begins to draw what the folder does not hold yet."""
        folder.mkdir(parents=True, exist_ok=True)
        self._paths = [folder / f"pool-{seed}-{k:04}.npz" for k in range(parts)]
        self._workers = ProcessPoolExecutor(WORKERS, multiprocessing.get_context("spawn"))
        self._drawn = [
            None if path.is_file() else self._workers.submit(_draw, path, seed, k)
            for k, path in enumerate(self._paths)
        ]
        self._parts: list[Part] = []

    def first(self, parts: int) -> list[Part]:
        """The first `parts`, or all if there are no more; waits until they are drawn."""
        while len(self._parts) < min(parts, len(self._paths)):
            drawn = self._drawn[len(self._parts)]
            if drawn is not None:
                drawn.result()
            file = np.load(self._paths[len(self._parts)])
            self._parts.append(Part(**{field.name: file[field.name] for field in fields(Part)}))
        return self._parts

    def close(self) -> None:
        """Ends the drawing."""
        self._workers.shutdown(cancel_futures=True)


def _draw(path: Path, seed: int, part: int) -> None:
    """Draws PART sets and writes them; the file appears once it is whole."""
    torch.set_num_threads(1)
    rng = np.random.default_rng((seed, part))
    icons = Icons()
    camera = Camera(1000 * seed + part)
    kept: dict[str, list[NDArray[np.generic]]] = {field.name: [] for field in fields(Part)}
    for _ in range(PART):
        for name, value in _set(rng, icons, camera).items():
            kept[name].append(value)
    whole = path.with_suffix(".tmp.npz")
    parts = {name: np.stack(values) for name, values in kept.items()}
    np.savez(whole, allow_pickle=False, **parts)
    whole.rename(path)


def _set(rng: np.random.Generator, icons: Icons, camera: Camera) -> dict[str, NDArray[np.generic]]:
    aspect = float(rng.choice([1.0, 1.0, 1.0, 0.65, 0.71, 1.5]))
    prints = Prints(rng, icons)
    faces = prints.set(FACES, 72, aspect)
    shown, trouble = [], []
    for face in faces:
        frames = (face.print, *face.others)
        shown.append(face.print)
        shown += [frames[int(rng.integers(len(frames)))] for _ in range(VIEWS - 1)]
        trouble += [rng.uniform(0.0, 0.3), *rng.uniform(0.15, 1.0, VIEWS - 1)]
    pictures = [square(picture) for picture in shown]
    pictures += [thing(rng, prints, faces) for _ in range(THINGS)]
    trouble += list(rng.uniform(0.0, 1.0, THINGS))
    order = rng.permutation(len(pictures))
    stack = torch.from_numpy(np.stack(pictures))
    views = camera.see(stack, stack[order], torch.tensor(trouble, dtype=torch.float32))
    crops, light = views.crops.numpy(), views.light.numpy()
    n = FACES * VIEWS
    return {
        "crops": crops[:n].reshape(FACES, VIEWS, *crops.shape[1:]),
        "light": light[:n].reshape(FACES, VIEWS, 2),
        "things": crops[n:],
        "oblong": np.asarray(aspect != 1),
    }
