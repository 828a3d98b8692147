"""A running match of the small game."""

from __future__ import annotations

from tests.referee.web.conftest import stage

__all__ = ["stage"]
