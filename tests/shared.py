"""Where the test pictures lie that are too big, or not ours, to be part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(
    os.environ.get("TABLE_REFEREE_SHARED", Path(__file__).resolve().parents[2] / "shared")
)
REAL = SHARED / "data" / "real"
RENDERED = SHARED / "data" / "rendered"


def need(folder: Path) -> Path:
    """Returns `folder`, or skips the test with one plain line if it is not there."""
    if not folder.is_dir():
        pytest.skip(f"test pictures not here: {folder.name} (set TABLE_REFEREE_SHARED)")
    return folder
