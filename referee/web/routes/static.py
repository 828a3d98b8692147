"""The files of all pages."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from referee.web.access import Access, needs
from referee.web.site import Site


def router(site: Site) -> APIRouter:
    """The files: they hold no secret, and the page to log in needs them."""
    router = APIRouter(tags=["pages"])

    @router.get(
        "/static/{name:path}",
        response_class=Response,
        responses={404: {"description": "There is no such file."}},
        **needs(Access.WATCH),
    )
    def static(request: Request, name: str) -> Response:
        """A style, a script or a picture of the pages."""
        return site.assets.answer(request, name)

    return router
