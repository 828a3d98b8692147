"""The firmware that belongs to this program: its image, and the hash of its sources."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable


def image() -> Traversable:
    """Returns the image (Intel hex) that `referee box flash` writes."""
    return files("referee.box") / "box.hex"


@functools.cache
def committed_hash() -> int:
    """Returns the hash of the sources that the image was built from, as HELLO tells it."""
    told = tomllib.loads((files("referee.box") / "box.toml").read_text(encoding="utf-8"))
    return int(told["source_hash"])
