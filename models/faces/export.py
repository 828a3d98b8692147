"""Writes the networks as ONNX files."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch import nn

from models.faces.camera import CROP
from models.faces.net import CELLS, FEATURES, Encoder, Verifier

#: Version of the ONNX operators.
OPSET = 17


def export(encoder: Encoder, verifier: Verifier, out: Path) -> None:
    """Writes `faces.onnx` and `pairs.onnx` into `out`; any number of crops or pairs at a time."""
    crops = torch.zeros(2, CROP, CROP, 3, dtype=torch.uint8)
    described = ("maps", "embedding", "chroma", "weight")
    _write(encoder, (crops,), ("crops",), described, out / "faces.onnx")
    maps, chroma = torch.zeros(2, FEATURES, CELLS, CELLS), torch.zeros(2, 2, CELLS, CELLS)
    one = (maps, chroma, torch.zeros(2, 1, CELLS, CELLS))
    names = ("maps", "chroma", "weight", "taught_maps", "taught_chroma", "taught_weight", "light")
    _write(verifier, (*one, *one, torch.zeros(2, 2)), names, ("odds",), out / "pairs.onnx")


def _write(
    net: nn.Module,
    inputs: tuple[torch.Tensor, ...],
    names: tuple[str, ...],
    outputs: tuple[str, ...],
    path: Path,
) -> None:
    with warnings.catch_warnings():
        # The exporter that needs no further package warns of its age.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net.eval().to(memory_format=torch.contiguous_format),
            inputs,
            str(path),
            input_names=list(names),
            output_names=list(outputs),
            dynamic_axes={name: {0: "n"} for name in (*names, *outputs)},
            opset_version=OPSET,
            dynamo=False,
        )
