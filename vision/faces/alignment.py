"""What remains between a crop and a taught face once they are laid exactly on each other.

A coarse search leaves a face up to half a step off, and its blur and shading unlike the taught
ones. To first order each such change adds a known picture, its tangent; fitting these away with a
price on each leaves what only another print explains (tangent distance: Simard, LeCun and Denker,
"Efficient pattern recognition using a new transformation distance", 1993).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces.features import pattern_and_slopes

Array = NDArray[np.float32]

#: Usual size of each change: displacement at the edge of the face as a share of its shorter side,
#: variance of blur in squared cells, and relative change of light across half a face.
DISPLACED, BLURRED, SHADED = 0.02, 0.4, 0.3
#: Usual lightness of a frame, edge or gap around the face that the taught picture lacks, and the
#: distances from the edge of the crop, as shares of the shorter side, at which it may run.
FRAMED, FRAME_AT = 0.3, (0.0, 0.04, 0.08)
#: What a change of that usual size costs, as a share of the crop's contrast.
PRICE = 0.01


def aligned_likeness(grey: Array, taught: Array) -> Array:
    """Correlation (k,), 0 to 1, of each crop with its taught face, both (k, rows, columns).

    Lightness is 0 to 1; the taught faces must be posed to within a few hundredths of their side.
    """
    if not len(grey):
        return np.zeros(0, np.float32)
    changes, free = _tangents(taught)
    seen = pattern_and_slopes(grey)
    # Whatever the exposure: each part of the features counts as a share of the crop's own contrast.
    scale = 1 / np.maximum(seen.norm, 1e-6)
    target = seen.scaled(scale)
    basis = np.stack([pattern_and_slopes(change).scaled(scale) for change in changes], axis=1)
    # Changes move with the print's contrast in the crop, so that their usual sizes keep meaning.
    contrast = np.einsum("kd,kd->k", basis[:, 0], target) / np.maximum(
        np.einsum("kd,kd->k", basis[:, 0], basis[:, 0]), 1e-6
    )
    basis[:, free:] *= np.clip(contrast, 0.05, None)[:, None, None]
    normal = basis @ basis.transpose(0, 2, 1)
    price = np.full(len(changes), PRICE, np.float32)
    price[:free] = 1e-4
    normal += np.diag(price)
    drive = np.einsum("kbd,kd->kb", basis, target)
    amount = np.linalg.solve(normal, drive[:, :, None])[:, :, 0]
    unexplained = np.einsum("kd,kd->k", target, target) - (amount * drive).sum(1)
    return np.asarray(
        np.where(amount[:, 0] > 0, np.sqrt(np.clip(1 - unexplained, 0, 1)), 0), np.float32
    )


def _tangents(taught: Array) -> tuple[list[Array], int]:
    """Pictures whose sum, each times a number near 0 to 1, is the taught face changed a little.

    The first (the count is returned too) is the face itself and has no price.
    """
    rows, columns = taught.shape[1:]
    shorter = min(rows, columns)
    y, x = np.meshgrid(
        (2 * np.arange(rows, dtype=np.float32) + 1 - rows) / shorter,
        (2 * np.arange(columns, dtype=np.float32) + 1 - columns) / shorter,
        indexing="ij",
    )
    down, right = np.gradient(taught, axis=(1, 2))
    blur = np.gradient(down, axis=1) + np.gradient(right, axis=2)
    step = DISPLACED * shorter
    moved = [right, down, x * right, y * down, y * right, x * down]
    changes = [taught, *(step * m for m in moved), BLURRED / 2 * blur]
    changes += [SHADED * x * taught, SHADED * y * taught]
    # Hats over the distance to the edge: together they make any frame that runs evenly around.
    inward = np.minimum(columns / shorter - abs(x), rows / shorter - abs(y)) / 2
    width = FRAME_AT[1] - FRAME_AT[0]
    hats = [np.clip(1 - abs(inward - at) / width, 0, 1) for at in FRAME_AT]
    changes += [np.broadcast_to(FRAMED * hat, taught.shape) for hat in hats]
    return changes, 1
