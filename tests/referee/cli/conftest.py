"""Pictures of a hand-laid kit table as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.referee.tables import picture
from vision.camera import save_image


@pytest.fixture
def shoot(tmp_path: Path) -> Callable[..., str]:
    """Writes a picture of the table as a file, and gives its name."""

    def write(name: str = "table.png", **what: int) -> str:
        save_image(tmp_path / name, picture(**what).image)
        return str(tmp_path / name)

    return write
