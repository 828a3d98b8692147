"""Stands before every route: refuses names that are not ours, changes that are not from our own
pages, what is too long and too many sockets, and lets no error out but a sentence.
"""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose, WebSocketDisconnect

from referee.games.said import say
from referee.web.access import Access
from referee.web.answers import told
from referee.web.reach import address_of, at_own_computer
from referee.web.site import Site

log = logging.getLogger(__name__)

#: Methods that change nothing.
READS = ("GET", "HEAD")
#: What our own pages send with each change: a page of another origin can't send this header, nor
#: learn its value.
HEADER = "X-Referee"
#: The longest body (bytes) that is read: of everybody, and pictures of those who judge.
MOST_BYTES, MOST_PICTURE_BYTES = 16384, 24 * 2**20
PICTURES = ("image/jpeg", "image/png")
#: So many WebSockets at once: all together, and from one address of the network.
MOST_SOCKETS, MOST_SOCKETS_EACH = 400, 24
#: So many names of others are noted in the log.
MOST_STRANGERS = 20
#: The WebSocket is closed with this if there are too many.
TOO_MANY = 4429

#: Sent with every answer that does not say otherwise: nothing from elsewhere is loaded, and no
#: other page may frame or use it. Older tablets don't count WebSockets as `self`.
_SAFE = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self' ws://{host} wss://{host}; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """What it refuses is never read. An answer that refuses is JSON with a sentence as `text`."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._site = app, site
        self._sockets: Counter[str] = Counter()
        self._strangers: set[str] = set()
        """Names of others that were asked for, which are noted once."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        known, begun = self._site.reach.answers(scope), False
        host = Headers(scope=scope).get("host", "") if known else ""

        async def safely(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in _SAFE.items():
                    headers.setdefault(name, value.format(host=host))
            await send(message)

        connection = HTTPConnection(scope)
        refused = self._refused(connection) if known else self._stranger(connection)
        if refused is not None:
            await refused(scope, receive, safely)
            return
        try:
            await self._app(scope, receive, safely)
        except Exception:
            log.exception("%s %r failed.", scope["method"], scope["path"])
            if begun:
                raise
            text = say("That failed, and is noted in the log: try again, or report it.")
            await told(connection, {"text": text}, 500)(scope, receive, safely)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        # A browser always says which page asks; other programs carry nobody's cookie.
        if not self._site.reach.answers(scope) or _foreign(connection.headers):
            await WebSocketClose(4403)(scope, receive, send)
            return
        address = address_of(connection)
        if self._crowded(address, own=at_own_computer(connection)):
            # A page learns the code only if its socket was opened.
            socket = WebSocket(scope, receive, send)
            await socket.accept()
            await socket.close(TOO_MANY)
            return
        self._sockets[address] += 1
        try:
            await self._app(scope, receive, send)
        except WebSocketDisconnect:
            pass
        except Exception:
            log.exception("The WebSocket %r failed.", scope["path"])
            with contextlib.suppress(Exception):
                await WebSocketClose(1011)(scope, receive, send)
        finally:
            self._sockets[address] -= 1
            if self._sockets[address] <= 0:
                del self._sockets[address]

    def _crowded(self, address: str, *, own: bool) -> bool:
        """Whether there are too many WebSockets; others can't crowd out the own computer."""
        there = self._sockets[address]
        if own:
            return there >= MOST_SOCKETS
        return there >= MOST_SOCKETS_EACH or self._sockets.total() >= MOST_SOCKETS

    def _refused(self, connection: HTTPConnection) -> Response | None:
        """Why a request is not read; None if it is."""
        headers = connection.headers
        if connection.scope["method"] in READS:
            return None
        if _foreign(headers) or not self._site.token_fits(connection, headers.get(HEADER, "")):
            text = say(
                "Only the referee's own pages can change something, and this one is out of date: "
                "reload it."
            )
            return told(connection, {"text": text}, 403)
        kind = headers.get("content-type", "").split(";")[0].strip().lower()
        picture = kind in PICTURES and self._site.access(connection) == Access.JUDGE
        if kind != "application/json" and not picture:
            text = say("Send JSON, as Content-Type: application/json.")
            return told(connection, {"text": text}, 415)
        length, most = headers.get("content-length", ""), MOST_BYTES
        if not (length.isascii() and length.isdecimal()):
            return told(connection, {"text": say("Say how long the body is.")}, 411)
        if picture:
            most = MOST_PICTURE_BYTES
        if len(length) > 12 or int(length) > most:
            text = say("The body is longer than {n} bytes.", n=most)
            return told(connection, {"text": text}, 413)
        return None

    def _stranger(self, connection: HTTPConnection) -> Response:
        host = connection.headers.get("host", "")[:100]
        if host not in self._strangers and len(self._strangers) < MOST_STRANGERS:
            # It may be a name that the network gave to this computer.
            self._strangers.add(host)
            log.warning("Somebody asked for a name that is not this computer's: %r.", host)
        text = say(
            "This computer does not answer to that name: use its address, as the referee printed "
            "it when it was started."
        )
        return told(connection, {"text": text}, 400)


def _foreign(headers: Headers) -> bool:
    """Whether a page from elsewhere asks."""
    origin = headers.get("origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc.lower() != headers["host"].lower()
    except ValueError:
        return True
