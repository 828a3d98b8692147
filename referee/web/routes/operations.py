"""What those who run the server look at."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from referee.web.access import Access, needs
from referee.web.site import Site

NO_STORE = {"Cache-Control": "no-store"}
#: Health while nothing is played.
NO_MATCH = {"ok": True, "camera": None, "box": "", "journal": "", "evidence": ""}


def router(site: Site) -> APIRouter:
    """The health."""
    router = APIRouter()

    @router.get("/healthz", **needs(Access.WATCH))
    def health() -> JSONResponse:
        """Whether the table is watched and the record can be written: 503 if not."""
        told = NO_MATCH if site.page is None else site.page.health()
        return JSONResponse(told, status_code=200 if told["ok"] else 503, headers=NO_STORE)

    return router
