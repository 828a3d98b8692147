"""The match as it goes: what is shown of it, its pictures, and what people want done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response, WebSocket
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from referee.games.said import say
from referee.match.commands import Do
from referee.web.access import Access, needs, require
from referee.web.answers import NO_STORE, language_of, told
from referee.web.commands import CommandBody
from referee.web.editions import MOST_DELAY_S
from referee.web.publish import Audience
from referee.web.site import Site
from referee.web.socket import FORBIDDEN, LOG_IN, UNKNOWN, close
from referee.words import in_language

_NOBODY_PLAYS = say("No match is open.")


class Told(BaseModel):
    """What became of a command."""

    accepted: bool
    state: Annotated[int, Field(description="The id of the state that holds now.")]
    text: Annotated[str, Field(description="Why it was refused, in a sentence.")]


_GONE: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such picture."}}


def router(site: Site) -> APIRouter:
    """Documents, pictures and commands."""
    router, screens = APIRouter(tags=["match"]), site.screens

    @router.websocket("/ws", **needs(Access.WATCH))
    async def documents(socket: WebSocket) -> None:
        """The document of an audience as it changes; `referee/web/socket.py` says how."""
        asked = _asked(socket)
        if asked is None:
            await _refuse(socket, UNKNOWN, "Ask for audience, lang and delay as documented.")
            return
        audience, delay = asked
        access = _access_of(audience)
        require(socket, access)
        allowed = _allowed(site, socket, access)
        await screens.hub.serve(socket, audience, language_of(socket), delay, allowed)

    @router.websocket("/ws/video", **needs(Access.WATCH))
    async def video(socket: WebSocket) -> None:
        """The live picture of the table; `referee/web/film.py` says how."""
        asked = _asked(socket)
        if asked is None or asked[0] is Audience.OVERLAY:
            await _refuse(socket, UNKNOWN, "Ask for the audience table or judge.")
            return
        audience, delay = asked
        if delay:
            # Old pictures are kept for nobody, and new ones would tell what is to be told later.
            await _refuse(socket, FORBIDDEN, "There is no picture with a delay.")
            return
        access = _access_of(audience)
        require(socket, access)
        await screens.film.serve(socket, audience, _allowed(site, socket, access))

    @router.post("/api/command", response_model=Told, **needs(Access.PLAY))
    def command(request: Request, body: CommandBody) -> JSONResponse:
        """Does what a person wants, and says whether, or why not."""
        page = screens.page
        require(request, body.needs)
        if page is None:
            return told(request, {"accepted": False, "state": -1, "text": _NOBODY_PLAYS})
        view = page.view
        if body.do is Do.UNDO and body.at == view.state_id and not page.undoes_last(body.to):
            require(request, Access.JUDGE)
        if view.review is not None and site.access(request) != Access.JUDGE:
            who = view.review.by
            text = say("{who} reviews what happened: wait until that is over.", who=who)
            return told(request, {"accepted": False, "state": view.state_id, "text": text})
        answer = page.command(body.command())
        site.metrics.command(answer.accepted)
        return told(
            request,
            {"accepted": answer.accepted, "state": answer.state, "text": answer.text},
        )

    @router.get(
        "/evidence/{name}.jpg",
        response_class=Response,
        responses={401: {"description": "Without a seal."}, **_GONE},
        **needs(Access.WATCH),
    )
    def evidence(request: Request, name: str) -> Response:
        """A picture that a verdict rests on, by the name with a seal that a document told.

        Whoever judges needs no seal.
        """
        page = screens.page
        pictures = None if page is None else page.pictures
        plain = None if pictures is None else pictures.unsealed(name)
        if plain is None:
            require(request, Access.JUDGE)
        jpeg = None if pictures is None else pictures.evidence(plain or name)
        if jpeg is None:
            return Response(status_code=404, headers=NO_STORE)
        return Response(jpeg, media_type="image/jpeg", headers=NO_STORE)

    @router.get("/art/{name}.png", response_class=Response, responses=_GONE, **needs(Access.WATCH))
    def art(name: str) -> Response:
        """One of the game's drawings."""
        page = screens.page
        png = None if page is None else page.pictures.art(name)
        if png is None:
            return Response(status_code=404, headers=NO_STORE)
        return Response(png, media_type="image/png", headers={"Cache-Control": "max-age=3600"})

    return router


def _asked(socket: WebSocket) -> tuple[Audience, float] | None:
    """The audience and the delay in seconds that a socket asks for; None if that makes no sense."""
    try:
        audience = Audience(socket.query_params.get("audience", ""))
        delay = float(socket.query_params.get("delay", "0"))
    except ValueError:
        return None
    # What is not a number is not in the range either.
    return (audience, delay) if 0.0 <= delay <= MOST_DELAY_S else None


def _access_of(audience: Audience) -> Access:
    return Access.JUDGE if audience is Audience.JUDGE else Access.WATCH


def _allowed(site: Site, socket: WebSocket, access: Access) -> Callable[[], tuple[int, str] | None]:
    """Tells whether an open socket may still be; what all may see is not asked about anew."""

    def allowed() -> tuple[int, str] | None:
        if access is Access.WATCH or site.access(socket) is access:
            return None
        text: Any = say("Log in again.")
        return LOG_IN, in_language(text, language_of(socket))

    return allowed


async def _refuse(socket: WebSocket, code: int, why: str) -> None:
    """A page learns why only if its socket was opened."""
    await socket.accept()
    await close(socket, code, why)
