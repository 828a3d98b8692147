"""What remains between a crop and a taught face once they are laid exactly on each other.

A coarse search leaves a face up to half a step off, and its blur and shading unlike the taught
ones. To first order each such change adds a known picture, its tangent; fitting these away with a
price on each leaves what only another print explains (tangent distance: Simard, LeCun and Denker,
"Efficient pattern recognition using a new transformation distance", 1993).
"""

from __future__ import annotations

import numpy as np

from vision.faces.features import CHROMA_NOISE, Array

#: Usual size of each change: displacement at the edge of the face as a share of its shorter side,
#: and the standard deviation of blur likewise.
DISPLACED, BLURRED = 0.02, 0.03
#: Usual change of contrast, and of log chroma, from the middle of a face to its edge.
SHADED, TINTED = 0.3, 0.1
#: Usual step of lightness at a frame, edge or gap that the taught picture lacks, and the distances
#: from the edge of the crop, as shares of the shorter side, at which it may run.
FRAMED, FRAME_AT = 0.3, (0.0, 0.04, 0.08)
#: What a change of its usual size costs, as a share of the power of the crop.
PRICE = 0.01
#: What is free costs this share of it nevertheless, which keeps the equations solvable.
FREE = 1e-3
#: How many ways to move, see `_move`.
_MOVES = 7
#: What a face costs that has none of the taught saturation; half or twice of it costs a fifth.
PALE = 0.5


def shape_likeness(seen: Array, taught: Array, weight: Array) -> Array:
    """Correlation (k,), 0 to 1, of each pattern with its taught one, both (k, rows, columns).

    `weight` (rows, columns) says what counts. The taught patterns must be posed to within a few
    hundredths of their side.
    """
    root = np.sqrt(weight)
    target = ((seen - _mean(seen, weight)) * root).reshape(len(seen), -1)
    face = ((taught - _mean(taught, weight)) * root).reshape(len(seen), -1)
    power = np.maximum((target**2).sum(axis=1), 1e-9)
    # Changes are as strong as the print in the crop is.
    strength = (target * face).sum(axis=1) / np.maximum((face**2).sum(axis=1), 1e-9)
    x, y = _ramps(taught.shape[1:])
    shaded, framed = _MOVES + 2, _MOVES + 4
    basis = np.empty((len(seen), framed + len(FRAME_AT), *weight.shape), np.float32)
    basis[:, 0], basis[:, 1] = taught, 1
    _move(taught, basis[:, 2:shaded])
    np.multiply(taught, SHADED * x, out=basis[:, shaded])
    np.multiply(taught, SHADED * y, out=basis[:, shaded + 1])
    basis[:, 2:framed] *= np.maximum(strength, 0)[:, None, None, None]
    basis[:, framed:] = _frames(taught.shape[1:])
    basis *= root
    price = np.full(basis.shape[1], PRICE, np.float32) * power[:, None]
    price[:, :2] *= FREE
    amount, rest = _fit(target, basis.reshape(*basis.shape[:2], -1), price)
    likeness = np.sqrt(np.clip(1 - rest / power, 0, 1))
    return np.where(amount[:, 0] > 0, likeness, 0).astype(np.float32)


def colour_likeness(seen: Array, taught: Array, weight: Array) -> tuple[Array, Array]:
    """How alike the colours within each face are, up to 1, and the change of light (k, 2).

    `seen` and `taught` are chroma (k, 2, rows, columns), `weight` (k, rows, columns). The change of
    light is what added to the taught chroma makes it the seen one.
    """
    share = weight / np.maximum(weight.sum((1, 2), keepdims=True), 1e-9)
    root = np.sqrt(share)[:, None]
    print_seen = seen - _mean(seen, share[:, None])
    print_taught = taught - _mean(taught, share[:, None])
    light = (_mean(seen, share[:, None]) - _mean(taught, share[:, None]))[:, :, 0, 0]
    power_seen = ((print_seen * root) ** 2).sum((1, 2, 3)) + CHROMA_NOISE
    power_taught = ((print_taught * root) ** 2).sum((1, 2, 3)) + CHROMA_NOISE
    x, y = _ramps(seen.shape[2:])
    basis = np.zeros((len(seen), 7 + _MOVES, *seen.shape[1:]), np.float32)
    basis[:, 0] = print_taught
    for channel in (0, 1):
        for tint, change in enumerate((np.ones_like(x), TINTED * x, TINTED * y)):
            basis[:, 1 + 2 * tint + channel, channel] = change
    _move(print_taught, basis[:, 7:])
    basis *= root[:, None]
    price = np.full(basis.shape[1], PRICE, np.float32) * power_seen[:, None]
    price[:, :3] *= FREE
    target = (print_seen * root).reshape(len(seen), -1)
    amount, rest = _fit(target, basis.reshape(*basis.shape[:2], -1), price)
    saturation = np.maximum(amount[:, 0], 0)
    pale = (1 - saturation) ** 2 / (1 + saturation**2) * (1 - CHROMA_NOISE / power_taught)
    likeness = np.sqrt(np.clip(1 - rest / power_seen, 0, 1)) - PALE * pale
    return likeness.astype(np.float32), light + amount[:, 1:3]


