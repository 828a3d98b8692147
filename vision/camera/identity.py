"""Which camera is which: names that stay when its number changes.

A number ("0", /dev/video0) is given out anew at every start and every replugging. A key is made of
what stays: vendor and product with the serial number, or with the USB port that it is plugged into
where there is no serial number, or two cameras bear the same one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.errors import UnreadableError

#: What a camera's key begins with where a source is named.
PREFIX = "camera:"


@dataclass(frozen=True)
class Found:
    """A camera that is plugged in now.

    `place` is what OpenCV opens at this moment; `keys` are the stable names that it answers to,
    the best first, none if the system tells nothing that stays. `device` is its device file where
    there is one, `anchor` a path that vanishes with it.
    """

    place: int
    name: str
    keys: tuple[str, ...] = ()
    device: Path | None = None
    anchor: Path | None = None

    @property
    def spec(self) -> str:
        """What `open_source` takes for it."""
        return PREFIX + self.keys[0] if self.keys else str(self.place)


def usb_keys(
    vendor: str, product: str, serial: str, port: str, function: int = 0
) -> tuple[str, ...]:
    """Keys of a USB camera: by serial number if it has one, and by port.

    `function` is the number of its video interface: some devices hold two cameras.
    """
    model, tail = f"{vendor}:{product}", f"#{function}" if function else ""
    named = f"{model}:{'_'.join(serial.split())}{tail}"
    plugged = f"{model}@{port}{tail}"
    # Vendors that number nothing leave the field empty or full of zeros.
    return (named, plugged) if serial.strip(" 0") else (plugged,)


def told_apart(cameras: Sequence[Found]) -> list[Found]:
    """The cameras without keys that more than one of them answers to."""
    shared = Counter(key for camera in cameras for key in camera.keys)
    return [
        Found(
            camera.place,
            camera.name,
            tuple(key for key in camera.keys if shared[key] == 1),
            camera.device,
            camera.anchor,
        )
        for camera in cameras
    ]


def find(key: str, cameras: Sequence[Found]) -> Found | None:
    """The camera that answers to `key`; None if there is none.

    Raises UnreadableError if more than one does: a wrong camera is worse than none.
    """
    fitting = [camera for camera in cameras if key in camera.keys]
    if len(fitting) > 1:
        apart = [camera.spec for camera in told_apart(fitting)]
        raise UnreadableError(
            "{n} cameras answer to {key}: they bear the same serial number.",
            "Name one by its port: {ports}.",
            n=len(fitting),
            key=key,
            ports=" or ".join(apart),
        )
    return fitting[0] if fitting else None


def same_camera(known: Found, cameras: Sequence[Found]) -> Found | None:
    """A camera known from before among those plugged in now; None if it isn't among them.

    Its best key decides; if several answer to that, the one that answers to all its keys.
    """
    fitting = [camera for camera in cameras if known.keys[0] in camera.keys]
    if len(fitting) > 1:
        fitting = [camera for camera in fitting if set(known.keys) <= set(camera.keys)]
    return fitting[0] if len(fitting) == 1 else None
