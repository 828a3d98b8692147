"""The cameras of a Windows or macOS machine, and of any other.

Linux tells most. Windows tells each camera's device path, which holds vendor, product, and serial
number or port; macOS a unique id that holds the port. Both orders are those of OpenCV's numbers.
None of this could be tried on such a machine yet: the tests hold it against what their
documentation says.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import cv2

from vision.camera.identity import Found

_PROFILER = ("system_profiler", "SPCameraDataType", "-json")
_PROFILER_SECONDS = 10.0
#: USB\\VID_046D&PID_0825&MI_00\\7&2A1C…: the last part is the serial number, or names the port.
_WINDOWS = re.compile(r"vid_([0-9a-f]{4})&pid_([0-9a-f]{4})(?:&mi_([0-9a-f]{2}))?#([^#]+)#", re.I)
#: Numbers that are tried where nothing lists the cameras.
_TRIED = 4


def windows_cameras(listed: Callable[[], Sequence[Any]] | None = None) -> list[Found]:
    """The cameras of a Windows machine, as Media Foundation lists them.

    `listed` stands in for the package `cv2_enumerate_cameras`, whose entries have `index`, `name`
    and `path`; it must be installed.
    """
    entries = _media_foundation() if listed is None else listed()
    return [Found(entry.index, entry.name, _windows_keys(entry.path or "")) for entry in entries]


def _media_foundation() -> Sequence[Any]:
    entries: Sequence[Any] = import_module("cv2_enumerate_cameras").enumerate_cameras(cv2.CAP_MSMF)
    return entries


def _windows_keys(path: str) -> tuple[str, ...]:
    parts = _WINDOWS.search(path)
    if parts is None:
        return (path,) if path else ()
    vendor, product, function, instance = (part or "" for part in parts.groups())
    tail = f"#{int(function, 16)}" if function.strip("0") else ""
    return (f"{vendor}:{product}@{instance}{tail}".lower(),)


def mac_cameras(profile: Callable[[], str] | None = None) -> list[Found]:
    """The cameras of a Mac; `profile` stands in for the system's own report.

    OpenCV numbers them in the order of their unique ids.
    """
    report = json.loads((profile or _system_report)())
    cameras = sorted(
        report.get("SPCameraDataType", []), key=lambda camera: camera.get("spcamera_unique-id", "")
    )
    return [
        Found(number, camera.get("_name", f"camera {number}"), _mac_keys(camera))
        for number, camera in enumerate(cameras)
    ]


def _system_report() -> str:
    """The report as JSON; an empty one if the system does not give it."""
    try:
        return subprocess.run(
            _PROFILER, capture_output=True, text=True, timeout=_PROFILER_SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return "{}"


def _mac_keys(camera: dict[str, str]) -> tuple[str, ...]:
    unique = camera.get("spcamera_unique-id", "")
    return (unique,) if unique else ()


def numbered_cameras(answers: Callable[[int], bool]) -> list[Found]:
    """The cameras that answer to a number, where nothing tells more; they have no keys."""
    return [Found(number, f"camera {number}") for number in range(_TRIED) if answers(number)]
