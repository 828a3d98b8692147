"""Trains both networks from nothing: `python -m models.faces.train --seed 0 --out build/faces`."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as nnf
from numpy.typing import NDArray
from torch import Tensor
from tqdm import tqdm

from models.faces.export import export
from models.faces.net import Encoder, Verifier
from models.faces.pool import FACES, PART, VIEWS, Part, Pool

#: Sets to a step, and steps.
BATCH, STEPS = 6, 16000
#: Parts of the pool, with how many the training begins, and after how many steps one is added.
PARTS, BEGIN, ADDED = 160, 20, 40
#: Sharpness of the embedding's comparison, the highest learning rate, and steps to reach it.
SHARP, RATE, WARM = 12.0, 2e-3, 60
#: How far the change of light that a matcher estimates may be off, at most, as a deviation.
ASTRAY = 0.12
#: Spread of the gains by which each crop is relit at each use, and a picture's gamma.
RELIT, GAMMA = 0.08, 2.2
#: Steps between two savings.
SAVED = 100
#: Threads of the training itself: more would wait for each other on busy cores.
THREADS = 1


@dataclass
class Batch:
    """The crops of a step: b x FACES taught, two seen of each, and things; BGR uint8."""

    taught: Tensor
    seen: Tensor
    things: Tensor
    light: Tensor
    """(b x FACES x 2, 2) change of light from taught to seen."""


def main() -> None:
    """Parses the command line, trains, exports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("build/faces"))
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--resume", action="store_true", help="go on where it was interrupted")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    given = parser.parse_args()
    figures = train(given.out, given.seed, given.steps, given.resume)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    print(json.dumps(figures))


def train(out: Path, seed: int, steps: int, resume: bool) -> dict[str, float]:
    """Trains and exports to `out`; returns the figures of the last steps."""
    began = time.monotonic()
    torch.set_num_threads(THREADS)
    pool = Pool(out, seed, PARTS)
    torch.manual_seed(seed)
    encoder, verifier = Encoder(), Verifier()
    encoder.to(memory_format=torch.channels_last)
    verifier.to(memory_format=torch.channels_last)
    weights = [*encoder.parameters(), *verifier.parameters()]
    optimiser = torch.optim.AdamW(weights, RATE, weight_decay=1e-3)
    saved, first = out / "last.pt", 0
    if resume and saved.is_file():
        state = torch.load(saved)
        encoder.load_state_dict(state["encoder"])
        verifier.load_state_dict(state["verifier"])
        optimiser.load_state_dict(state["optimiser"])
        first = state["step"]
    running: dict[str, float] = {}
    bar = tqdm(range(first, steps), "training", steps, initial=first)
    for step in bar:
        share = (step + 1) / steps
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / WARM) * (0.5 + 0.5 * math.cos(math.pi * share))
        parts = pool.first(BEGIN + step // ADDED)
        batch = drawn(parts, np.random.default_rng((seed, step)))
        loss, figures = judged(encoder, verifier, batch, step)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 2.0)
        optimiser.step()
        for name, value in figures.items():
            running[name] = 0.98 * running.get(name, value) + 0.02 * value
        if step % 20 == 0:
            bar.set_postfix({name: f"{value:.3f}" for name, value in running.items()})
        if (step + 1) % SAVED == 0 or step + 1 == steps:
            state = {
                "encoder": encoder.state_dict(),
                "verifier": verifier.state_dict(),
                "optimiser": optimiser.state_dict(),
                "step": step + 1,
            }
            torch.save(state, saved)
    pool.close()
    export(encoder, verifier, out)
    return {**running, "minutes": (time.monotonic() - began) / 60}


