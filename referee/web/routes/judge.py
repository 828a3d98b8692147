"""The judge's page, and what it asks for as it is opened: record, diagnostics, position."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

from referee.games.said import say
from referee.web.access import Access, needs
from referee.web.answers import language_of, told
from referee.web.gear import Opened
from referee.web.judging.audit import MOST
from referee.web.judging.position import apart, checked
from referee.web.judging.room import Room
from referee.web.judging.shown import shown
from referee.web.judging.tail import tail
from referee.web.site import Site

_NOBODY_PLAYS = say("No match is open.")

_NONE: dict[int | str, dict[str, Any]] = {404: {"description": "No match is open."}}

Json = dict[str, Any]
Group = Literal["moves", "verdicts", "rulings", "box", "program"]


class PositionBody(BaseModel):
    """A position to be looked at: as text, or by the facts that differ from the one that holds."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[StrictStr, Field(max_length=4000)] | None = None
    values: Annotated[
        dict[str, StrictInt | StrictStr | dict[str, StrictInt]] | None, Field(max_length=500)
    ] = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> PositionBody:
        if (self.text is None) == (self.values is None):
            raise ValueError("give either text or values")
        return self


class PositionTold(BaseModel):
    """The position that holds, taken apart."""

    at: Annotated[int, Field(description="The id of the state.")]
    text: Annotated[str, Field(description="It in the game's notation.")]
    facts: Annotated[list[Json], Field(description="Each thing that may be set by itself.")]
    faults: Annotated[list[str], Field(description="What can't be right about it.")]


class CheckedTold(BaseModel):
    """What a position would be."""

    wrong: Annotated[str, Field(description="Why it can be none, in a sentence; else empty.")]
    text: Annotated[str, Field(description="It in the game's notation.")] = ""
    values: Annotated[Json, Field(description="All its facts by key.")] = {}
    faults: Annotated[list[str], Field(description="What can't be right about it.")] = []
    next: Annotated[str | None, Field(description="What would have to happen in it.")] = None


class AuditTold(BaseModel):
    """Events of the record, newest first."""

    rows: list[Json]
    next: Annotated[int | None, Field(description="`before` of the page behind this one.")]
    total: Annotated[int, Field(description="How many events are on record.")]
    head: Annotated[Json, Field(description="Number and hash of the newest event.")]
    trouble: Annotated[str, Field(description="Why not all could be read; empty if so.")]


class DiagnosticsTold(BaseModel):
    """How every part of the referee is."""

    parts: list[Json]
    log: Annotated[list[Json], Field(description="What was logged last, newest last.")]


def router(site: Site) -> APIRouter:
    """The page and its parts; all of it for whoever gave the PIN."""
    router = APIRouter(tags=["judge"])
    room = Room(lambda: () if site.house is None else site.house.held)
    # From now on the newest lines of the log are kept.
    tail()

    def match() -> Opened | None:
        return None if site.house is None else site.house.match

    def nothing(request: Request) -> Response:
        return told(request, {"text": _NOBODY_PLAYS}, 404)

    @router.get("/judge", response_class=Response, **needs(Access.JUDGE))
    def judge_page(request: Request) -> Response:
        """The judge's tablet."""
        return site.assets.answer(request, "judge/index.html")

    @router.get(
        "/api/judge/audit", response_model=AuditTold, responses=_NONE, **needs(Access.JUDGE)
    )
    def audit(
        request: Request,
        before: Annotated[int | None, Query(ge=1, lt=2**31)] = None,
        count: Annotated[int, Query(ge=1, le=MOST)] = 50,
        group: Annotated[list[Group] | None, Query(max_length=5)] = None,
        text: Annotated[str, Query(max_length=100)] = "",
        gone: bool | None = None,
    ) -> Response:
        """Events of the record in words, newest first; `before` goes on where a page ended."""
        opened = match()
        if opened is None:
            return nothing(request)
        page = room.audit(opened).page(
            before=before,
            count=count,
            groups=group or (),
            text=text,
            gone=gone,
            language=language_of(request),
        )
        return told(request, page)

    @router.get(
        "/api/judge/diagnostics",
        response_model=DiagnosticsTold,
        responses=_NONE,
        **needs(Access.JUDGE),
    )
    def diagnostics(request: Request) -> Response:
        """How every part of the referee is, with heartbeats, figures, and what to do."""
        opened = match()
        if opened is None:
            return nothing(request)
        parts = [*room.diagnostics(opened).parts(), shown(site.screens).json()]
        return told(request, {"parts": parts, "log": tail()})

    @router.get(
        "/api/judge/position", response_model=PositionTold, responses=_NONE, **needs(Access.JUDGE)
    )
    def position(request: Request) -> Response:
        """The position that holds, as text and taken apart into facts."""
        opened = match()
        if opened is None:
            return nothing(request)
        view = opened.live.view
        return told(request, {"at": view.state_id, **apart(opened.game, view.position)})

    @router.post(
        "/api/judge/position", response_model=CheckedTold, responses=_NONE, **needs(Access.JUDGE)
    )
    def check_position(request: Request, body: PositionBody) -> Response:
        """What a position would be, and what can't be right about it; nothing is changed."""
        opened = match()
        if opened is None:
            return nothing(request)
        here = opened.live.view.position
        return told(request, checked(opened.game, here, text=body.text, values=body.values))

    return router
