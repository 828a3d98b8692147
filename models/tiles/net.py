"""The network: a small fully convolutional one, eight numbers for each cell of four pixels."""

from __future__ import annotations

import torch
from torch import Tensor, nn

#: For each cell: heat, centre (2), S (2), Q (2), visible share; see `targets`.
CHANNELS = 8
#: The unit of the network's input in levels; it has no offset, as beyond the picture all is 0.
LEVEL = 1 / 64
#: Sides are told in octaves above this one, in pixels.
USUAL = 27.0
_FIRST, _SECOND, _THIRD, _FOURTH = 16, 32, 64, 96


class TileNet(nn.Module):  # type: ignore[misc]
    """From BGR levels (n, 3, h, w), 0 to 255, to (n, CHANNELS, h / 4, w / 4).

    Width and height are multiples of 16.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            _layer(3, _FIRST, stride=2),
            _layer(_FIRST, _SECOND, stride=2),
            _layer(_SECOND, _THIRD, stride=2),
        )
        # What is known of the size goes into all that comes after; at first it changes nothing.
        self.size = nn.Sequential(nn.Linear(2, _THIRD), nn.ReLU(), nn.Linear(_THIRD, _THIRD))
        self.middle = _Residual(_THIRD, 1)
        # At half the resolution the surroundings of a piece come in at a low price.
        self.wide = nn.Sequential(
            _layer(_THIRD, _FOURTH, stride=2), _Residual(_FOURTH, 1), _Residual(_FOURTH, 2)
        )
        self.back = nn.Conv2d(_FOURTH, _THIRD, 1)
        self.enlarge = nn.Upsample(scale_factor=2, mode="nearest")
        self.joint = _layer(_THIRD, _THIRD)
        self.head = nn.Conv2d(_THIRD, 4 * CHANNELS, 1)
        # Four cells lie in the area of one position of the last layer.
        self.spread = nn.PixelShuffle(2)
        nn.init.zeros_(self.size[2].weight)
        nn.init.zeros_(self.size[2].bias)
        nn.init.zeros_(self.head.bias)
        with torch.no_grad():
            self.head.bias[:4] = -4.0  # Pieces are rare: start from that.

    def forward(self, levels: Tensor, sides: Tensor) -> Tensor:
        """The raw outputs; heat and visible share are logits.

        `sides` (n,) are the shorter sides in pixels of the pieces that are asked for, 0 for all.
        """
        return self.cells(levels * LEVEL, sides)

    def cells(self, light: Tensor, sides: Tensor) -> Tensor:
        """The same from levels in units of LEVEL."""
        known = (sides > 0).float()
        octaves = torch.log2(sides.clamp(min=1.0) / USUAL) * known
        size = self.size(torch.stack([known, octaves], dim=1))
        fine = self.middle(self.stem(light) + size[:, :, None, None])
        joined = self.joint(fine + self.enlarge(self.back(self.wide(fine))))
        return self.spread(self.head(joined))


class Inference(nn.Module):  # type: ignore[misc]
    """The network as it is exported: takes pictures as they are, gives probabilities."""

    def __init__(self, net: TileNet, certainty: tuple[float, float]) -> None:
        """`net` is changed: its first layer takes levels as they are.

        `certainty` (a, b) makes heat x, a logit, a probability: that of the logit a x + b.
        """
        super().__init__()
        with torch.no_grad():
            net.stem[0][0].weight *= LEVEL
        self.slope, self.shift = certainty
        self.net = net

    def forward(self, pictures: Tensor, sides: Tensor) -> Tensor:
        """From BGR uint8 (n, h, w, 3) to the outputs with heat and visible share from 0 to 1."""
        raw = self.net.cells(pictures.permute(0, 3, 1, 2).float(), sides)
        heat = (raw[:, :1] * self.slope + self.shift).sigmoid()
        return torch.cat([heat, raw[:, 1:7], raw[:, 7:].sigmoid()], dim=1)


class _Residual(nn.Module):  # type: ignore[misc]
    def __init__(self, width: int, dilation: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, 1, dilation, dilation, bias=False)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.norm(self.conv(x)))


def _layer(into: int, out: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True)
    )