def drawn(parts: Sequence[Part], rng: np.random.Generator) -> Batch:
    """A random batch, turned in quarters at random, oblong faces by halves, in changed light."""
    sets = rng.choice(len(parts) * PART, BATCH, replace=False)
    taught, seen, things, light = [], [], [], []
    for one in sets:
        part, k = parts[one // PART], one % PART
        turns = (0, 2) if part.oblong[k] else (0, 1, 2, 3)
        alike = rng.uniform() < 0.7
        turn = int(rng.choice(turns))
        for face in range(FACES):
            views = rng.choice(np.arange(1, VIEWS), 2, replace=False)
            turn = turn if alike else int(rng.choice(turns))
            taught.append(_turned(part.crops[k, face, 0], turn))
            seen += [_turned(part.crops[k, face, view], turn) for view in views]
            light.append(part.light[k, face, views] - part.light[k, face, 0])
        things += [_turned(crop, int(rng.choice(turns))) for crop in part.things[k]]
    relit, change = _relit(np.stack(seen), rng)
    return Batch(
        torch.from_numpy(np.stack(taught)),
        torch.from_numpy(relit),
        torch.from_numpy(np.stack(things)),
        torch.from_numpy(np.stack(light).reshape(-1, 2) + change),
    )


def _relit(
    crops: NDArray[np.uint8], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Crops (n, h, w, 3) shifted by up to a pixel in other light, and its change (n, 2)."""
    gains = rng.normal(0, RELIT, (len(crops), 3)).astype(np.float32)
    crops = np.roll(crops, tuple(rng.integers(-1, 2, 2)), (1, 2))
    lit = np.clip(crops * np.exp(gains / GAMMA)[:, None, None], 0, 255).astype(np.uint8)
    return lit, np.stack([gains[:, 2] - gains[:, 1], gains[:, 0] - gains[:, 1]], axis=1)


def judged(
    encoder: Encoder, verifier: Verifier, batch: Batch, step: int
) -> tuple[Tensor, dict[str, float]]:
    """The loss of a batch, and figures to show."""
    random = torch.Generator().manual_seed(step)
    faces = len(batch.taught)
    together = torch.cat([batch.taught, batch.seen, batch.things])
    with torch.autocast("cpu", torch.bfloat16):
        maps, embedding, chroma, weight = encoder(together)
    embedding = embedding.float()
    t = slice(0, faces)
    likeness = embedding[faces:] @ embedding[t].T
    own = torch.arange(faces).repeat_interleave(2)
    known = likeness[: 2 * faces]
    contrast = nnf.cross_entropy(SHARP * known, own)
    # Of each seen crop: its own face, the most alike other of its set, and any.
    group = torch.arange(faces) // FACES
    thing_group = torch.arange(len(batch.things)) // (len(batch.things) // (faces // FACES))
    rivals = likeness.detach().clone()
    rivals[torch.cat([group[own], thing_group])[:, None] != group[None]] -= 4
    rivals[: 2 * faces].scatter_(1, own[:, None], -9)
    hardest = rivals.argmax(1)
    anyone = torch.randint(FACES, (len(rivals),), generator=random)
    anyone = torch.cat([group[own], thing_group]) * FACES + anyone
    crop = torch.arange(len(rivals))
    pairs = [(crop[: 2 * faces], own), (crop, hardest), (crop, anyone)]
    seen = torch.cat([one for one, _ in pairs])
    face = torch.cat([other for _, other in pairs])
    same = torch.zeros(len(seen))
    is_own = seen < 2 * faces
    same[is_own] = (own[seen[is_own]] == face[is_own]).float()
    # What a matcher knows of the light is the frame's, and not exact.
    astray = torch.rand(len(rivals), 1, generator=random) * ASTRAY
    error = astray * torch.randn(len(rivals), 2, generator=random)
    change = torch.cat([batch.light, torch.zeros(len(batch.things), 2)]) + error
    unlit = 0.3 * torch.randn(len(batch.things), 2, generator=random)
    change[2 * faces :] += unlit
    with torch.autocast("cpu", torch.bfloat16):
        odds = verifier(
            maps[faces:][seen], chroma[faces:][seen], weight[faces:][seen],
            maps[t][face], chroma[t][face], weight[t][face], change[seen],
        ).float()  # fmt: skip
    verdict = nnf.binary_cross_entropy_with_logits(odds, same)
    figures = {
        "loss": float(contrast.detach() + verdict.detach()),
        "named": float((known.argmax(1) == own).float().mean()),
        "verified": float(((odds > 0) == (same > 0)).float().mean()),
    }
    return contrast + 2 * verdict, figures


def _turned(crop: NDArray[np.uint8], turn: int) -> NDArray[np.uint8]:
    return np.ascontiguousarray(np.rot90(crop, turn))


if __name__ == "__main__":
    main()
