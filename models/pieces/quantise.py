"""Writes the network with weights and activations of 8 bits: half of the time, as good figures.

What is said of a pixel in the end, a few channels, stays in floating point: chances near their
limits and distances between colours are finer than 8 bits.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.pieces.store import Examples
from models.pieces.tables import SIDE

#: The layers that stay as they are.
_FINE = ["/head/Conv", "/wide/Conv"]
#: Every such example tells how large activations are.
_EVERY = 2


def quantise(whole: Path, path: Path, examples: Examples) -> str:
    """Writes the network of the file `whole` to `path`; returns the new file's SHA-256.

    `examples` are some that it was trained on. Weights have 7 of the 8 bits, so that processors
    without instructions for products of bytes say the same.
    """
    ready = path.with_suffix(".part.onnx")
    quant_pre_process(str(whole), str(ready), skip_symbolic_shape=True)
    quantize_static(
        str(ready),
        str(path),
        _Views(examples),
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=["Conv", "Relu", "Add", "Resize"],
        nodes_to_exclude=_FINE,
        per_channel=True,
        reduce_range=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
    )
    ready.unlink()
    return hashlib.sha256(path.read_bytes()).hexdigest()


class _Views(CalibrationDataReader):  # type: ignore[misc]
    """Inputs of the network from examples, one by one."""

    def __init__(self, examples: Examples) -> None:
        self._examples = examples
        self._left = iter(range(0, len(examples), _EVERY))

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        k = next(self._left, None)
        if k is None:
            return None
        pixels = self._examples.pixels[k].astype(np.float32) / np.float32(255)
        lean = cv2.resize(self._examples.lean[k], (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
        view = np.concatenate([pixels, lean], axis=2).transpose(2, 0, 1)[None]
        taught = self._examples.taught[k]
        return {
            "view": np.ascontiguousarray(view, np.float32),
            "taught": np.asarray(taught[taught[:, 0] >= 0][None], np.float32),
        }
