"""The overlay of a stream, and how to use it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from referee.web.access import Access, needs
from referee.web.site import Site

#: A file on the streamer's own computer may learn that the referee is there, and nothing else.
_FOR_EVERYBODY = {"Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "no-store"}


def router(site: Site) -> APIRouter:
    """The overlay, its help, and a sign that the server is there."""
    router = APIRouter(tags=["overlay"])

    @router.get("/overlay", response_class=Response, **needs(Access.WATCH))
    def overlay(request: Request) -> Response:
        """The overlay: a transparent page for a browser source."""
        return site.assets.answer(request, "overlay/index.html")

    @router.get("/overlay/help", response_class=Response, **needs(Access.WATCH))
    def overlay_help(request: Request) -> Response:
        """The overlay's parameters, a preview, and the address to copy."""
        return site.assets.answer(request, "overlay/help.html")

    @router.get("/overlay/there", status_code=204, response_class=Response, **needs(Access.WATCH))
    def overlay_there() -> Response:
        """An empty answer, for a saved file that waits until the overlay can be opened."""
        return Response(status_code=204, headers=_FOR_EVERYBODY)

    return router
