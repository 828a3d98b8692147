"""How good the network is on rendered maps: feet found in their paint, and feet that are none."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from models.pieces.batches import HIDDEN
from models.pieces.store import Examples
from models.pieces.tables import SIDE
from vision.network import Network
from vision.pieces.feet import find_feet
from vision.pieces.fields import NEAR
from vision.pieces.topview import FOOT_PX, TopView

#: Chances of a foot for which the figures are given.
CHANCES = (0.3, 0.6, 0.75)


def trial(path: Path, examples: Examples) -> dict[str, float | int]:
    """Figures of the network file on examples that it was not trained on."""
    network = Network(path, hashlib.sha256(path.read_bytes()).hexdigest())
    tally = Counter[str]()
    for k in range(len(examples)):
        tally += _one(network, examples, k)
    shares = {
        f"{what} % from {chance}": round(100 * tally[f"{what} {chance}"] / tally["pieces"], 2)
        for what in ("found", "in their paint", "none")
        for chance in CHANCES
    }
    return {"pieces": tally["pieces"], **shares}


def _one(network: Network, examples: Examples, k: int) -> Counter[str]:
    """Counts of one example, whose hidden pieces and strangers count neither way."""
    lean = cv2.resize(examples.lean[k], (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    taught = examples.taught[k]
    view = TopView(examples.pixels[k], np.asarray(lean, np.float32), (0.0, 0.0), 1.0)
    seen = find_feet(network, view, taught[taught[:, 0] >= 0])
    feet = examples.feet[k][examples.feet[k][:, 3] >= 0]
    plain = (feet[:, 3] >= HIDDEN) & (feet[:, 2] >= 0)
    gaps = np.linalg.norm(feet[:, None, :2] - seen.points[None], axis=2)
    near = gaps < NEAR * FOOT_PX
    same = near & (feet[:, 2, None] == seen.colours.argmax(axis=1))
    tally = Counter[str](pieces=int(plain.sum()))
    for chance in CHANCES:
        likely = seen.chances >= chance
        tally[f"found {chance}"] += int((near[plain] & likely).any(axis=1).sum())
        tally[f"in their paint {chance}"] += int((same[plain] & likely).any(axis=1).sum())
        tally[f"none {chance}"] += int((likely & ~near.any(axis=0)).sum())
    return tally
