"""How good the network is on rendered maps: by fields, as a referee counts."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces.batches import HIDDEN
from models.pieces.store import Examples
from models.pieces.tables import SIDE
from vision.network import Network
from vision.observation import NONE
from vision.pieces.feet import find_feet
from vision.pieces.fields import MOST, on_fields
from vision.pieces.topview import TopView


def trial(path: Path, examples: Examples) -> dict[str, float | int]:
    """Figures of the network file on examples that it was not trained on."""
    network = Network(path, hashlib.sha256(path.read_bytes()).hexdigest())
    tally = Counter[str]()
    for k in range(len(examples)):
        tally += one(network, examples, k)
    return {
        **tally,
        "pieces right %": round(100 * tally["pieces right"] / tally["pieces"], 2),
        "fields right %": round(100 * tally["fields right"] / tally["fields"], 2),
        "fields sure %": round(100 * tally["fields sure"] / tally["fields"], 2),
    }


def one(network: Network, examples: Examples, k: int) -> Counter[str]:
    """Counts of one example; fields that lie partly outside the view are left out."""
    quads = examples.fields[k]
    quads = quads[np.isfinite(quads).all(axis=(1, 2))]
    quads = quads[((quads >= 4) & (quads < SIDE - 4)).all(axis=(1, 2))]
    if not len(quads):
        return Counter()
    lean = cv2.resize(examples.lean[k], (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    taught = examples.taught[k]
    view = TopView(examples.pixels[k], np.asarray(lean, np.float32), (0.0, 0.0), 1.0)
    stands = on_fields(find_feet(network, view, taught[taught[:, 0] >= 0]), quads, lean)
    true = [Counter[int]() for _ in quads]
    hidden = np.zeros(len(quads), np.bool_)
    feet = examples.feet[k]
    for x, y, colour, seen in feet[feet[:, 3] >= 0].tolist():
        for index, quad in enumerate(quads):
            if cv2.pointPolygonTest(quad, (x, y), False) >= 0:
                true[index][int(colour) if colour >= 0 else NONE] += 1
                hidden[index] |= seen < HIDDEN
                break
    read = [Counter[int]() for _ in quads]
    for index, colour in zip(stands.fields.tolist(), stands.colours.tolist(), strict=True):
        read[index][colour] += 1
    tally = Counter[str]()
    for t, r, sure, gone in zip(true, read, stands.sure.tolist(), hidden.tolist(), strict=True):
        tally["fields"] += 1
        tally["fields right"] += t == r
        tally["fields sure"] += sure
        # A field with a stranger or with too many pieces is never to be sure.
        odd = t[NONE] > 0 or t.total() > MOST
        tally["fields wrong and sure"] += sure and (t != r or odd)
        tally["fields seen"] += not gone and not odd
        tally["fields seen, right"] += not gone and not odd and t == r
        tally["fields seen, sure"] += not gone and not odd and sure
        tally["pieces"] += t.total()
        tally["pieces right"] += (t & r).total()
        tally["pieces that are none"] += max(0, (r - t).total() - (t - r).total())
    return tally


def worst(network: Network, examples: Examples) -> NDArray[np.intp]:
    """Indices of the examples with fields that are wrong and sure, for a look at them."""
    bad = [one(network, examples, k)["fields wrong and sure"] for k in range(len(examples))]
    return np.flatnonzero(bad)
