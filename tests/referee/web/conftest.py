"""A running match of the small game, and its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.web.app import create_app
from tests.referee.web.client import Client
from tests.referee.web.stage import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    stage.start()
    yield stage
    stage.stop()


@pytest.fixture
def client(stage: Stage) -> Client:
    return Client(create_app(stage.page))
