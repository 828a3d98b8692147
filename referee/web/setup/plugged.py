"""The camera and the box of a house: they stay open from one match to the next."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.box.box import Box
from referee.claims import layout_of
from referee.games.said import listed, say
from referee.games.table import TablePlan
from referee.match.watch import Watch
from referee.web.gear import Gear
from referee.web.setup.cameras import Cameras, Tap
from referee.web.setup.settings import KIT, NONE, Settings
from vision.camera import Live as LiveCamera
from vision.camera import identity_of, is_live
from vision.errors import UnreadableError
from vision.faces import FaceBook
from vision.plane import Lens
from vision.plane.lens_file import CameraLens
from vision.reader import TableReader
from vision.session import Session


@dataclass(frozen=True, slots=True)
class Parts:
    """What looks at the table of one match, and acts at it.

    `camera` and `tap` are None if none is to be used, so is `box`.
    """

    camera: str | None
    tap: Tap | None
    lens: Lens | None
    book: Callable[[], FaceBook]
    box: Box | None


class Plugged:
    """What is plugged in, as the settings name it; for any thread."""

    def __init__(self, gear: Gear, settings: Callable[[], Settings]) -> None:
        """`settings` gives those that hold now."""
        self._gear, self._settings = gear, settings
        self._cameras = Cameras(lambda spec: gear.open(spec, settings()))
        self._kept: tuple[str, Tap] | None = None
        self._box: tuple[str, Box] | None = None
        self._lock = threading.Lock()

    def tap(self, spec: str) -> Tap:
        """A reader of a camera; for any thread."""
        return self._cameras.tap(spec)

    def reopen(self) -> None:
        """Has cameras opened anew, with the settings that hold by now."""
        self._cameras.reopen()

    @property
    def live(self) -> LiveCamera | None:
        """The camera that is kept open, if its settings can be held."""
        return None if self._kept is None else self._kept[1].live

    def camera(self) -> str | None:
        """The camera that is meant: the only one if none is named; None if none is to be used.

        Raises UnreadableError if that is not clear.
        """
        spec = self._settings().camera
        if spec:
            return None if spec == NONE else spec
        found = self._gear.cameras()
        if len(found) > 1:
            raise UnreadableError(
                say(
                    "Which camera is meant is not said: there are {cameras}.",
                    cameras=listed([camera.spec for camera in found]),
                ),
                say("Choose one at /setup, or name it with --camera."),
            )
        return found[0].spec if found else None

    @property
    def known(self) -> Box | None:
        """The box that is used so far, if there is one; asks for none."""
        kept = self._box
        return None if kept is None else kept[1]

    def box(self) -> Box | None:
        """The box of the settings, which need not be there yet; None if none is to be used."""
        port = self._settings().box
        with self._lock:
            if self._box is not None and self._box[0] != port:
                self._box[1].close()
                self._box = None
            if port == NONE:
                return None
            if self._box is None:
                self._box = port, self._gear.box(port)
            return self._box[1]

    def parts(self, camera: str | None, stack: ExitStack) -> Parts:
        """What a match needs; `stack` closes what is for this match only.

        A match is not held up by a camera or box that will be plugged in later. Raises
        UnreadableError if a file can't be used.
        """
        settings = self._settings()
        # A file may be the wrong one; the kit's faces take a while, and are known to be there.
        taught = None if settings.book == KIT else self._gear.book(settings.book)
        tap = lens = None
        if camera is not None:
            self._keep(camera)
            tap = self.tap(camera)
            stack.callback(tap.close)
            if not is_live(camera):
                tap.open()
            lens = _lens(settings.lens, camera, tap) if settings.lens else None
        return Parts(
            camera, tap, lens, cache(lambda: taught or self._gear.book(settings.book)), self.box()
        )

    def watch(self, plan: TablePlan, parts: Parts) -> Watch | None:
        """What looks at a table; None without a camera."""
        if parts.tap is None:
            return None

        @cache
        def reader() -> TableReader:
            return TableReader(layout_of(plan), parts.book(), dial=self._gear.dial(plan))

        return Watch(parts.tap, lambda: Session(reader(), lens=parts.lens))

    def unplug(self) -> None:
        """Lets go of the box; whoever waits for its arrow is told."""
        with self._lock:
            kept, self._box = self._box, None
        if kept is not None:
            kept[1].close()

    def close(self) -> None:
        """Lets go of both."""
        self.unplug()
        if self._kept is not None:
            self._kept[1].close()
            self._kept = None

    def _keep(self, camera: str) -> None:
        """Keeps a camera open as long as it is the one that is used."""
        if self._kept is None or self._kept[0] != camera:
            before, self._kept = self._kept, (camera, self.tap(camera))
            if before is not None:
                before[1].close()


def _lens(file: str, camera: str, tap: Tap) -> Lens:
    """The lens in a file; raises UnreadableError if it is another camera's."""
    own = CameraLens.load(Path(file))
    try:
        height, width = tap.read().image.shape[:2]
        identity = identity_of(camera)
    except UnreadableError:
        # It is plugged in later.
        return own.lens
    return own.fitting(identity, (width, height))
