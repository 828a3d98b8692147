"""The two networks: one describes a crop, one says whether two crops show the same face."""

from __future__ import annotations

import torch
import torch.nn.functional as nnf
from torch import Tensor, nn

from models.faces.camera import CROP

#: Cells along a side of the maps, their features, and the length of the embedding.
CELLS, FEATURES, LENGTH = 12, 24, 64
#: Flare and noise as a share of the brightest part of a face; light above which a channel clips.
FLOOR, CLIPPED = 0.1, 0.95
#: Brightest share of the cells that says what is white.
WHITEST = 0.05


class Encoder(nn.Module):  # type: ignore[misc]
    """Describes crops, the same in any light: von Kries gains leave all but `chroma` as it is.

    In: BGR uint8 (n, CROP, CROP, 3). Out: `maps` (n, FEATURES, CELLS, CELLS); `embedding`
    (n, LENGTH), of length 1; `chroma` (n, 2, CELLS, CELLS), log of red over green and of blue over
    green in linear light; `weight` (n, 1, CELLS, CELLS), how well it is known, 0 to 1.
    """

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("grey", torch.tensor([0.114, 0.587, 0.299]).reshape(1, 3, 1, 1))
        self.register_buffer("window", _window(CROP))
        self.register_buffer("window2", _window(CROP // 2))
        self.stem = _layer(1, 16, 4, 2)
        self.down = _layer(20, 32, 3, 2)
        self.deep = _layer(32, 32, 3, 1)
        self.out = nn.Conv2d(32, FEATURES, 1)
        self.far = _layer(FEATURES, 64, 3, 2)
        self.farther = _layer(64, 96, 3, 2)
        self.embed = nn.Linear(96 * 9, LENGTH)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """See the class."""
        picture = crops.permute(0, 3, 1, 2).float() / 255
        grey = (picture * self.grey).sum(1, keepdim=True)
        mean = (grey * self.window).sum((2, 3), keepdim=True) / self.window.sum()
        spread = ((grey - mean) ** 2 * self.window).sum((2, 3), keepdim=True) / self.window.sum()
        pattern = ((grey - mean) / (torch.sqrt(spread) + 0.02)).clamp(-4, 4)
        # sRGB to linear light, a cubic that is right to 0.002.
        light = picture * (picture * (picture * 0.305306 + 0.682171) + 0.012523)
        light = nnf.avg_pool2d(light, 2)
        peak = light.amax(1, keepdim=True)
        bright = int(WHITEST * (CROP // 2) ** 2)
        white = peak.flatten(1).topk(bright, dim=1).values[:, -1].reshape(-1, 1, 1, 1) + 1e-3
        log = torch.log(light + FLOOR * white)
        chroma = torch.cat([log[:, 2:] - log[:, 1:2], log[:, :1] - log[:, 1:2]], 1)
        known = (peak / (peak + FLOOR * white)) ** 2
        known = known * (1 - ((peak - CLIPPED) / (1 - CLIPPED)).clamp(0, 0.9))
        weight = known * self.window2
        total = weight.sum((2, 3), keepdim=True) + 1e-6
        own = (chroma * weight).sum((2, 3), keepdim=True) / total
        colours = torch.cat([(chroma - own) * known * 2, known, peak / white], 1)
        seen = torch.cat([self.stem(pattern), colours], 1)
        seen = self.down(seen)
        maps = self.out(seen + self.deep(seen))
        flat = self.farther(self.far(nnf.relu(maps))).flatten(1)
        embedding = nnf.normalize(self.embed(flat), dim=1)
        cells = nnf.avg_pool2d(weight, 2)
        averaged = nnf.avg_pool2d(chroma * weight, 2) / (cells + 1e-3)
        return maps, embedding, averaged, cells


class Verifier(nn.Module):  # type: ignore[misc]
    """The log odds (n,) that pairs show the same face.

    In: the maps, chroma and weight of the crops, those of the taught pictures, and the change of
    light (n, 2) from the taught to the seen.
    """

    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Conv2d(2 * FEATURES + 6, 32, 1)
        self.near = _layer(32, 32, 3, 2)
        self.far = _layer(32, 64, 3, 2)
        self.judge = nn.Sequential(nn.Linear(128, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(
        self,
        maps: Tensor,
        chroma: Tensor,
        weight: Tensor,
        taught_maps: Tensor,
        taught_chroma: Tensor,
        taught_weight: Tensor,
        light: Tensor,
    ) -> Tensor:
        """See the class."""
        tint = (chroma - taught_chroma - light[:, :, None, None]) * torch.minimum(
            weight, taught_weight
        )
        apart = (maps - taught_maps).abs()
        parts = [maps * taught_maps, apart, 4 * tint, 4 * tint.abs(), weight, taught_weight]
        seen = self.far(self.near(nnf.relu(self.mix(torch.cat(parts, 1)))))
        pooled = torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1)
        return self.judge(pooled)[:, 0]


def _layer(before: int, after: int, kernel: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, kernel, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU()
    )


def _window(side: int) -> Tensor:
    """Weights (1, 1, side, side), 0 at the edge, where quads stray and frames run, to 1 inside."""
    middle = torch.arange(side) + 0.5
    inward = torch.minimum(middle, side - middle) / side
    ramp = ((inward - 0.03) / 0.09).clamp(0, 1)
    return torch.minimum(ramp[:, None], ramp[None]).reshape(1, 1, side, side)
