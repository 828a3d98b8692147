"""JPEG's loss on batches of pictures: colour at half size, cosines of blocks in steps."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as nn
from torch import Tensor

#: The example tables of the standard (ITU-T T.81, annex K), by their growth along a diagonal.
_LUMA = (
    (16, 11, 10, 16, 24, 40, 51, 61), (12, 12, 14, 19, 26, 58, 60, 55),
    (14, 13, 16, 24, 40, 57, 69, 56), (14, 17, 22, 29, 51, 87, 80, 62),
    (18, 22, 37, 56, 68, 109, 103, 77), (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101), (72, 92, 95, 98, 112, 100, 103, 99),
)  # fmt: skip
_CHROMA = (
    (17, 18, 24, 47, 99, 99, 99, 99), (18, 21, 26, 66, 99, 99, 99, 99),
    (24, 26, 56, 99, 99, 99, 99, 99), (47, 66, 99, 99, 99, 99, 99, 99),
    *((99,) * 8,) * 4,
)  # fmt: skip
#: Blue, green, red to luma, blue difference, red difference (JFIF).
_YCC = ((0.114, 0.587, 0.299), (0.5, -0.3313, -0.1687), (-0.0813, -0.4187, 0.5))


def jpeg(pictures: Tensor, quality: Tensor) -> Tensor:
    """Pictures (n, 3, h, w) BGR, 0 to 1, as JPEG of this quality (n,), 1 to 100, gives them back.

    Sides must be multiples of 16.
    """
    matrix = torch.tensor(_YCC)
    ycc = torch.einsum("kc,nchw->nkhw", matrix, pictures * 255)
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50)
    luma = _blocks(ycc[:, :1] - 128, torch.tensor(_LUMA), scale) + 128
    small = _blocks(nn.avg_pool2d(ycc[:, 1:], 2), torch.tensor(_CHROMA), scale)
    colour = nn.interpolate(small, scale_factor=2, mode="bilinear", align_corners=False)
    back = torch.einsum("ck,nkhw->nchw", torch.linalg.inv(matrix), torch.cat([luma, colour], 1))
    return (back / 255).clamp(0, 1)


def _blocks(planes: Tensor, table: Tensor, scale: Tensor) -> Tensor:
    """Planes (n, k, h, w) with the cosines of their 8 x 8 blocks rounded to steps."""
    n, k, height, width = planes.shape
    index = torch.arange(8).float()
    cosine = torch.cos((2 * index[None] + 1) * index[:, None] * math.pi / 16) / 2
    cosine[0] /= math.sqrt(2)
    blocks = planes.reshape(n, k, height // 8, 8, width // 8, 8).permute(0, 1, 2, 4, 3, 5)
    steps = (table * scale[:, None, None]).clamp(1, 255)[:, None, None, None]
    kept = ((cosine @ blocks @ cosine.T) / steps).round() * steps
    back = cosine.T @ kept @ cosine
    return back.permute(0, 1, 2, 4, 3, 5).reshape(n, k, height, width)
