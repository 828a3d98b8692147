"""Turns what vision sees into what a match takes: claims, identities, and pictures on demand."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.claims import Claims
from referee.match.commands import Sight
from referee.match.evidence import evidence
from referee.match.verdict import Reason, Verdict
from vision.session import Look
from vision.settle import Settled
from vision.stillness import Why

#: What keeps a table from being read, as the reason for no verdict.
_BUSY: dict[Why, Reason] = {
    "hand": Reason.HAND_OVER_TABLE,
    "motion": Reason.TABLE_MOVES,
    "light": Reason.LIGHT_CHANGES,
    "stale": Reason.NO_NEW_PICTURES,
    "moved": Reason.CAMERA_MOVED,
}
_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 85]


class Sighting:
    """Makes a `Sight` of each look; the same settled table gives the same claims."""

    def __init__(self) -> None:
        self._last: tuple[Settled, Claims] | None = None

    def of(self, look: Look) -> Sight:
        """What a look gives to a match."""
        settled = look.settled
        if settled is None:
            return Sight(look.frame.id, look.frame.captured_at, why=why(look), picture=_Plain(look))
        if self._last is None or self._last[0] is not settled:
            self._last = (settled, Claims.of(settled.observation))
        return Sight(
            frame=look.frame.id,
            at=look.frame.captured_at,
            claims=self._last[1],
            read_at=settled.observation.captured_at,
            identities=tuple(int(number) for number in settled.tile_identities),
            picture=_Drawn(look, settled),
            crop=_Crop(look, settled),
        )


def why(look: Look) -> Reason:
    """What is in the way of reading a table."""
    if look.tracked.plane is None:
        return Reason.PLANE_NOT_FOUND
    return Reason.LOOKS_DISAGREE if look.quiet.why is None else _BUSY[look.quiet.why]


class _Plain:
    """The table as it is."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def __call__(self, verdict: Verdict[Any] | None) -> bytes | None:
        return _jpeg(self._look.picture)


class _Drawn:
    """The table with its readings, and what a verdict concerns."""

    def __init__(self, look: Look, settled: Settled) -> None:
        self._look, self._settled = look, settled

    def __call__(self, verdict: Verdict[Any] | None) -> bytes | None:
        image = self._look.picture
        if verdict is not None:
            image = evidence(image, self._settled.observation, verdict)
        return _jpeg(image)


class _Crop:
    """One tile of the frame, upright, as PNG: a face can be taught from it."""

    def __init__(self, look: Look, settled: Settled) -> None:
        self._look, self._settled = look, settled

    def __call__(self, tile: int) -> bytes | None:
        quads = self._settled.observation.tiles.quads_px
        if not 0 <= tile < len(quads):
            return None
        quad = quads[tile]
        width, height = (
            max(8, round(float(np.linalg.norm(quad[a] - quad[b])))) for a, b in ((1, 0), (3, 0))
        )
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
        flat = cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
        crop = cv2.warpPerspective(self._look.frame.image, flat, (width, height))
        done, png = cv2.imencode(".png", crop)
        return png.tobytes() if done else None


def _jpeg(image: NDArray[np.uint8]) -> bytes | None:
    done, jpeg = cv2.imencode(".jpg", image, _QUALITY)
    return jpeg.tobytes() if done else None
