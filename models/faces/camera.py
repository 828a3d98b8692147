"""What a cheap camera makes of printed faces: batches of crops, all on torch.

A face lies in the middle of a canvas between its neighbours; light, lens, sensor, JPEG and a quad
that is a little off turn it into the crop that a matcher is given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as nn
from torch import Tensor

from models.faces.jpeg import jpeg

#: Sides in pixels of a print, of the canvas around it, and of a crop.
PRINT, CANVAS, CROP = 64, 80, 48


@dataclass(frozen=True)
class Views:
    """`crops` uint8 (n, CROP, CROP, 3) BGR, and `light` (n, 2): log of the gains red over green
    and blue over green of the frame's light, without what is local to each crop."""

    crops: Tensor
    light: Tensor


class Camera:
    """Takes pictures of prints; all random numbers come from one generator."""

    def __init__(self, seed: int) -> None:
        self._random = torch.Generator().manual_seed(seed)

    def see(
        self, prints: Tensor, around: Tensor, trouble: Tensor, light: Tensor | None = None
    ) -> Views:
        """Crops of `prints` uint8 (n, PRINT, PRINT, 4) BGRA among neighbours `around`, alike.

        `trouble` (n,) from 0, as when teaching with care, to 1, a poor webcam; `light` (n, 2) is
        drawn if it is not given.
        """
        n = len(prints)
        if light is None:
            light = self._normal(n, 2) * torch.tensor([0.25, 0.3]) * (0.4 + 0.6 * trouble[:, None])
        size = torch.exp(self._uniform(n, math.log(24), math.log(64)))
        size = torch.where(trouble < 0.3, size.clamp(min=44), size)
        canvas = self._canvas(prints, around, trouble)
        crops = _warp(canvas, self._misplaced(size, trouble), CANVAS / PRINT)
        crops = self._covered(self._lit(crops, light, trouble), trouble)
        crops = self._sensed(self._blurred(crops, size, trouble), size, trouble)
        crops = (crops.clamp(0, 1) * 255).round().to(torch.uint8)
        return Views(crops.permute(0, 2, 3, 1).contiguous(), light)

    def _uniform(self, n: int, low: float, high: float, *shape: int) -> Tensor:
        return torch.rand(n, *shape, generator=self._random) * (high - low) + low

    def _normal(self, n: int, *shape: int) -> Tensor:
        return torch.randn(n, *shape, generator=self._random)

    def _often(self, n: int, share: float | Tensor) -> Tensor:
        return torch.rand(n, generator=self._random) < share

    def _clouds(self, n: int, cells: int, side: int) -> Tensor:
        seeds = self._normal(n, 1, cells, cells)
        return nn.interpolate(seeds, (side, side), mode="bicubic", align_corners=False)

    def _canvas(self, prints: Tensor, around: Tensor, trouble: Tensor) -> Tensor:
        """Prints on a table, among others: linear light (n, 3, CANVAS, CANVAS)."""
        n, edge = len(prints), (CANVAS - PRINT) // 2
        table = self._uniform(n, 0.02, 0.9, 1, 1, 1) * (1 + 0.4 * self._normal(n, 3, 1, 1)).clamp(
            0.3, 2
        )
        canvas = table * (1 + 0.15 * self._clouds(n, 12, CANVAS)).clamp(0.3, 2)
        ring = torch.ones(1, 1, CANVAS, CANVAS)
        ring[:, :, edge - 1 : -edge + 1, edge - 1 : -edge + 1] = 0.6
        canvas = canvas * ring
        grain = 1 + 0.04 * trouble[:, None, None, None] * self._clouds(n, 24, PRINT)
        face = torch.cat(
            [_linear(prints[..., :3]) * grain, prints[..., 3:].permute(0, 3, 1, 2) / 255], 1
        )
        others = torch.cat([_linear(around[..., :3]), around[..., 3:].permute(0, 3, 1, 2) / 255], 1)
        near = self._often(n, 0.5)
        gap = 1
        for axis, side in ((2, 0), (2, 1), (3, 0), (3, 1)):
            shown = (near & self._often(n, 0.5))[:, None, None, None].float()
            others = others.roll(1, 0)
            strip = others.narrow(axis, PRINT - edge + gap if side == 0 else 0, edge - gap)
            where = canvas.narrow(axis, 0 if side == 0 else CANVAS - edge + gap, edge - gap)
            where = where.narrow(5 - axis, edge, PRINT)
            where += shown * strip[:, 3:] * (strip[:, :3] - where)
        middle = canvas[:, :, edge:-edge, edge:-edge]
        middle += face[:, 3:] * (face[:, :3] - middle)
        return canvas

    def _lit(self, canvas: Tensor, light: Tensor, trouble: Tensor) -> Tensor:
        n = len(canvas)
        local = self._normal(n, 2) * 0.06 * trouble[:, None]
        chroma = light + local
        gains = torch.stack([chroma[:, 1], torch.zeros(n), chroma[:, 0]], 1)
        gains = gains - 0.3 * gains.mean(1, keepdim=True)
        exposure = self._normal(n, 1) * 0.3 * trouble[:, None] - 0.1
        y, x = torch.meshgrid(
            torch.linspace(-1, 1, CROP), torch.linspace(-1, 1, CROP), indexing="ij"
        )
        slope = self._normal(n, 2) * 0.2 * trouble[:, None]
        ramp = slope[:, :1, None] * x + slope[:, 1:, None] * y
        angle, at = self._uniform(n, 0, 2 * math.pi), self._uniform(n, -0.8, 0.8)
        across = torch.cos(angle)[:, None, None] * x + torch.sin(angle)[:, None, None] * y
        soft = self._uniform(n, 0.02, 0.5)[:, None, None]
        deep = self._uniform(n, 0.0, 1.0) * (self._often(n, 0.25 * trouble)).float()
        shadow = -deep[:, None, None] * torch.sigmoid((across - at[:, None, None]) / soft * 4)
        tint = 1 + 0.15 * self._normal(n, 3, 1, 1) * torch.ones(1, 3, 1, 1)
        shade = (ramp + exposure[:, :, None])[:, None] + shadow[:, None] * tint
        lit = canvas * torch.exp(shade + gains[:, :, None, None])
        # Light that the surface mirrors: a veil over all, and a spot.
        white = torch.exp(gains)[:, :, None, None]
        veil = self._uniform(n, 0.0, 0.06) * trouble
        spot = self._uniform(n, 0.0, 0.8) * self._often(n, 0.12 * trouble).float()
        px, py, wide = (
            self._uniform(n, *span)[:, None, None]
            for span in ((-0.8, 0.8), (-0.8, 0.8), (0.1, 0.8))
        )
        glow = torch.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * wide**2))
        return lit + white * (veil[:, None, None] + spot[:, None, None] * glow)[:, None]

    def _covered(self, canvas: Tensor, trouble: Tensor) -> Tensor:
        """Some faces have a part hidden, from an edge or a corner on, by something plain."""
        n = len(canvas)
        y, x = torch.meshgrid(
            torch.linspace(-1, 1, CROP), torch.linspace(-1, 1, CROP), indexing="ij"
        )
        angle = self._uniform(n, 0, 2 * math.pi)
        across = torch.cos(angle)[:, None, None] * x + torch.sin(angle)[:, None, None] * y
        reach = 1.0 + 0.4 * torch.sin(2 * angle).abs()
        share = self._uniform(n, 0.0, 0.55) * self._often(n, 0.2 * trouble).float()
        hidden = torch.sigmoid((across - (reach - share)[:, None, None]) * 60)[:, None]
        hidden = hidden * (share > 0).float()[:, None, None, None]
        plain = self._uniform(n, 0.02, 0.9, 3, 1, 1) * (1 + 0.1 * self._clouds(n, 6, CROP))
        return canvas + hidden * (plain - canvas)

    def _blurred(self, canvas: Tensor, size: Tensor, trouble: Tensor) -> Tensor:
        """Lens and pixels; along each axis on its own, since hands and tables shake."""
        n = len(canvas)
        optics = self._uniform(n, 0.3, 0.9, 2) * (0.6 + 0.6 * trouble[:, None])
        poor = self._often(n, 0.2 * trouble)[:, None].float() * self._uniform(n, 0, 1.2, 2)
        sigma = (optics + poor) * CROP / size[:, None]
        steps = torch.arange(-4, 5).float()
        for axis in (0, 1):
            kernel = torch.exp(-(steps**2) / (2 * sigma[:, axis : axis + 1] ** 2))
            kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(3, 0)
            shape = (3 * n, 1, 9, 1) if axis == 0 else (3 * n, 1, 1, 9)
            pad = (0, 0, 4, 4) if axis == 0 else (4, 4, 0, 0)
            padded = nn.pad(canvas.reshape(1, 3 * n, CROP, CROP), pad, mode="replicate")
            canvas = nn.conv2d(padded, kernel.reshape(shape), groups=3 * n)
        return canvas.reshape(n, 3, CROP, CROP)

    def _sensed(self, light: Tensor, size: Tensor, trouble: Tensor) -> Tensor:
        """From light on the sensor to the stored picture, 0 to 1."""
        n = len(light)
        noise = self._uniform(n, 0.0, 1.0) ** 2 * trouble
        shot = (noise * 0.004)[:, None, None, None]
        read = (noise * 0.012)[:, None, None, None]
        # Crops of small faces are stretched, and the noise with them.
        fine, coarse = self._normal(n, 3, CROP, CROP), self._normal(n, 3, CROP // 2, CROP // 2)
        coarse = nn.interpolate(coarse, (CROP, CROP), mode="bilinear", align_corners=False)
        speckle = torch.where((size < 36)[:, None, None, None], coarse, fine)
        picture = light + torch.sqrt(light.clamp(min=0) * shot + read**2) * speckle
        mosaic = (self._often(n, 0.7 * trouble))[:, None, None, None]
        picture = torch.where(mosaic, _demosaiced(picture), picture).clamp(0, 1)
        tone = torch.exp(0.12 * self._normal(n) * (0.3 + trouble))[:, None, None, None]
        picture = (picture + 1e-5) ** (tone / 2.2)
        curve = (0.25 * trouble * self._uniform(n, -0.5, 1.0))[:, None, None, None]
        picture = picture + curve * (3 * picture**2 - 2 * picture**3 - picture)
        grey = picture.mean(1, keepdim=True)
        strong = (1 + 0.15 * self._normal(n) * (0.2 + trouble)).clamp(0.6, 1.5)[:, None, None, None]
        picture = grey + strong * (picture - grey)
        sharper = (self._uniform(n, 0, 1.2) * trouble)[:, None, None, None]
        soft = nn.avg_pool2d(nn.pad(picture, (1, 1, 1, 1), mode="replicate"), 3, 1)
        picture = (picture + sharper * (picture - soft)).clamp(0, 1)
        quality = 95 - 60 * self._uniform(n, 0, 1) * trouble
        return jpeg(picture, quality)

    def _misplaced(self, size: Tensor, trouble: Tensor) -> Tensor:
        """A small error (n, 3, 3) of the quad, about its own middle."""
        n = len(size)
        spread = (0.2 + 0.8 * trouble)[:, None]
        pixels = 0.7 / size[:, None]
        move = (self._normal(n, 2) * (pixels + 0.012)) * 2 * spread
        scale = 1 + (self._normal(n, 2) * (pixels + 0.012)) * spread
        turn = (self._normal(n, 1) * (pixels + 0.012) * 1.2) * spread
        slant = (self._normal(n, 1) * 0.01) * spread
        lean = self._normal(n, 2) * 0.01 * spread
        rows = torch.zeros(n, 3, 3)
        rows[:, 0, 0], rows[:, 1, 1], rows[:, 2, 2] = scale[:, 0], scale[:, 1], 1
        rows[:, 0, 1], rows[:, 1, 0] = -turn[:, 0] + slant[:, 0], turn[:, 0]
        rows[:, :2, 2], rows[:, 2, :2] = move, lean
        return rows


def _linear(bgr: Tensor) -> Tensor:
    """sRGB bytes (n, h, w, 3) to linear light (n, 3, h, w)."""
    return (bgr.permute(0, 3, 1, 2) / 255) ** 2.2


def _warp(picture: Tensor, quads: Tensor, zoom: float) -> Tensor:
    """Crops (n, 3, CROP, CROP) whose points `quads` (n, 3, 3) maps to points of the face.

    The face lies from -1 to 1 in the middle of pictures that are `zoom` times as wide.
    """
    side = CROP
    line = (torch.arange(side) + 0.5) / side * 2 - 1
    y, x = torch.meshgrid(line, line, indexing="ij")
    points = torch.stack([x, y, torch.ones_like(x)]).reshape(3, -1)
    mapped = quads @ points
    grid = (mapped[:, :2] / mapped[:, 2:] / zoom).transpose(1, 2).reshape(-1, side, side, 2)
    return nn.grid_sample(picture, grid, padding_mode="border", align_corners=False)


def _demosaiced(picture: Tensor) -> Tensor:
    """What remains of the channels after a Bayer mosaic and bilinear interpolation."""
    mask = torch.zeros(3, CROP, CROP)
    mask[0, 1::2, 1::2], mask[2, ::2, ::2] = 1, 1
    mask[1, ::2, 1::2], mask[1, 1::2, ::2] = 1, 1
    kernel = torch.tensor([[0.25, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 0.25]]).expand(3, 1, 3, 3)
    seen = nn.conv2d(picture * mask, kernel, padding=1, groups=3)
    return seen / nn.conv2d(mask[None], kernel, padding=1, groups=3)
