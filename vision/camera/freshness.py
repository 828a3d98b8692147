"""Whether what a camera sends is new: by content and by the driver's own times.

That reading succeeds says nothing: after unplugging, some drivers give their last picture, or
their last few in turn, for ever.
"""

from __future__ import annotations

import hashlib
from collections import deque

from vision.camera.device import Shot
from vision.camera.frames import Image

#: Drivers hold a handful of buffers; a picture that equals one of so many before it is old.
_REMEMBERED = 64
#: Every so many-th pixel is compared: sensor noise differs in thousands of them.
_STEP = 7
#: After so many steps forward a driver's times are trusted: if they stand still, so does it.
_TRUSTED = 5
#: A driver's time that lies further back is of another clock.
_PLAUSIBLE_S = 10.0


class Freshness:
    """Tells new pictures from old ones, and how old they are. Times are in seconds."""

    def __init__(self, at: float) -> None:
        self.changed_at = at
        """When the last new picture came."""
        self._seen: deque[bytes] = deque(maxlen=_REMEMBERED)
        self.reopened(at)

    def reopened(self, at: float) -> None:
        """The device was opened anew: its times may begin anew, its last picture may not."""
        self.changed_at = at
        self._stamp: float | None = None
        self._steps = 0

    def captured_at(self, shot: Shot, at: float) -> float | None:
        """When a shot that came at `at` was taken; None if it is an old picture.

        The driver's time is taken if it is one of the monotonic clock, as on Linux: pictures can
        lie in buffers for a while.
        """
        stands_still = self._stands_still(shot.stamp)
        digest = _digest(shot.image)
        if digest in self._seen or stands_still:
            return None
        self._seen.append(digest)
        self.changed_at = at
        stamp = shot.stamp
        return stamp if stamp is not None and 0.0 <= at - stamp <= _PLAUSIBLE_S else at

    def _stands_still(self, stamp: float | None) -> bool:
        last, self._stamp = self._stamp, stamp
        if stamp is None or last is None:
            return False
        if stamp != last:
            # Going back, it began anew.
            self._steps = self._steps + 1 if stamp > last else 0
            return False
        return self._steps >= _TRUSTED


def _digest(image: Image) -> bytes:
    part = image[_STEP // 2 :: _STEP, _STEP // 2 :: _STEP]
    return hashlib.blake2b(
        str(image.shape).encode() + part.tobytes(), digest_size=8, usedforsecurity=False
    ).digest()
