"""Real photographs of playing cards between other things: found without markers or scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.bench.matching import read_image, read_labels
from tests.bench.report import Report, need
from tests.shared import REAL
from vision.tiles import find_loose

Array = NDArray[np.float32]

#: Height over width of a playing card (63 x 88 mm).
ASPECT = 88 / 63
#: An upright box around a find must share this much of the union with the true box.
UNION = 0.5
#: Boxes hold only what is seen of a hidden card, finds all of it: such a box must lie within that
#: of the find by this share, and fill this share of it.
WITHIN, FILLED = 0.9, 0.3


def run(report: Report) -> None:
    """Finds the cards of each photo and compares upright boxes."""
    folder = need(REAL / "cards_clutter")
    labels = read_labels(folder)
    cards = found = extra = 0
    for photo in report.progress("cards_clutter", labels["images"], len(labels["images"])):
        image = read_image(folder / photo["file"])
        quads = find_loose(image, ASPECT).quads
        true = np.array([item["box"] for item in photo["items"]], np.float32)
        true[:, 2:] += true[:, :2]
        seen = np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)
        limit = np.array([image.shape[1], image.shape[0]] * 2, np.float32)
        pairs = _pairs(true, np.clip(seen, 0, limit))
        cards, found, extra = (
            cards + len(true),
            found + len(pairs),
            extra + len(seen) - len(pairs),
        )
        if len(pairs) < len(true) or len(pairs) < len(seen):
            missed = len(true) - len(pairs)
            print(
                f"cards_clutter    {photo['file']}: {missed} of {len(true)} missed, "
                f"{len(seen) - len(pairs)} found where none lies",
                flush=True,
            )
    report.share("cards_clutter", "cards found", found, cards, 95.0)
    report.share("cards_clutter", "finds of nothing", extra, cards, 1.0, "<=")


def _pairs(true: Array, seen: Array) -> dict[int, int]:
    """True boxes (n, 4) of left, top, right, bottom, and the found ones (m, 4) that fit them."""
    corner = np.maximum(true[:, None, :2], seen[None, :, :2])
    size = np.maximum(np.minimum(true[:, None, 2:], seen[None, :, 2:]) - corner, 0)
    common = size.prod(axis=2)
    own, other = ((box[:, 2:] - box[:, :2]).prod(axis=1) for box in (true, seen))
    union = common / (own[:, None] + other[None] - common)
    hidden = (common >= WITHIN * own[:, None]) & (own[:, None] >= FILLED * other[None])
    pairs: dict[int, int] = {}
    for card, find in zip(
        *np.unravel_index(np.argsort(-union, axis=None), union.shape), strict=True
    ):
        fits = union[card, find] >= UNION or hidden[card, find]
        if fits and card not in pairs and find not in pairs.values():
            pairs[int(card)] = int(find)
    return pairs
