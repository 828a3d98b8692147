"""Who may use a route: each declares it, and one that does not keeps the server from starting."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypedDict

from fastapi import APIRouter, Depends
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.requests import HTTPConnection

if TYPE_CHECKING:
    from referee.web.site import Site


class Access(IntEnum):
    """What somebody may do; each level includes those before it."""

    WATCH = 1
    """See the public screens: this computer, and the network if the host said so."""
    PLAY = 2
    """What players do at the table: this computer, and devices that joined by the code."""
    JUDGE = 3
    """Everything else: whoever gave the PIN, on any computer."""


class DeniedError(Exception):
    """Somebody may not do this: the sentence says what would help.

    `log_in`: giving the PIN would. HTTP answers 401 then, else 403; a WebSocket closes with 4401,
    else 4403.
    """

    def __init__(self, text: str, *, log_in: bool) -> None:
        super().__init__(text)
        self.text, self.log_in = text, log_in


class _Needed:
    """Lets only those pass who may; runs before the route does."""

    def __init__(self, access: Access) -> None:
        self.access = access

    async def __call__(self, connection: HTTPConnection) -> None:
        """Raises DeniedError."""
        require(connection, self.access)


class Needs(TypedDict):
    """What a route is declared with."""

    dependencies: list[Any]


def needs(access: Access) -> Needs:
    """Declares who may use a route: `@router.get("/x", **needs(Access.WATCH))`."""
    return {"dependencies": [Depends(_Needed(access))]}


def require(connection: HTTPConnection, access: Access) -> None:
    """Raises DeniedError if who is connected may not do what needs `access`.

    For routes where it depends on what is asked for; they declare the least that they need.
    """
    site: Site = connection.app.state.site
    site.require(connection, access)


def declared(routers: Iterable[APIRouter]) -> dict[str, Access]:
    """Every route with its access: `GET /path` or, for WebSockets, `WS /path`.

    Raises TypeError if one declares none, or more than one, or can't declare any.
    """
    found: dict[str, Access] = {}
    for route in (route for router in routers for route in router.routes):
        if not isinstance(route, APIRoute | APIWebSocketRoute):
            raise TypeError(f"{route!r} can't say who may use it: use get, post or websocket.")
        said = [
            each.dependency.access
            for each in route.dependencies
            if isinstance(each.dependency, _Needed)
        ]
        if len(said) != 1:
            raise TypeError(
                f"The route {route.path} must say once who may use it, not {len(said)} times: "
                "add **needs(Access.…) to it."
            )
        methods = sorted(route.methods or ()) if isinstance(route, APIRoute) else ["WS"]
        for method in methods:
            if (name := f"{method} {route.path}") in found:
                raise TypeError(f"Two routes are called {name}.")
            found[name] = said[0]
    return found
