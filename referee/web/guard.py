"""Keeps other pages of the same browser from deciding anything: what changes a match is denied by
default, and let in only from the referee's own page.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Methods that change nothing.
READS = ("GET", "HEAD")
#: A page of another origin can't send this header without being asked about first.
HEADER, OURS = "X-Referee", "page"
#: The longest body (bytes) that is read.
MOST_BYTES = 16384

#: Sent with every answer: nothing from elsewhere is loaded, and no other page may frame or use it.
_SAFE = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class OwnPageOnly:
    """Refuses every request that could change something and is not our page's, before it is read.

    An answer that refuses is JSON with a sentence as `text`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SAFE.items():
                    headers[name] = value
            await send(message)

        refused = None if scope["method"] in READS else _refused(Headers(scope=scope))
        if refused is None:
            await self._app(scope, receive, safely)
        else:
            status, text = refused
            await JSONResponse({"text": text}, status)(scope, receive, safely)


def ours(request: Request) -> None:
    """Lets only the referee's own page read what is for those who decide; raises HTTPException."""
    if refused := _foreign(request.headers):
        raise HTTPException(*refused)


def _foreign(headers: Headers) -> tuple[int, str] | None:
    """The status and the sentence; None if the request is the page's own."""
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        return 403, "Another page can't decide here."
    if headers.get(HEADER) != OURS:
        return 403, f"Who decides needs the header {HEADER}: {OURS}."
    return None


def _refused(headers: Headers) -> tuple[int, str] | None:
    """Why a body is not read: the status and the sentence; None if it is."""
    if foreign := _foreign(headers):
        return foreign
    if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        return 415, "Send JSON, as Content-Type: application/json."
    length = headers.get("content-length", "")
    if not length.isdecimal():
        return 411, "Say how long the body is."
    if int(length) > MOST_BYTES:
        return 413, f"The body is longer than {MOST_BYTES} bytes."
    return None
