"""Writes the trained network as ONNX."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import torch
from torch import nn

from models.tiles.net import Inference, TileNet

OPSET = 17


def export(net: TileNet, file: Path, certainty: tuple[float, float] = (1.0, 0.0)) -> None:
    """Writes `net` with its normalisations folded into the convolutions.

    `certainty` makes probabilities of its scores, see `Inference`.
    """
    folded = Inference(_folded(net).to(memory_format=torch.contiguous_format), certainty).eval()
    torch.onnx.export(
        folded,
        (torch.zeros(2, 64, 96, 3, dtype=torch.uint8), torch.tensor([0.0, 24.0])),
        str(file),
        input_names=["pictures", "sides"],
        output_names=["cells"],
        dynamic_axes={
            "pictures": {0: "n", 1: "h", 2: "w"},
            "sides": {0: "n"},
            "cells": {0: "n", 2: "r", 3: "c"},
        },
        opset_version=OPSET,
        dynamo=False,
    )


def _folded(net: TileNet) -> TileNet:
    """A copy of the network in which each convolution does the work of its normalisation."""
    copy = TileNet()
    copy.load_state_dict(net.state_dict())
    copy.eval()
    for module in list(copy.modules()):
        children = dict(module.named_children())
        names = list(children)
        for name, after in pairwise(names):
            conv, norm = children[name], children[after]
            if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                fused = nn.utils.fusion.fuse_conv_bn_eval(conv, norm)
                setattr(module, name, fused)
                setattr(module, after, nn.Identity())
    return copy
