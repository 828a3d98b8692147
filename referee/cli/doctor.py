"""`referee doctor`: what is there and what is missing, each line with what to do."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from serial.tools import list_ports

from referee.box.ports import BOX_IDS
from vision.errors import UnreadableError

#: Opening cameras can hang in a driver, so it happens in a process of its own, for so long.
CAMERA_SECONDS = 6.0
#: A recorded match and its evidence pictures fit into this easily.
DISK_BYTES = 1_000_000_000

_PROBE = (
    "from vision.camera import found_cameras\n"
    "print(*(f'{c.spec} ({c.name})' for c in found_cameras()), sep='\\n')"
)


@dataclass(frozen=True)
class Line:
    """One thing that was looked at; `remedy` says what to do if it is not ok."""

    name: str
    ok: bool
    found: str
    remedy: str = ""
    needed: bool = True
    """Whether nothing works without it."""


@click.command()
@click.option(
    "--camera",
    "spec",
    metavar="SPEC",
    help="Also judge the picture of this camera, or this file, and look for the markers.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(spec: str | None, as_json: bool) -> None:
    """Say what is there and what is missing, and what to do about it.

    Opens no serial port and changes nothing. The exit code is 1 if something is missing without
    which nothing works.
    """
    lines = []
    for line in _examine(spec):
        lines.append(line)
        if not as_json:
            mark = (
                click.style("ok     ", fg="green")
                if line.ok
                else click.style("missing", fg="yellow")
            )
            click.echo(f"{mark}  {line.name:9} {line.found}")
            if not line.ok:
                click.echo(f"{'':19}-> {line.remedy}")
    if as_json:
        click.echo(json.dumps({"ok": _healthy(lines), "lines": [asdict(line) for line in lines]}))
    if not _healthy(lines):
        sys.exit(1)


def _healthy(lines: list[Line]) -> bool:
    return all(line.ok for line in lines if line.needed)


def _examine(spec: str | None) -> Iterator[Line]:
    yield _software()
    yield _disk()
    yield _kit()
    yield _models()
    yield _cameras()
    if spec is not None:
        yield from _picture(spec)
    yield _box()


def _software() -> Line:
    parts = [f"referee {version('table-referee')}", f"Python {platform.python_version()}"]
    try:
        import cv2
    except ImportError as error:
        return Line(
            "software",
            False,
            f"{', '.join(parts)}; OpenCV does not start: {error}",
            "On Debian install the packages libgl1 and libglib2.0-0; elsewhere install again.",
        )
    parts += [f"OpenCV {cv2.__version__}", f"{platform.system()} {platform.machine()}"]
    return Line("software", True, ", ".join(parts))


def _disk() -> Line:
    free = shutil.disk_usage(Path.cwd()).free
    return Line(
        "disk",
        free >= DISK_BYTES,
        f"{free / 1e9:.1f} GB free in {Path.cwd()}",
        f"Free some space: {DISK_BYTES / 1e9:.0f} GB is enough for recorded matches.",
    )


def _kit() -> Line:
    from referee.cli.kitset import kit_book

    try:
        book = kit_book()
    except (UnreadableError, OSError, ValueError) as error:
        return Line(
            "kit", False, f"its faces can't be drawn: {error}", "Install table-referee again."
        )
    return Line("kit", True, f"{len(book.labels)} faces taught (book {book.hash})")


def _models() -> Line:
    from vision.network import listed, network

    names = listed()
    broken: list[UnreadableError] = []
    for name in names:
        try:
            network(name)
        except UnreadableError as error:
            broken.append(error)
    if broken:
        what = " ".join(error.what for error in broken)
        return Line("models", False, what, broken[0].remedy, needed=False)
    return Line(
        "models",
        bool(names),
        f"{', '.join(names)}: undamaged" if names else "none: classical vision reads alone",
        "Install the program again to get its models; without them more readings are doubtful.",
        needed=False,
    )


def _cameras() -> Line:
    try:
        probe = subprocess.run(
            [sys.executable, "-c", _PROBE],
            capture_output=True,
            text=True,
            timeout=CAMERA_SECONDS,
            check=False,
        )
        output: str | bytes = probe.stdout
    except subprocess.TimeoutExpired as slow:
        output = slow.stdout or ""
    text = output.decode() if isinstance(output, bytes) else output
    cameras = text.splitlines()
    return Line(
        "cameras",
        bool(cameras),
        ", ".join(cameras) or "no camera found",
        "Plug in a USB camera, close other programs that use it; photos and the demo need none.",
        needed=False,
    )


def _picture(spec: str) -> Iterator[Line]:
    """Whether the picture of a source is fit to be read, and shows the markers."""
    from vision.camera import open_source
    from vision.fitness import complaints

    try:
        camera = open_source(spec)
        try:
            image = camera.read().image
        finally:
            camera.close()
    except UnreadableError as error:
        yield Line("picture", False, error.what, error.remedy, needed=False)
        return
    wrong = complaints(image)
    yield Line(
        "picture",
        not wrong,
        " ".join(each.what for each in wrong) or f"{spec}: bright and sharp enough to be read",
        " ".join(each.remedy for each in wrong),
        needed=False,
    )
    yield _markers(spec, image)


def _markers(spec: str, image: NDArray[np.uint8]) -> Line:
    from referee.cli.kitset import kit_layout
    from vision.plane import find_plane

    layout = kit_layout()
    try:
        plane = find_plane(image, layout)
    except UnreadableError as error:
        return Line("markers", False, error.what, error.remedy, needed=False)
    hidden = sorted({marker.id for marker in layout.markers} - set(plane.markers))
    return Line(
        "markers",
        not hidden,
        f"{spec}: markers {', '.join(map(str, plane.markers))} seen"
        + (f", {', '.join(map(str, hidden))} not" if hidden else ""),
        "It works like this; uncover the others to be safe when a hand covers one.",
        needed=False,
    )


def _box() -> Line:
    found = [
        f"{port.device} ({BOX_IDS[(port.vid, port.pid)]})"
        for port in list_ports.comports()
        if (port.vid, port.pid) in BOX_IDS
    ]
    return Line(
        "box",
        bool(found),
        ", ".join(found) or "no box found",
        "Plug in the box by USB; all can be entered by hand without it.",
        needed=False,
    )
