"""Finds equal pieces of unknown size on a picture without a plane: cards on any photo."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Network, network
from vision.tiles.cells import Finds, decode
from vision.tiles.learned import LEAST, MULTIPLE, NAME
from vision.tiles.packing import overlaps, pack
from vision.tiles.refining import REACH, refine
from vision.tiles.stock import OF_STOCK, rims, share_of_stock

#: The picture's longer side in pixels on each level: pieces may be 3 to 40 % of it wide.
LEVELS = (96, 160, 256, 416, 672)
#: Shorter sides in pixels that the network knows well; on some level every piece has one.
KNOWN = (17.0, 40.0)
#: Score from which a find is one.
SURE = 0.5
#: Score from which a find is one by itself; any other must have a rim of the colour of such finds.
PLAIN = 0.95
#: Equal pieces differ in size by this factor at most: some are nearer to the camera.
EQUAL = 1.35
#: A piece seen from the side differs in proportion from the one given by this factor at most.
ASPECT = 1.4
#: Shorter side in pixels of pieces in the most reduced picture in which edges are looked for.
COARSE = 32.0
#: How far a side may be moved there, as a share of the shorter one.
ROUGH = 0.16
#: Finds that share so much of the smaller one are one, unless both are surely pieces.
SAME = 0.55


def find_loose(
    image: NDArray[np.uint8], aspect: float | None = None, net: Network | None = None
) -> Finds:
    """The pieces of one kind on a BGR picture, best first, in its pixels.

    `aspect` is the longer side of a piece over the shorter one, if it is known. Raises
    ModelMissingError if the network is not there.
    """
    net = network(NAME) if net is None else net
    levels = list(_looks(image, net))
    quads = np.concatenate([finds.quads for finds in levels])
    scores, visible = (
        np.concatenate([getattr(finds, part) for finds in levels]) for part in ("scores", "visible")
    )
    worth = np.where(scores >= SURE, scores, 0)
    short, long_ = _sides(quads)
    if aspect is not None:
        ratio = long_ / short / aspect
        worth[(ratio > ASPECT) | (ratio < 1 / ASPECT)] = 0
    worth[~_of_one_size(short, worth)] = 0
    kept = pack(np.asarray(worth, np.float32), overlaps(quads, SAME))
    outlines = _refined(image, quads[kept])
    stock = _of_one_stock(image, outlines, scores[kept])
    return Finds(outlines[stock], scores[kept][stock], visible[kept][stock])


def _looks(image: NDArray[np.uint8], net: Network) -> Iterator[Finds]:
    """What the network finds on each level, in pixels of the picture."""
    height, width = image.shape[:2]
    for longer in LEVELS:
        scale = longer / max(height, width)
        if scale > 1.5:
            continue
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(image, size, interpolation=method)
        down, right = (-n % MULTIPLE for n in small.shape[:2])
        padded = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_CONSTANT)
        finds = decode(net.run(padded[None], np.zeros(1, np.float32))[0][0], LEAST)
        short, _ = _sides(finds.quads)
        known = (short >= KNOWN[0]) & (short < KNOWN[1])
        back = np.array([width / size[0], height / size[1]], np.float32)
        yield Finds(
            np.asarray((finds.quads[known] + 0.5) * back - 0.5, np.float32),
            finds.scores[known],
            finds.visible[known],
        )


def _refined(image: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quads with their sides on edges; in reduced pictures first: there they go furthest."""
    if not len(quads):
        return quads
    side, share = float(np.median(_sides(quads)[0])), ROUGH
    height, width = image.shape[:2]
    for times in (2**k for k in range(5, -1, -1)):
        if times > 1 and side / times < COARSE:
            continue
        size = (width // times, height // times)
        whole = image[: size[1] * times, : size[0] * times]
        small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
        quads = (refine(small, (quads + 0.5) / times - 0.5, share) + 0.5) * times - 0.5
        share = REACH
    return quads


def _of_one_stock(
    image: NDArray[np.uint8], quads: NDArray[np.float32], scores: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Which finds may be made of what those are made of that are plainly pieces."""
    plain = scores >= PLAIN
    if not plain.any():
        return np.ones(len(quads), np.bool_)
    rim = rims(image, quads)
    stock = np.median(rim[plain], axis=1)
    return np.asarray(plain | (share_of_stock(rim, stock, 0.0) >= OF_STOCK), np.bool_)


def _sides(quads: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Shorter and longer side (n,) of quads (n, 4, 2), each the mean of two."""
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    one, other = sides[:, ::2].mean(axis=1), sides[:, 1::2].mean(axis=1)
    return np.minimum(one, other), np.maximum(one, other)


def _of_one_size(short: NDArray[np.float32], worth: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which finds belong to the size of which most is seen, by worth and area."""
    if not worth.any():
        return np.zeros(len(short), np.bool_)
    near = np.abs(np.log(short[:, None] / short[None])) < np.log(EQUAL)
    votes = near @ (worth * short)
    best = int(np.where(worth > 0, votes, -1).argmax())
    return np.asarray(near[best], np.bool_)
