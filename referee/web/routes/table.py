"""The table screen."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from referee.web.access import Access, needs
from referee.web.site import Site


def router(site: Site) -> APIRouter:
    """The page."""
    router = APIRouter(tags=["table"])

    @router.get("/", response_class=Response, **needs(Access.WATCH))
    def table_screen(request: Request) -> Response:
        """The table screen."""
        return site.assets.answer(request, "table/index.html")

    return router
