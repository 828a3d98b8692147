"""Who may use which route."""

from __future__ import annotations

import pytest
from fastapi import APIRouter
from starlette.routing import Route

from referee.web.access import Access, declared, needs
from referee.web.app import create_app
from referee.web.site import Site
from tests.referee.web.stage import Stage

WATCH, PLAY, JUDGE = Access.WATCH, Access.PLAY, Access.JUDGE

#: Every route, and who may use it: a new one needs a line here.
ROUTES = {
    "GET /": WATCH,
    "GET /static/{name:path}": WATCH,
    "GET /api/state": WATCH,
    "GET /api/position": JUDGE,
    "POST /api/command": PLAY,
    "GET /frame.jpg": WATCH,
    "GET /evidence/{name}.jpg": WATCH,
    "GET /art/{name}.png": WATCH,
    "GET /healthz": WATCH,
}


def test_every_route_is_listed_with_its_access(stage: Stage) -> None:
    assert create_app(Site(stage.page)).state.access == ROUTES


def nothing() -> None:
    """A route that does nothing."""


def test_a_route_that_does_not_say_who_may_use_it_is_refused() -> None:
    router = APIRouter()
    router.get("/open")(nothing)
    with pytest.raises(TypeError, match="/open must say once"):
        declared([router])


def test_a_websocket_too() -> None:
    router = APIRouter()
    router.websocket("/ws")(nothing)
    with pytest.raises(TypeError, match="/ws must say once"):
        declared([router])


def test_routes_that_can_not_say_it_are_refused() -> None:
    with pytest.raises(TypeError, match="can't say"):
        declared([APIRouter(routes=[Route("/raw", nothing)])])


def test_who_says_it_is_listed() -> None:
    router = APIRouter()
    router.get("/open", **needs(WATCH))(nothing)
    router.websocket("/ws", **needs(JUDGE))(nothing)
    assert declared([router]) == {"GET /open": WATCH, "WS /ws": JUDGE}
    with pytest.raises(TypeError, match="Two routes"):
        declared([router, router])
