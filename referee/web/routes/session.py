"""Logging in with the PIN, and joining with a code."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from referee.web.access import Access, needs
from referee.web.answers import NO_STORE, told
from referee.web.logs import logger
from referee.web.pin import MOST
from referee.web.reach import address_of, at_own_computer, handed_on
from referee.web.sessions import LONGEST_S, Tried
from referee.web.site import Site, cookie_of, session_of

log = logger(__name__)


class Nothing(BaseModel):
    """An empty object: the change needs no more than to be wanted."""

    model_config = ConfigDict(extra="forbid")


class PinBody(BaseModel):
    """A try to log in."""

    model_config = ConfigDict(extra="forbid")

    pin: Annotated[str, Field(max_length=MOST, examples=["123456"])]


class SessionTold(BaseModel):
    """What this browser may do."""

    access: Literal["watch", "play", "judge"]
    own: Annotated[bool, Field(description="Whether it runs on the referee's own computer.")]
    token: Annotated[str, Field(description="To be sent as the header X-Referee with each change.")]


class LoginTold(BaseModel):
    """What became of a try to log in."""

    accepted: bool
    text: Annotated[str, Field(description="Why not, in a sentence; empty if it was accepted.")]
    wait_s: Annotated[float, Field(description="Seconds until the next try is looked at.")]


class JoinTold(BaseModel):
    """How players' devices join."""

    links: Annotated[
        list[str], Field(description="To be shown as a code; none if others can't reach this.")
    ]


def router(site: Site) -> APIRouter:
    """Sessions of those who judge and of players' devices."""
    router, sessions = APIRouter(tags=["session"]), site.sessions

    @router.get("/login", response_class=Response, **needs(Access.WATCH))
    def login_page(request: Request) -> Response:
        """The page to log in with the PIN, which then goes on to the page `to`."""
        return site.assets.answer(request, "login/index.html")

    @router.get("/api/session", response_model=SessionTold, **needs(Access.WATCH))
    def session(request: Request) -> Response:
        """What this browser may do, and the token that it must send with each change."""
        access = site.access(request) or Access.WATCH
        return told(
            request,
            {
                "access": access.name.lower(),
                "own": at_own_computer(request),
                "token": site.token(request),
            },
        )

    @router.post("/api/login", response_model=LoginTold, **needs(Access.WATCH))
    def log_in(request: Request, body: PinBody) -> Response:
        """Begins a session of somebody who judges; `accepted` is false if the PIN is wrong.

        After some wrong tries each further one has to wait, longer each time: 429 until then.
        """
        address = address_of(request)
        tried = sessions.log_in(body.pin, address, own=at_own_computer(request))
        _note(site, "pin", address, tried)
        answer = told(
            request,
            {"accepted": bool(tried.session), "text": tried.text, "wait_s": tried.wait_s},
            429 if tried.wait_s else 200,
            _retry(tried),
        )
        if tried.session:
            _begin(request, answer, tried.session, Access.JUDGE)
        return answer

    @router.post("/api/logout", response_model=SessionTold, **needs(Access.WATCH))
    def log_out(request: Request, body: Nothing) -> Response:
        """Ends this browser's session, if it has one; tells what it may do now."""
        sessions.end(session_of(request))
        answer = session(request)
        answer.delete_cookie(cookie_of(request), httponly=True, samesite="strict")
        return answer

    @router.post("/api/logout-all", response_model=JoinTold, **needs(Access.JUDGE))
    def log_all_out(request: Request, body: Nothing) -> Response:
        """Ends all sessions, this one too; devices join anew with another code."""
        sessions.end_all()
        log.warning("All sessions were ended.", address=address_of(request))
        return told(request, {"links": site.join_links()})

    @router.get("/api/join", response_model=JoinTold, **needs(Access.PLAY))
    def links(request: Request) -> Response:
        """How players' devices join: the likeliest address first."""
        return told(request, {"links": site.join_links()})

    @router.post("/api/join-code", response_model=JoinTold, **needs(Access.JUDGE))
    def renew(request: Request, body: Nothing) -> Response:
        """Makes another code: devices that joined with the old one have to do so again."""
        sessions.renew_code()
        log.info("Another code to join by was made.", address=address_of(request))
        return told(request, {"links": site.join_links()})

    @router.get(
        "/join",
        status_code=303,
        response_class=RedirectResponse,
        **needs(Access.WATCH),
    )
    def join(request: Request, code: Annotated[str, Query(max_length=64)] = "") -> Response:
        """Lets a device take part, and goes on to the table screen; to the login if it may not."""
        if (site.access(request) or Access.WATCH) >= Access.PLAY:
            return RedirectResponse("/", 303, headers=NO_STORE)
        address = address_of(request)
        tried = sessions.join(code, address, own=at_own_computer(request))
        _note(site, "code", address, tried)
        if not tried.session:
            why = "wait" if tried.wait_s else "code"
            return RedirectResponse(f"/login?join={why}", 303, headers=NO_STORE)
        answer = RedirectResponse("/", 303, headers=NO_STORE)
        _begin(request, answer, tried.session, Access.PLAY)
        return answer

    def _begin(request: Request, answer: Response, session: str, access: Access) -> None:
        """Gives a new session to a browser; one that it had ends."""
        sessions.end(session_of(request))
        answer.set_cookie(
            cookie_of(request),
            session,
            max_age=int(LONGEST_S[access]),
            httponly=True,
            samesite="strict",
            secure=_encrypted(request),
        )

    return router


def _note(site: Site, kind: str, address: str, tried: Tried) -> None:
    site.metrics.login(kind, bool(tried.session))
    if tried.session:
        log.info("Somebody logged in or joined.", by=kind, address=address)
    elif not tried.wait_s:
        # Whoever only has to wait could fill the disk with lines.
        log.warning("Somebody was not let in.", by=kind, address=address)


def _encrypted(request: Request) -> bool:
    """Whether the browser speaks HTTPS, be it to a program that hands its requests on."""
    handed = handed_on(request.headers) and request.headers.get("x-forwarded-proto") == "https"
    return handed or request.url.scheme == "https"


def _retry(tried: Tried) -> dict[str, str]:
    return {"Retry-After": f"{math.ceil(tried.wait_s)}"} if tried.wait_s else {}
