"""The network: a small U-Net that marks each cube's visible middle, and what may hide."""

from __future__ import annotations

import torch
from torch import nn

#: Channels at 1/2, 1/4 and 1/8 of the patch.
_WIDTHS = (16, 28, 40)
#: Maps of the output: a cube's middle, any cube, the way (x, y) to the cube's middle, hidden cubes.
OUTPUTS = 5


def _block(inward: int, outward: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outward),
        nn.ReLU(inplace=True),
    )


class CubeNet(nn.Module):  # type: ignore[misc]
    """From patches (n, 3, h, w), BGR levels 0 to 255, to maps (n, 5, h / 2, w / 2).

    Maps 0 and 1 are probabilities of a cube's middle and of any cube; 2 and 3 the way (x, y) to
    the middle in sides of a cube; 4 the density of hidden cubes, whose sum is their number.
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, c = _WIDTHS
        self.first = nn.Sequential(_block(3, a, 2), _block(a, a))
        self.second = nn.Sequential(_block(a, b, 2), _block(b, b), _block(b, b))
        self.third = nn.Sequential(_block(b, c, 2), _block(c, c), _block(c, c))
        self.up_second = nn.Sequential(_block(b + c, b), _block(b, b))
        self.up_first = nn.Sequential(_block(a + b, 24), _block(24, 24))
        self.head = nn.Conv2d(24, OUTPUTS, 1)
        # Most pixels are no middle, and most cubes hide none.
        with torch.no_grad():
            self.head.bias[0] = -4.0
            self.head.bias[4] = -7.0

    def raw(self, patches: torch.Tensor) -> torch.Tensor:
        """Maps before their last function."""
        one = self.first((patches - 110.0) / 64.0)
        two = self.second(one)
        three = self.third(two)
        two = self.up_second(torch.cat([two, _twice(three)], 1))
        return self.head(self.up_first(torch.cat([one, _twice(two)], 1)))

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Maps as the program reads them."""
        raw = self.raw(patches)
        return torch.cat(
            [torch.sigmoid(raw[:, :2]), raw[:, 2:4], nn.functional.softplus(raw[:, 4:])], 1
        )


def _twice(maps: torch.Tensor) -> torch.Tensor:
    return nn.functional.interpolate(maps, scale_factor=2.0, mode="nearest")
