"""The table screen."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from referee.web.access import Access, needs
from referee.web.site import Site


def router(site: Site) -> APIRouter:
    """The page."""
    router = APIRouter()

    @router.get("/", **needs(Access.WATCH))
    def table_screen(request: Request) -> Response:
        """The table screen."""
        return site.assets.answer(request, "index.html")

    return router
