"""What those who run the server look at: its health, its figures, and what its routes are."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from referee.games.said import say
from referee.web.access import Access, DeniedError, needs
from referee.web.answers import NO_STORE, told
from referee.web.judging.room import Room
from referee.web.metrics import MEDIA_TYPE, exposed
from referee.web.openapi import described
from referee.web.reach import at_own_computer
from referee.web.site import Site


class PartTold(BaseModel):
    """A part of the referee."""

    part: str
    state: Annotated[str, Field(description="good, doubtful, bad or absent.")]
    beat_s: Annotated[float | None, Field(description="Seconds since it last did something.")]


class CameraTold(BaseModel):
    """The camera of the match."""

    frame_age_s: Annotated[float | None, Field(description="Age of the newest picture.")]
    trouble: Annotated[str, Field(description="Why there are no new ones; empty if there are.")]
    vision_failures: Annotated[int, Field(description="Pictures whose reading failed.")]


class HealthTold(BaseModel):
    """Whether the table is watched, the record can be written, and the screens show what holds."""

    ok: bool
    match: Annotated[bool, Field(description="Whether a match is open.")]
    publishing: Annotated[bool, Field(description="Whether the screens show what holds.")]
    camera: Annotated[CameraTold | None, Field(description="None if none is used.")] = None
    box: Annotated[str, Field(description="Why there is no box; empty if there is one.")] = ""
    journal: Annotated[str, Field(description="Why nothing can be put on record, or empty.")] = ""
    evidence: Annotated[str, Field(description="Why no pictures can be kept, or empty.")] = ""
    parts: Annotated[list[PartTold], Field(description="Every part, with its heartbeat.")] = []


def router(site: Site) -> APIRouter:
    """Health, figures, description."""
    router, room = APIRouter(tags=["operations"]), Room()

    @router.get(
        "/healthz",
        response_model=HealthTold,
        responses={503: {"model": HealthTold, "description": "Something does not work."}},
        **needs(Access.WATCH),
    )
    def health(request: Request) -> Response:
        """Whether the table is watched and the record can be written: 503 if not."""
        page, match, publishing = site.page, site.match, site.screens.publisher.alive
        health: dict[str, Any] = {"ok": True} if page is None else page.health()
        parts = [] if match is None else room.diagnostics(match).parts()
        ok = bool(health["ok"]) and publishing
        document = {
            **health,
            "ok": ok,
            "match": page is not None,
            "publishing": publishing,
            "parts": [{name: part[name] for name in PartTold.model_fields} for part in parts],
        }
        return told(request, document, 200 if ok else 503)

    @router.get("/metrics", response_class=PlainTextResponse, **needs(Access.PLAY))
    def metrics(request: Request) -> Response:
        """Figures as Prometheus reads them; for this computer, and for who judges."""
        if not at_own_computer(request) and site.access(request) != Access.JUDGE:
            raise DeniedError(say("This is for the judge: log in with the PIN."), log_in=True)
        return Response(exposed(site), headers={**NO_STORE, "Content-Type": MEDIA_TYPE})

    @router.get("/openapi.json", response_model=dict[str, Any], **needs(Access.JUDGE))
    def description(request: Request) -> Response:
        """This description of all routes, as OpenAPI has it."""
        return told(request, described(request.app))

    def count() -> None:
        if (page := site.page) is not None:
            site.metrics.note(page.view)

    count()
    site.screens.publisher.on_news(count)
    return router
