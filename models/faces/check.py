"""Measures the matcher on generated frames that were not trained on, and how sure it may be.

`python -m models.faces.check --seed 77 --frames 200` prints, for thresholds of log odds and lead,
the share that is certain and the share of those that is wrong.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from itertools import product

import numpy as np
import torch
from numpy.typing import NDArray
from tqdm import tqdm

from models.faces.camera import Camera
from models.faces.things import square, thing
from models.prints import Prints
from models.prints.icons import Icons
from vision.faces import FaceBook, FaceMatcher, Matches, default_matcher
from vision.observation import NONE

#: Crops of faces, and of things that are none, in a frame; at most so many faces are taught.
SEEN, STRANGE, TAUGHT = 16, 4, 24
#: Thresholds that are tried: log odds of the best face, and its lead over the next.
ODDS, LEADS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), (0.0, 1.0, 2.0, 3.0, 4.0)


@dataclass(frozen=True)
class Checked:
    """What the matcher said of n crops; a crop that shows no taught face has the label NONE."""

    label: NDArray[np.int16]
    named: NDArray[np.int16]
    certain: NDArray[np.bool_]
    odds: NDArray[np.float32]
    lead: NDArray[np.float32]


def frame(seed: int, icons: Icons) -> tuple[FaceBook, NDArray[np.uint8], NDArray[np.int16]]:
    """A book, and the crops of a frame in one light with their labels."""
    rng = np.random.default_rng((seed, 1))
    camera, prints = Camera(seed), Prints(rng, icons)
    faces = prints.set(int(rng.integers(4, TAUGHT + 1)), 72)
    pictures = torch.from_numpy(np.stack([square(face.print) for face in faces]))
    order = torch.from_numpy(rng.permutation(len(faces)))
    careful = torch.full((len(faces),), float(rng.uniform(0, 0.25)))
    light = torch.from_numpy(rng.normal(0, 0.08, (len(faces), 2)).astype(np.float32))
    taught = camera.see(pictures, pictures[order], careful, light).crops.numpy()
    shown = rng.integers(len(faces), size=SEEN)
    looks = [_shown(rng, (faces[k].print, *faces[k].others)) for k in shown]
    looks += [thing(rng, prints, faces) for _ in range(STRANGE)]
    stack = torch.from_numpy(np.stack(looks))
    lamp = torch.from_numpy(np.tile(rng.normal(0, 0.3, 2).astype(np.float32), (len(stack), 1)))
    trouble = torch.full((len(stack),), float(rng.uniform(0.1, 0.9)))
    crops = camera.see(stack, stack.roll(3, 0), trouble, lamp).crops.numpy()
    crops = np.stack([np.rot90(crop, -int(rng.integers(4))) for crop in crops])
    book = FaceBook.teach({str(k): [picture] for k, picture in enumerate(taught)})
    return book, crops, np.array([*shown, *[NONE] * STRANGE], np.int16)


def checked(match: Matches, label: NDArray[np.int16]) -> Checked:
    """What the matcher said of the crops with these labels."""
    scores = np.clip(match.candidate_scores[:, :2], 1e-7, 1 - 1e-7).astype(np.float64)
    odds = np.log(scores / (1 - scores)).astype(np.float32)
    named = match.candidate_ids[:, 0]
    return Checked(label, named, match.certain, odds[:, 0], odds[:, 0] - odds[:, 1])


def run(frames: range) -> Checked:
    """Reads the frames of these seeds."""
    icons = Icons()
    parts: list[Checked] = []
    for seed in tqdm(frames, "checking"):
        book, crops, label = frame(seed, icons)
        matcher: FaceMatcher = default_matcher(book)
        parts.append(checked(matcher.match(crops), label))
    names = Checked.__dataclass_fields__
    return Checked(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def main() -> None:
    """Parses the command line and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=70_000)
    parser.add_argument("--frames", type=int, default=200)
    given = parser.parse_args()
    torch.set_num_threads(1)
    seen = run(range(given.seed, given.seed + given.frames))
    face, right = seen.label != NONE, seen.named == seen.label
    for odds, lead in product(ODDS, LEADS):
        sure = (seen.odds > odds) & (seen.lead > lead)
        print(
            f"odds {odds:g} lead {lead:g}: certain {sure[face].mean():.2%}, "
            f"wrong {int((sure & ~right).sum())} of {int(sure.sum())}"
        )
    figures = {
        "faces": int(face.sum()),
        "right": float(right[face].mean()),
        "certain": float(seen.certain[face].mean()),
        "wrong and certain": int((seen.certain & ~right).sum()),
    }
    print(json.dumps(figures))


def _shown(rng: np.random.Generator, looks: tuple[NDArray[np.uint8], ...]) -> NDArray[np.uint8]:
    return square(looks[int(rng.integers(len(looks)))])


if __name__ == "__main__":
    main()
