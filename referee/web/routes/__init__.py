"""The routes of the server, one file for each page or purpose; each exports `router(site)`."""

from __future__ import annotations

from fastapi import APIRouter

from referee.web.routes import (
    history,
    judge,
    kit,
    live,
    operations,
    overlay,
    session,
    setup,
    static,
    table,
)
from referee.web.site import Site

#: Every file of routes; one that is not listed here is not served.
_ROUTERS = (
    static.router,
    table.router,
    overlay.router,
    live.router,
    judge.router,
    history.router,
    setup.router,
    kit.router,
    session.router,
    operations.router,
)


def routers(site: Site) -> list[APIRouter]:
    """All routes of a site."""
    return [router(site) for router in _ROUTERS]
