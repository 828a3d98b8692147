"""A house whose cameras are drawn and whose box is in this program; it counts what is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from referee.box.box import Box
from referee.cli.opening import KitGear
from referee.web.house import House
from referee.web.setup.settings import Settings
from vision.camera import Camera, Drawn, Found, Image
from vision.errors import UnreadableError

SEATS = {"yellow": "Ann", "blue": "Ben"}
GREY = np.full((72, 128, 3), 90, np.uint8)


def grey() -> Image:
    """A picture that shows nothing."""
    return GREY


class DrawnGear(KitGear):
    """Cameras `camera:NAME` for each drawing, in place of those of this machine."""

    def __init__(self, drawings: dict[str, Callable[[], Image]] | None = None) -> None:
        super().__init__()
        self.drawings = {"one": grey} if drawings is None else drawings
        self.opened: list[str] = []
        """What was opened so far, cameras and boxes."""

    def cameras(self) -> Sequence[Found]:
        """One for each drawing."""
        return [Found(n, f"Camera {name}", (name,)) for n, name in enumerate(self.drawings)]

    def open(self, spec: str, settings: Settings) -> Camera:
        """The drawing of that name."""
        name = spec.removeprefix("camera:")
        if name not in self.drawings:
            raise UnreadableError(f"The camera {spec} isn't there.", "Plug it in.")
        self.opened.append(spec)
        return Drawn(self.drawings[name])

    def box(self, port: str) -> Box:
        """A box in this program, whatever the port."""
        self.opened.append(port)
        return Box(port or "fake://house")


def a_house(folder: Path, gear: DrawnGear | None = None, **overrides: object) -> House:
    """A house all of whose files lie in a folder; without a camera unless one is named."""
    chosen = {"camera": "none", "box": "none", **overrides}
    return House(
        gear or DrawnGear(), folder / "matches", file=folder / "settings.toml", overrides=chosen
    )
