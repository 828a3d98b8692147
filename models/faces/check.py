"""Measures the matcher on generated frames that were not trained on, and how sure it may be.

`python -m models.faces.check --seed 80000 --frames 200` prints, for thresholds of log odds and
lead, the share that would be certain and how much of it would be wrong: by the networks alone,
where the templates rank the same face first, and where they are certain of it; and, by how much
the templates find them alike, of faces that the networks are sure of but for a faint print. With
`--glare 0.7` some crops have a veil of light over them, up to that share of white.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tqdm import tqdm

from models.faces.camera import Camera
from models.faces.things import square, thing
from models.prints import Prints
from models.prints.icons import Icons
from vision.faces import FaceBook, LearnedMatcher, TemplateMatcher, TwoWitnesses
from vision.observation import NONE
from vision.scene.colour import to_levels, to_linear

#: Crops of faces, and of things that are none, in a frame; at most so many faces are taught.
SEEN, STRANGE, TAUGHT = 20, 8, 10
#: Thresholds that are tried: log odds of the best face, and its lead over the next.
ODDS, LEADS = (0.0, 1.0, 2.0), (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
#: Likenesses that are tried for faint prints.
ALIKE = (0.4, 0.5, 0.6, 0.7)
#: Share of the crops that have a veil, under glare.
VEILED = 0.7


@dataclass(frozen=True)
class Checked:
    """What was said of n crops; a crop that shows no taught face has the label NONE."""

    label: NDArray[np.int16]
    named: NDArray[np.int16]
    """The likeliest face, by the networks."""
    odds: NDArray[np.float32]
    lead: NDArray[np.float32]
    agreed: NDArray[np.bool_]
    """Whether the templates rank the same face first."""
    affirmed: NDArray[np.bool_]
    """Whether they are certain of it."""
    faint: NDArray[np.bool_]
    """Whether only its faint print keeps the networks from being certain."""
    alike: NDArray[np.float32]
    """How like their first face the templates find it, 0 to 1."""
    certain: NDArray[np.bool_]
    """Whether both together are certain."""


def frame(
    seed: int, icons: Icons, glare: float = 0.0
) -> tuple[FaceBook, NDArray[np.uint8], NDArray[np.int16]]:
    """A book, and the crops of a frame in one light with their labels; veiled by up to `glare`."""
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
    crops = veiled(crops, glare * rng.random(len(crops)) * (rng.random(len(crops)) < VEILED))
    # Every fourth face is not taught: what differs only a little from a taught one is hardest.
    known = [k for k in range(len(faces)) if k % 4 or len(faces) < 4]
    book = FaceBook.teach({str(k): [taught[k]] for k in known})
    label = [known.index(k) if k in known else NONE for k in shown.tolist()]
    return book, crops, np.array([*label, *[NONE] * STRANGE], np.int16)


def veiled(crops: NDArray[np.uint8], shares: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """BGR crops (n, h, w, 3) of which a share (n,) of the light is what the surface mirrors."""
    light = to_linear(crops)
    white = np.quantile(light, 0.95, axis=(1, 2)).max(axis=1).clip(0.3)
    share = shares[:, None, None, None]
    return to_levels(light * (1 - share) + white[:, None, None, None] * share)


def checked(book: FaceBook, crops: NDArray[np.uint8], label: NDArray[np.int16]) -> Checked:
    """What is said of the crops with these labels."""
    judged = LearnedMatcher(book).judge(crops)
    templates = TemplateMatcher(book).match(crops)
    named = judged.matches.candidate_ids[:, 0]
    agreed = named == templates.candidate_ids[:, 0]
    certain = TwoWitnesses(book).match(crops).certain
    affirmed = agreed & templates.certain
    alike = templates.candidate_scores[:, 0]
    faint = judged.faint & agreed
    return Checked(label, named, judged.odds, judged.lead, agreed, affirmed, faint, alike, certain)


def run(frames: range, glare: float) -> Checked:
    """Reads the frames of these seeds."""
    icons = Icons()
    parts = [checked(*frame(seed, icons, glare)) for seed in tqdm(frames, "checking")]
    names = Checked.__dataclass_fields__
    return Checked(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def main() -> None:
    """Parses the command line and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=70_000)
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--glare", type=float, default=0.0)
    given = parser.parse_args()
    torch.set_num_threads(1)
    seen = run(range(given.seed, given.seed + given.frames), given.glare)
    face, right = seen.label != NONE, seen.named == seen.label
    every = np.ones_like(seen.agreed)
    for who, which in (("networks", every), ("agreed", seen.agreed), ("affirmed", seen.affirmed)):
        for odds, lead in product(ODDS, LEADS):
            _print(f"{who}, odds {odds:g}, lead {lead:g}", seen, which & _above(seen, odds, lead))
    for alike in ALIKE:
        _print(f"faint, alike {alike:g}", seen, seen.faint & (seen.alike > alike))
    _print("together", seen, seen.certain)
    figures = {
        "faces": int(face.sum()),
        "right": float(right[face].mean()),
        "certain": float(seen.certain[face].mean()),
        "wrong and certain": int((seen.certain & face & ~right).sum()),
        "not taught": int((~face).sum()),
        "not taught and certain": int((seen.certain & ~face).sum()),
    }
    print(json.dumps(figures))


def _above(seen: Checked, odds: float, lead: float) -> NDArray[np.bool_]:
    return (seen.odds > odds) & (seen.lead > lead)


def _print(who: str, seen: Checked, sure: NDArray[np.bool_]) -> None:
    face, right = seen.label != NONE, seen.named == seen.label
    wrong, strange = int((sure & face & ~right).sum()), int((sure & ~face).sum())
    share, total = sure[face].mean(), int((sure & face).sum())
    print(f"{who}: {share:.1%} of faces certain, wrong {wrong} of {total}; not taught {strange}")


def _shown(rng: np.random.Generator, looks: tuple[NDArray[np.uint8], ...]) -> NDArray[np.uint8]:
    return square(looks[int(rng.integers(len(looks)))])


if __name__ == "__main__":
    main()
