"""What trains the face networks: the camera's light, JPEG's loss, and what no light changes."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.faces.camera import CROP, PRINT, Camera  # noqa: E402
from models.faces.jpeg import jpeg  # noqa: E402
from models.faces.net import Encoder  # noqa: E402


def test_light_is_what_the_camera_was_given() -> None:
    grey = torch.full((32, PRINT, PRINT, 4), 100, dtype=torch.uint8)
    grey[..., 3] = 255
    light = torch.tensor([[0.4, -0.3]]).repeat(32, 1)
    crops = Camera(1).see(grey, grey, torch.zeros(32), light).crops.numpy() / 255.0
    middle = crops[:, 12:36, 12:36].mean(axis=(1, 2))
    seen = np.log(middle**2.2)
    # The log of red over green, and of blue over green, but for the camera's tone and saturation.
    assert np.mean(seen[:, 2] - seen[:, 1]) == pytest.approx(0.4, abs=0.06)
    assert np.mean(seen[:, 0] - seen[:, 1]) == pytest.approx(-0.3, abs=0.06)


def test_jpeg_loses_more_at_lower_quality() -> None:
    random = torch.Generator().manual_seed(1)
    pictures = torch.rand(4, 3, CROP, CROP, generator=random) * 0.5 + 0.25
    lost = [
        float((jpeg(pictures, torch.full((4,), quality)) - pictures).abs().mean())
        for quality in (95.0, 60.0, 20.0)
    ]
    assert lost == sorted(lost)
    flat = torch.full((1, 3, CROP, CROP), 0.5)
    assert float((jpeg(flat, torch.tensor([90.0])) - flat).abs().max()) < 0.01


def test_no_light_changes_the_embedding() -> None:
    torch.manual_seed(0)
    encoder = Encoder().eval()
    rng = np.random.default_rng(1)
    # Greys far from black and from white, so that neither the floor nor clipping matters.
    crop = rng.integers(80, 140, (CROP // 8, CROP // 8, 1)).repeat(8, 0).repeat(8, 1)
    crop = crop.repeat(3, 2)
    other = crop * np.array([1.25, 1.0, 0.85])
    both = torch.from_numpy(np.stack([crop, other]).round().astype(np.uint8))
    with torch.no_grad():
        _, embedding, chroma, weight = encoder(both)
    assert float(embedding[0] @ embedding[1]) > 0.95
    known = weight[0, 0] > 0.3
    change = (chroma[1] - chroma[0])[:, known].mean(1)
    assert float(change[0]) == pytest.approx(2.2 * np.log(0.85), rel=0.3)
    assert float(change[1]) == pytest.approx(2.2 * np.log(1.25), rel=0.3)
