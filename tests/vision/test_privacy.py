"""What is around the table is nobody's business."""

from __future__ import annotations

import numpy as np

from vision.plane import plane_from_corners
from vision.privacy import table_only

#: Two pixels a millimetre: the margin of 45 mm is 90 pixels.
CORNERS = ((300, 200), (900, 200), (900, 600), (300, 600))


def test_all_but_the_table_and_its_margin_is_black() -> None:
    image = np.full((900, 1300, 3), 200, np.uint8)
    plane = plane_from_corners(CORNERS, (300.0, 200.0), (1300, 900))
    shown = table_only(image, plane)
    assert (shown[200:601, 300:901] == 200).all()
    assert (shown[115:120, 215:985] == 200).all()
    assert not shown[:105].any()
    assert not shown[695:].any()
    assert not shown[:, :205].any()
    assert not shown[:, 995:].any()
    assert (image == 200).all(), "the picture that is read stays as it is"


def test_without_a_plane_nothing_is_shown() -> None:
    assert not table_only(np.full((9, 9, 3), 200, np.uint8), None).any()
