"""The network: from a top view and the taught paints to feet, covers and colours.

A small U-net: half, quarter and eighth of the size and back to half. What it says of a pixel's
colour is a point in a space of `POINT` dimensions; each taught paint is a point there too, and the
nearer one is the likelier. So the number and the colours of the paints are free.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

#: Channels at half, quarter and eighth of the size.
WIDTHS = (24, 56, 96)
#: Dimensions of the space in which colours are compared.
POINT = 8
#: What a pixel may show: the map, a piece, something else that lies over the map.
SHOWS = 3


class PieceNet(nn.Module):  # type: ignore[misc]
    """See `forward`."""

    def __init__(self) -> None:
        super().__init__()
        half, quarter, eighth = WIDTHS
        self.stem = _conv(5, half, stride=2)
        self.down = nn.Sequential(_conv(half, quarter, stride=2), _Twice(quarter), _Twice(quarter))
        self.deep = nn.Sequential(_conv(quarter, eighth, stride=2), _Twice(eighth), _Twice(eighth))
        self.deep_out = nn.Conv2d(eighth, quarter, 1)
        self.mix = _conv(quarter, quarter)
        self.mix_out = nn.Conv2d(quarter, half, 1)
        self.fine = _conv(half, half)
        self.wide = nn.Conv2d(quarter, POINT, 1)
        self.head = nn.Conv2d(half, 1 + SHOWS + POINT, 1)
        self.paints = nn.Sequential(
            nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, POINT)
        )
        self.stranger = nn.Parameter(torch.tensor(4.0))
        nn.init.constant_(self.head.bias[:1], -4.0)

    def forward(self, view: Tensor, taught: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Feet, covers and colours at half the size.

        `view` (n, 5, h, w): blue, green, red, 0 to 1, and the lean x, y in diameters. `taught`
        (n, k, 3): sRGB of the paints, 0 to 1. Returns logits: that a foot's middle is there
        (n, 1, h / 2, w / 2); of what is shown (n, 3, ...); of each paint, and last of none of
        them (n, k + 1, ...).
        """
        half = self.stem(view)
        quarter = self.down(half)
        quarter = self.mix(quarter + _twice_as_large(self.deep_out(self.deep(quarter))))
        half = self.fine(half + _twice_as_large(self.mix_out(quarter)))
        feet, shows, point = self.head(half).split((1, SHOWS, POINT), dim=1)
        point = point + _twice_as_large(self.wide(quarter))
        paint = self.paints(torch.cat([taught, taught / (taught.sum(-1, keepdim=True) + 0.1)], -1))
        # Squared distances by products: |a - b|^2 = |a|^2 - 2 ab + |b|^2.
        cross = torch.einsum("nphw,nkp->nkhw", point, paint)
        square = (point * point).sum(1, keepdim=True)
        near = 2.0 * cross - square - (paint * paint).sum(-1)[:, :, None, None]
        none = (-self.stranger).expand_as(square)
        return feet, shows, torch.cat([near, none], 1)


class _Twice(nn.Module):  # type: ignore[misc]
    """Two convolutions beside a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


def _conv(inward: int, outward: int, *, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), nn.ReLU()
    )


def _twice_as_large(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")
