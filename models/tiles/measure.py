"""Measures the exported network on pictures that it was not trained on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.tiles.shards import Pictures
from models.tiles.targets import FOUND
from vision.tiles.cells import Finds, decode

#: A find belongs to a piece if their centres are within this share of its shorter side.
NEAR = 0.3
#: Finds of a smaller score are left out of all figures; from SURE on a find is one.
LEAST, SURE = 0.03, 0.5
#: Share of a piece that must be seen for it to count as clear.
CLEAR = 0.6
#: Pictures run at once.
BATCH = 16


@dataclass(frozen=True, eq=False)
class Judged:
    """All finds in some pictures that are either right or wrong, and all pieces to be found."""

    scores: NDArray[np.float64]
    right: NDArray[np.bool_]
    errors: NDArray[np.float64]
    """Distances (n, 4) in px of the corners of right finds; nan for wrong ones."""
    pieces: NDArray[np.float64]
    """For each piece to be found the score of its find (0 if there is none) and its visible
    share, (m, 2)."""


def judged(file: Path, pictures: Pictures) -> Judged:
    """What the network in `file` finds in the pictures."""
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    scores: list[float] = []
    errors: list[NDArray[np.float64]] = []
    pieces: list[tuple[float, float]] = []
    for first in range(0, len(pictures), BATCH):
        images = pictures.images[first : first + BATCH]
        feed = {"pictures": images, "sides": np.zeros(len(images), np.float32)}
        cells = session.run(None, feed)[0]
        for k, one in enumerate(cells):
            quads, visible = pictures.pieces(first + k)
            middle = quads.mean(axis=1)
            held = ((middle >= 0) & (middle < pictures.images.shape[1])).all(axis=1)
            for score, error, piece in _matched(decode(one, LEAST), quads[held]):
                if piece is not None and visible[held][piece] < FOUND:
                    continue  # It may be found or not.
                if score:
                    scores.append(score)
                    errors.append(error)
                if piece is not None:
                    pieces.append((score, float(visible[held][piece])))
    apart = np.array(errors).reshape(-1, 4)
    return Judged(np.array(scores), ~np.isnan(apart[:, 0]), apart, np.array(pieces).reshape(-1, 2))


def certainty(seen: Judged) -> tuple[float, float]:
    """a and b for which the logit a x + b is that of a find with logit x being right.

    Platt (1999): logistic regression on the score alone, by Newton's method.
    """
    x = np.log(seen.scores / (1 - seen.scores))
    basis = np.stack([x, np.ones_like(x)], axis=1)
    weights = np.array([1.0, 0.0])
    for _ in range(25):
        p = 1 / (1 + np.exp(-basis @ weights))
        slope = basis.T @ (p - seen.right)
        bend = (basis * (p * (1 - p))[:, None]).T @ basis + 1e-6 * np.eye(2)
        weights -= np.linalg.solve(bend, slope)
    return float(weights[0]), float(weights[1])


def measure(file: Path, pictures: Pictures) -> dict[str, float]:
    """Shares found and false at a score of one half, corner errors in px, calibration."""
    seen = judged(file, pictures)
    score, visible = seen.pieces.T
    sure = seen.scores >= SURE
    corners = seen.errors[sure & seen.right]
    figures = {
        "pieces": float(len(score)),
        "found": float((score >= SURE).mean()),
        "found of those 60 % in sight": float((score >= SURE)[visible >= CLEAR].mean()),
        "false finds per piece": float((sure & ~seen.right).sum() / len(score)),
        "corner error median px": float(np.median(corners)),
        "corner error 95 % below px": float(np.percentile(corners, 95)),
    }
    for low in np.arange(0.05, 1.0, 0.1):
        here = (seen.scores >= low) & (seen.scores < low + 0.1)
        if here.any():
            name = f"right of the {here.sum()} finds of score {low:.2f} to {low + 0.1:.2f}"
            figures[name] = float(seen.right[here].mean())
    return figures


def _matched(
    finds: Finds, quads: NDArray[np.float32]
) -> list[tuple[float, NDArray[np.float64], int | None]]:
    """Score, corner errors (4,) and piece of each find, best first; then pieces without a find."""
    nothing = np.full(4, np.nan)
    sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).min(axis=1)
    free = set(range(len(quads)))
    result: list[tuple[float, NDArray[np.float64], int | None]] = []
    for quad, score in zip(finds.quads, finds.scores.tolist(), strict=True):
        apart = np.linalg.norm(quads.mean(axis=1) - quad.mean(axis=0), axis=1) / sides
        near = [k for k in free if apart[k] < NEAR]
        if not near:
            result.append((score, nothing, None))
            continue
        best = min(near, key=lambda k: float(apart[k]))
        free.remove(best)
        turns = [np.linalg.norm(np.roll(quad, t, axis=0) - quads[best], axis=1) for t in range(4)]
        result.append((score, min(turns, key=lambda error: float(error.sum())), best))
    return result + [(0.0, nothing, k) for k in sorted(free)]
