"""Measures the exported network on pictures that it was not trained on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime

from models.tiles.shards import Pictures
from models.tiles.targets import FOUND
from vision.tiles.cells import decode

#: A find belongs to a piece if their centres are within this share of its shorter side.
NEAR = 0.3
#: Pictures run at once.
BATCH = 16


def measure(file: Path, pictures: Pictures) -> dict[str, float]:
    """Shares found and false at a score of one half, corner errors in px, calibration."""
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    scores: list[float] = []
    right: list[bool] = []
    errors: list[float] = []
    pieces = found = clear = clear_found = 0
    for first in range(0, len(pictures), BATCH):
        cells = session.run(None, {"pictures": pictures.images[first : first + BATCH]})[0]
        for k, one in enumerate(cells):
            finds = decode(one, least=0.05)
            quads, visible = pictures.pieces(first + k)
            middle = quads.mean(axis=1)
            held = (middle >= 0).all(axis=1) & (middle < pictures.images.shape[1]).all(axis=1)
            quads, visible = quads[held], visible[held]
            taken = np.zeros(len(quads), bool)
            for quad, score in zip(finds.quads, finds.scores, strict=True):
                hit = _nearest(quad, quads, taken)
                if hit is not None:
                    taken[hit] = True
                    if visible[hit] < FOUND:
                        continue  # May be found or not.
                    turns = [np.roll(quad, t, axis=0) for t in range(4)]
                    apart = [np.linalg.norm(t - quads[hit], axis=1) for t in turns]
                    if score > 0.5:
                        errors.extend(min(apart, key=lambda a: float(a.sum())).tolist())
                        found += 1
                        clear_found += visible[hit] >= 0.6
                scores.append(float(score))
                right.append(hit is not None)
            pieces += int((visible >= FOUND).sum())
            clear += int((visible >= 0.6).sum())
    sure = np.array(scores) > 0.5
    good = np.array(right)
    figures = {
        "pieces": pieces,
        "found": found / pieces,
        "found of those 60 % in sight": clear_found / clear,
        "false finds per piece": float((sure & ~good).sum() / pieces),
        "corner error median px": float(np.median(errors)),
        "corner error 95 % below px": float(np.percentile(errors, 95)),
    }
    for low in np.arange(0.05, 1.0, 0.1):
        here = (np.array(scores) >= low) & (np.array(scores) < low + 0.1)
        if here.any():
            figures[f"right of scores {low:.2f} to {low + 0.1:.2f} ({here.sum()})"] = float(
                good[here].mean()
            )
    return figures


def _nearest(quad: np.ndarray, quads: np.ndarray, taken: np.ndarray) -> int | None:
    """The nearest piece not yet taken, if it is near."""
    if not len(quads):
        return None
    sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).min(axis=1)
    apart = np.linalg.norm(quads.mean(axis=1) - quad.mean(axis=0), axis=1) / sides
    apart[taken] = np.inf
    best = int(apart.argmin())
    return best if apart[best] < NEAR else None
