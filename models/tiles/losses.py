"""How wrong the network is."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.tiles.targets import WARM, Targets


def loss(raw: Tensor, heat: Tensor, outline: Tensor) -> dict[str, Tensor]:
    """The parts of the loss, for raw outputs (n, 8, rows, columns) and the targets of a batch."""
    raw = raw.float()
    asked = heat >= 0
    warm = (heat >= WARM).float()
    count = (heat == 1).sum().clamp(min=1).float()
    # Law & Deng, CornerNet (2018): focal loss that is lenient near a centre.
    logit = raw[:, 0]
    p = logit.sigmoid()
    found = functional.logsigmoid(logit) * (1 - p) ** 2 * (heat == 1)
    empty = functional.logsigmoid(-logit) * p**2 * (1 - heat.clamp(min=0)) ** 4 * (heat != 1)
    focal = -((found + empty) * asked).sum() / count
    weight = warm * heat.clamp(min=0)
    total = weight.sum().clamp(min=1)
    off = (raw[:, 1:3] - outline[:, 0:2]).abs().sum(1)
    size = outline[:, 4:6].pow(2).sum(1).sqrt().clamp(min=0.1)
    s = (raw[:, 3:5] - outline[:, 2:4]).pow(2).sum(1).add(1e-6).sqrt() / size
    q = (raw[:, 5:7] - outline[:, 4:6]).pow(2).sum(1).add(1e-6).sqrt() / size
    seen = functional.binary_cross_entropy_with_logits(raw[:, 7], outline[:, 6], reduction="none")
    return {
        "heat": focal,
        "offset": 0.5 * (off * weight).sum() / total,
        "shape": ((s + q) * weight).sum() / total,
        "visible": 0.2 * (seen * weight).sum() / total,
    }


def batch_of(parts: list[Targets]) -> tuple[Tensor, Tensor]:
    """The targets of several pictures as tensors."""
    heat = torch.from_numpy(np.stack([part.heat for part in parts]))
    return heat, torch.from_numpy(np.stack([part.outline for part in parts]))
