"""Batches for training: examples turned, mirrored, and under other light, with their targets."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.pieces.store import Examples
from models.pieces.tables import SIDE

#: A piece of which less is seen than this is neither asked for nor counted as wrong.
HIDDEN = 0.25
#: The target of a foot is a bell of this sigma, in pixels of half the size.
_BELL = 1.1
#: Around a hidden foot nothing is learned, in pixels of half the size.
_UNASKED = 4.0


@dataclass(frozen=True, eq=False)
class Batch:
    """Inputs and targets; maps of half the size."""

    view: Tensor
    taught: Tensor
    known: Tensor
    """(n, k): which entries of `taught` are paints."""
    bells: Tensor
    asked: Tensor
    """(n, h, w): where feet are learned."""
    shows: Tensor
    spots: Tensor
    """(m, 3): example, row and column of a foot whose colour is learned."""
    colours: Tensor
    """(m): its paint, k for none of them."""


def batch(examples: Examples, chosen: NDArray[np.intp], rng: np.random.Generator | None) -> Batch:
    """The chosen examples; with `rng` varied at random, else as they are."""
    views, bells, asked, shows, spots, colours = [], [], [], [], [], []
    known = examples.taught[chosen][..., 0] >= 0
    half = SIDE // 2
    rows, columns = np.mgrid[:half, :half].astype(np.float32)
    for n, k in enumerate(chosen.tolist()):
        pixels = examples.pixels[k].astype(np.float32) / 255
        lean = cv2.resize(examples.lean[k], (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
        over, feet = examples.shows[k], examples.feet[k]
        feet = feet[feet[:, 3] >= 0].copy()
        if rng is not None:
            pixels = relit(pixels, rng)
            pixels, lean, over, feet = _turned(pixels, lean, over, feet, int(rng.integers(8)))
        views.append(np.concatenate([pixels, lean], axis=2).transpose(2, 0, 1))
        shows.append(over[::2, ::2])
        bell, ask = np.zeros((half, half), np.float32), np.ones((half, half), np.float32)
        for x, y, colour, seen in feet.tolist():
            u, v = x / 2 - 0.25, y / 2 - 0.25
            square = (columns - u) ** 2 + (rows - v) ** 2
            if seen < HIDDEN:
                ask[square < _UNASKED**2] = 0
                continue
            np.maximum(bell, np.exp(-square / (2 * _BELL**2)), out=bell)
            row, column = round(v), round(u)
            if 0 <= row < half and 0 <= column < half:
                bell[row, column] = 1.0
                spots.append((n, row, column))
                colours.append(int(colour) if colour >= 0 else known.shape[1])
        # What is surely seen is asked for even beside what is hidden.
        ask[bell > 0.3] = 1
        bells.append(bell)
        asked.append(ask)
    return Batch(
        torch.from_numpy(np.stack(views)).contiguous(memory_format=torch.channels_last),
        torch.from_numpy(examples.taught[chosen].clip(0)),
        torch.from_numpy(known),
        torch.from_numpy(np.stack(bells)),
        torch.from_numpy(np.stack(asked)),
        torch.from_numpy(np.stack(shows).astype(np.int64)),
        torch.tensor(spots, dtype=torch.int64).reshape(-1, 3),
        torch.tensor(colours, dtype=torch.int64),
    )


def relit(pixels: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """The picture under other light: gains, contrast, shade of another colour than light, noise."""
    gain = rng.normal(1, 0.03, 3) * rng.uniform(0.8, 1.15)
    tint = 1 + rng.normal(0, 0.1 if rng.random() < 0.4 else 0.02, 3)
    level = pixels.mean(axis=2, keepdims=True)
    # Shade is lit by the room or the sky, the rest by the lamp.
    shade = np.clip(1.2 - 2.0 * level, 0, 1)
    seen = pixels * (gain * (1 + shade * (tint - 1)))
    seen = np.clip(seen, 1e-4, None) ** rng.uniform(0.85, 1.2)
    if rng.random() < 0.3:
        slope = rng.normal(0, 0.15, 2)
        ramp = np.linspace(-1, 1, SIDE)
        seen = seen * (1 + slope[0] * ramp[:, None, None] + slope[1] * ramp[None, :, None])
    if rng.random() < 0.2:
        seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.4, 1.1)))
    if rng.random() < 0.3:
        seen = seen + rng.standard_normal(seen.shape, np.float32) * float(rng.uniform(0, 0.03))
    if rng.random() < 0.2:
        grey = seen.mean(axis=2, keepdims=True)
        seen = grey + (seen - grey) * rng.uniform(0.6, 1.3)
    return np.asarray(seen.clip(0, 1), np.float32)


def _turned(
    pixels: NDArray[np.float32],
    lean: NDArray[np.float32],
    over: NDArray[np.uint8],
    feet: NDArray[np.float32],
    turn: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint8], NDArray[np.float32]]:
    """Turned by quarter turns and mirrored: `turn` 0 to 7."""
    if turn & 4:
        pixels, lean, over = pixels[:, ::-1], lean[:, ::-1] * (-1, 1), over[:, ::-1]
        feet[:, 0] = SIDE - 1 - feet[:, 0]
    for _ in range(turn & 3):
        # A quarter turn to the left takes (x, y) to (y, SIDE - 1 - x).
        pixels, lean, over = np.rot90(pixels), np.rot90(lean), np.rot90(over)
        lean = np.stack([lean[..., 1], -lean[..., 0]], axis=-1)
        feet[:, :2] = np.column_stack([feet[:, 1], SIDE - 1 - feet[:, 0]])
    return pixels, np.asarray(lean, np.float32), over, feet
