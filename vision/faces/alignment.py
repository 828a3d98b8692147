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
#: What a face costs that has none of the taught saturation; half or twice of it costs a fifth.
PALE = 0.5


def shape_likeness(seen: Array, taught: Array, weight: Array) -> Array:
    """Correlation (k,), 0 to 1, of each pattern with its taught one, both (k, rows, columns).

    `weight` (rows, columns) says what counts. The taught patterns must be posed to within a few
    hundredths of their side.
    """
    root = np.sqrt(weight)
    flat = (len(seen), 1, -1)
    target = ((seen - _mean(seen, weight)) * root).reshape(flat)
    face = ((taught - _mean(taught, weight)) * root).reshape(flat)
    power = (target**2).sum(axis=2)
    # Changes are as strong as the print in the crop is.
    strength = np.clip(
        (target * face).sum(axis=2) / np.maximum((face**2).sum(axis=2), 1e-9), 0, None
    )
    shaded = [SHADED * ramp * taught for ramp in _ramps(taught.shape[1:])]
    changes = np.stack([*_moved(taught), *shaded], axis=1) * strength[..., None, None]
    frames = np.broadcast_to(_frames(taught.shape[1:]), (len(seen), len(FRAME_AT), *weight.shape))
    free = np.stack([taught, np.ones_like(taught)], axis=1)
    basis = (np.concatenate([free, changes, frames], axis=1) * root).reshape(
        len(seen), -1, root.size
    )
    price = np.full(basis.shape[1], PRICE, np.float32) * np.maximum(power, 1e-9)
    price[:, :2] *= 1e-3
    amount, rest = _fit(target[:, 0], basis, price)
    likeness = np.sqrt(np.clip(1 - rest / np.maximum(power[:, 0], 1e-9), 0, 1))
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
    channels = np.eye(2, dtype=np.float32)[:, :, None, None]
    x, y = _ramps(seen.shape[2:])
    tints = np.concatenate(
        [channels * np.ones_like(x), TINTED * channels * x, TINTED * channels * y]
    )
    changes = np.stack(_moved(print_taught), axis=1)
    free = np.concatenate(
        [print_taught[:, None], np.broadcast_to(tints, (len(seen), *tints.shape)), changes], axis=1
    )
    basis = (free * root[:, None]).reshape(len(seen), free.shape[1], -1)
    price = np.full(basis.shape[1], PRICE, np.float32) * power_seen[:, None]
    price[:, :3] *= 1e-3
    amount, rest = _fit((print_seen * root).reshape(len(seen), -1), basis, price)
    saturation = np.clip(amount[:, 0], 0, None)
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


def _moved(taught: Array) -> list[Array]:
    """What a small move, stretch, turn, slant or blur adds to pictures (..., rows, columns)."""
    shape = taught.shape[-2:]
    x, y = _ramps(shape)
    down, right = np.gradient(taught, axis=(-2, -1))
    curved = np.gradient(down, axis=-2) + np.gradient(right, axis=-1)
    step, spread = DISPLACED * min(shape), (BLURRED * min(shape)) ** 2 / 2
    moves = (right, down, x * right, y * down, y * right, x * down)
    return [*(step * move for move in moves), spread * curved]


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
