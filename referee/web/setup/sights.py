"""What cameras see while somebody sets up: pictures, their fitness, and the table's markers.

Each camera that is asked for is looked at in a thread of its own, until nobody asks any more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.web.setup.cameras import Tap
from referee.words import said
from vision.camera import EndOfFramesError, Frame, Held, Image
from vision.errors import UnreadableError
from vision.fitness import Complaint, complaints
from vision.layout import Layout
from vision.plane import PlacedBoard, Plane, find_boards
from vision.plane.finding import Located, locate
from vision.plane.geometry import corners_of

#: A camera that nobody has asked for so long is let go. (s)
IDLE_S = 6.0
#: Seconds between two looks: while nothing else is to be done, and beside a running match.
LOOK_S, BESIDE_S = 0.25, 1.0
#: A failing camera is left alone for so long. (s)
RETRY_S = 1.0
#: So long is waited for a camera that is to be let go. (s)
STOP_S = 3.0
#: Pictures are sent no wider than this.
SHOWN_PX = 1280
_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 80]


@dataclass(frozen=True, eq=False)
class Sight:
    """What one picture of a camera shows; `frame` is None as long as none came.

    trouble: What is wrong with the camera, and what to do; empty if nothing is.
    located: The table's markers; None unless they were looked for.
    boards: The table's boards; empty as long as the plane is not found.
    """

    frame: Frame | None = None
    trouble: tuple[str, str] = ("", "")
    complaints: tuple[Complaint, ...] = ()
    located: Located | None = None
    boards: tuple[PlacedBoard, ...] = ()
    settling: bool = False
    held: tuple[Held, ...] = ()

    @property
    def plane(self) -> Plane | None:
        """The table's plane, if it was found."""
        return None if self.located is None else self.located.plane

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture; zeros without one."""
        if self.frame is None:
            return 0, 0
        return self.frame.image.shape[1], self.frame.image.shape[0]


class Eye:
    """Looks at one camera as long as somebody asks for what it sees; for any thread."""

    def __init__(
        self, tap: Callable[[], Tap], layout: Callable[[], Layout | None], busy: Callable[[], bool]
    ) -> None:
        """`tap` gives a reader, `layout` the table to look for; `busy`: a match must not wait."""
        self._tap, self._layout, self._busy = tap, layout, busy
        self._lock = threading.Condition()
        self._asked = 0.0
        self._running = False
        self._thread: threading.Thread | None = None
        self._again = False
        self._sight = Sight()
        self._jpeg: tuple[Frame | None, bytes] = (None, b"")

    def sight(self) -> Sight:
        """What is seen now."""
        with self._lock:
            self._asked = time.monotonic()
            if not self._running:
                self._running = True
                self._thread = threading.Thread(target=self._look_on, name="eye", daemon=True)
                self._thread.start()
            return self._sight

    def jpeg(self) -> bytes:
        """The newest picture as JPEG; empty as long as there is none."""
        frame = self.sight().frame
        if frame is None:
            return b""
        if self._jpeg[0] is not frame:
            self._jpeg = frame, cv2.imencode(".jpg", _shown(frame.image), _QUALITY)[1].tobytes()
        return self._jpeg[1]

    def settle(self) -> bool:
        """Lets the camera settle anew; whether it is one that can."""
        able = bool(self.sight().held) or self.sight().settling
        self._again = True
        return able

    def stop(self) -> None:
        """Ends it; another question begins it anew."""
        with self._lock:
            self._asked, thread = 0.0, self._thread
            self._lock.notify_all()
        if thread is not None:
            thread.join(STOP_S)

    def _wanted(self) -> bool:
        """Whether somebody still asks; if not, this is over."""
        with self._lock:
            if time.monotonic() - self._asked <= IDLE_S:
                return True
            self._running = False
            # The next one to ask must not be shown what was seen before.
            self._sight = Sight()
            return False

    def _look_on(self) -> None:
        tap = self._tap()
        try:
            while self._wanted():
                pause = BESIDE_S if self._busy() else LOOK_S
                try:
                    sight = self._look(tap)
                except EndOfFramesError:
                    sight, pause = self._sight, RETRY_S
                except UnreadableError as error:
                    sight, pause = replace(self._sight, trouble=said(error)), RETRY_S
                with self._lock:
                    self._sight = sight
                    self._lock.wait_for(lambda: self._asked == 0.0, pause)
        finally:
            with self._lock:
                self._running = False
            tap.close()

    def _look(self, tap: Tap) -> Sight:
        frame = tap.read()
        live = tap.live
        if self._again and live is not None:
            live.settle()
        self._again = False
        sight = Sight(
            frame,
            settling=live is not None and not live.settled,
            held=() if live is None else live.report,
        )
        layout = self._layout()
        if layout is None:
            return replace(sight, complaints=complaints(frame.image))
        located = locate(frame.image, layout)
        plane = located.plane
        if plane is None:
            return replace(sight, located=located, complaints=complaints(frame.image))
        boards = find_boards(frame.image, plane, layout)
        wrong = complaints(
            frame.image,
            zones_px(plane, boards, layout),
            plane.to_px(corners_of(layout.size)),
            plane.px_per_mm,
        )
        return replace(sight, located=located, boards=boards, complaints=wrong)


def zones_px(
    plane: Plane, boards: tuple[PlacedBoard, ...], layout: Layout
) -> dict[str, np.ndarray]:
    """The zones of a table in pixels, (n, 2), by name: those on boards, then those beside them."""
    found = {
        zone.name: plane.lift(placed.to_plane(zone.polygon), placed.board.thickness)
        for placed in boards
        for zone in placed.board.zones
    }
    return {**found, **{zone.name: plane.to_px(zone.polygon) for zone in layout.zones}}


def _shown(image: Image) -> Image:
    height, width = image.shape[:2]
    if width <= SHOWN_PX:
        return image
    size = (SHOWN_PX, round(height * SHOWN_PX / width))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
