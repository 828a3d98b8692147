"""Journals lie in memory here: each event costs a sync, and the disk is shared by all tests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.referee.journal.making import MEMORY


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder of this test's own."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)