def _fit(target: Array, basis: Array, price: Array) -> tuple[Array, Array]:
    """Amounts (k, b) of the basis (k, b, d) that leave least of the target (k, d), and that rest.

    The rest (k,) is the squared length of what is left plus the price of the amounts.
    """
    normal = basis @ basis.transpose(0, 2, 1)
    diagonal = np.arange(normal.shape[1])
    normal[:, diagonal, diagonal] += price + 1e-9
    drive = (basis @ target[:, :, None])[:, :, 0]
    amount = np.linalg.solve(normal, drive[:, :, None])[:, :, 0]
    return amount, np.maximum((target**2).sum(1) - (amount * drive).sum(1), 0)


def _move(taught: Array, added: Array) -> None:
    """Writes what a small move, stretch, turn, slant and blur add to pictures.

    `taught` is (k, ..., rows, columns), `added` (k, _MOVES, ..., rows, columns). At the edge
    itself, which counts nothing, they add nothing.
    """
    shape = taught.shape[-2:]
    x, y = _ramps(shape)
    step, spread = DISPLACED * min(shape), (BLURRED * min(shape)) ** 2 / 2
    right, down, curved = np.zeros((3, *taught.shape), np.float32)
    here, inner = taught[..., 1:-1, 1:-1], (..., slice(1, -1), slice(1, -1))
    west, east = taught[..., 1:-1, :-2], taught[..., 1:-1, 2:]
    north, south = taught[..., :-2, 1:-1], taught[..., 2:, 1:-1]
    np.subtract(east, west, out=right[inner])
    np.subtract(south, north, out=down[inner])
    curved[inner] = east + west + north + south - 4 * here
    changes = (
        (right, step / 2 * np.ones_like(x)),
        (down, step / 2 * np.ones_like(x)),
        (right, step / 2 * x),
        (down, step / 2 * y),
        (right, step / 2 * y),
        (down, step / 2 * x),
        (curved, spread * np.ones_like(x)),
    )
    for number, (slope, amount) in enumerate(changes):
        np.multiply(slope, amount, out=added[:, number])


def _ramps(shape: tuple[int, ...]) -> tuple[Array, Array]:
    """x and y of the cells, 0 in the middle and 1 at the edge of the shorter side."""
    y, x = ((2 * np.arange(n, dtype=np.float32) + 1 - n) / min(shape) for n in shape)
    return np.broadcast_to(x[None], shape), np.broadcast_to(y[:, None], shape)


def _frames(shape: tuple[int, ...]) -> Array:
    """Hats over the distance to the edge: together they make any frame that runs evenly around."""
    x, y = _ramps(shape)
    rows, columns = shape
    inward = np.minimum(columns / min(shape) - abs(x), rows / min(shape) - abs(y)) / 2
    width = FRAME_AT[1] - FRAME_AT[0]
    hats = [np.clip(1 - abs(inward - at) / width, 0, 1) for at in FRAME_AT]
    return np.asarray(FRAMED * np.stack(hats), np.float32)


def _mean(pictures: Array, weight: Array) -> Array:
    total = np.maximum(weight.sum((-2, -1), keepdims=True), 1e-9)
    return np.asarray((pictures * weight).sum((-2, -1), keepdims=True) / total, np.float32)
