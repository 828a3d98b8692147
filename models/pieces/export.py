"""Writes the network as ONNX, in floating point."""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch

from models.pieces.net import PieceNet


def export(net: PieceNet, path: Path) -> str:
    """Writes the file, for one view of any size and any number of paints; returns its SHA-256."""
    net = net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, 5, 64, 64), torch.zeros(1, 4, 3)),
        str(path),
        input_names=["view", "taught"],
        output_names=["feet", "shows", "colours"],
        dynamic_axes={
            "view": {0: "views", 2: "height", 3: "width"},
            "taught": {0: "views", 1: "paints"},
            "feet": {0: "views", 2: "rows", 3: "columns"},
            "shows": {0: "views", 2: "rows", 3: "columns"},
            "colours": {0: "views", 1: "paints_and_none", 2: "rows", 3: "columns"},
        },
        opset_version=17,
        dynamo=False,
    )
    return hashlib.sha256(path.read_bytes()).hexdigest()
