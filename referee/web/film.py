"""The live picture of the table, to whoever watches: as fast as each can take it, and no faster.

A picture is made at most once for each audience, by one thread, some times a second, and only while
somebody waits for it; the referee notices nothing of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from referee.web.page import MatchPage
from referee.web.pictures import jpeg
from referee.web.publish import Audience
from referee.web.socket import MALFORMED, SILENT, TOO_MANY, close, is_kind

#: Pictures a second, at most, and the share of the time in which one may be made.
RATE, SHARE = 8.0, 0.25
#: Who waits for a picture looks for a newer one so often (s).
_POLL_S = 0.03
#: A client that waits is told so often (s) that there is nothing new.
IDLE_S = 2.0
#: Whoever does not say within so long (s) that a picture is shown is gone.
PATIENCE_S = 10.0
#: A picture that is older (s) when a review begins does not show how the table was then.
HELD_S = 2.0
#: So many watch at once.
MOST_WATCHERS = 16


class Film:
    """Makes the pictures of the match that is open."""

    def __init__(
        self,
        source: Callable[[], MatchPage[Any, Any] | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source, self._clock = source, clock
        self._maker = ThreadPoolExecutor(1, "film")
        self._reels = {audience: _Reel() for audience in Audience}
        self.watchers = 0
        """How many watch now."""

    def close(self) -> None:
        """Ends its thread."""
        self._maker.shutdown(cancel_futures=True)

    async def serve(
        self,
        socket: WebSocket,
        audience: Audience,
        allowed: Callable[[], tuple[int, str] | None],
    ) -> None:
        """Shows a client the newest picture, then the next when it says that this is shown."""
        await socket.accept()
        if self.watchers >= MOST_WATCHERS:
            await close(socket, TOO_MANY, "Too many look on already.")
            return
        self.watchers += 1
        try:
            with contextlib.suppress(WebSocketDisconnect):
                why = await self._show(socket, audience, allowed)
                await close(socket, *why)
        finally:
            self.watchers -= 1

    async def _show(
        self,
        socket: WebSocket,
        audience: Audience,
        allowed: Callable[[], tuple[int, str] | None],
    ) -> tuple[int, str]:
        last, idle_at = b"", self._clock()
        while (refused := allowed()) is None:
            picture = await self.newest(audience)
            if picture is last or not picture:
                if self._clock() - idle_at >= IDLE_S:
                    await asyncio.wait_for(socket.send_text('{"kind":"beat"}'), PATIENCE_S)
                    idle_at = self._clock()
                await asyncio.sleep(_POLL_S)
                continue
            last, idle_at = picture, self._clock()
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await socket.send_bytes(picture)
                    answer = await socket.receive_text()
            except TimeoutError:
                return SILENT, "No answer."
            if not is_kind(answer, "shown"):
                return MALFORMED, 'Say {"kind":"shown"} and nothing else.'
        return refused

    async def newest(self, audience: Audience) -> bytes:
        """The newest picture for an audience as JPEG, made if need be; empty if there is none.

        For the event loop of one server. The public's stands still during a review.
        """
        reel, page = self._reels[audience], self._source()
        look = None if page is None else page.look
        if page is None or look is None:
            reel.picture = b""
            return b""
        view = page.view
        if view.review is not None and audience is not Audience.JUDGE:
            return self._held(reel, page, view.review.seq)
        made_of = (look.frame.id, view.seq, view.marks)
        due = self._clock() - reel.made_at >= max(1.0 / RATE, reel.took / SHARE)
        if (reel.page is not page or reel.made_of != made_of) and due and not reel.busy:
            reel.busy, reel.made_at = True, self._clock()
            try:
                made = asyncio.get_running_loop().run_in_executor(
                    self._maker, lambda: jpeg(look, view, readings=audience is Audience.JUDGE)
                )
                reel.picture, reel.made_of, reel.page = await made, made_of, page
            finally:
                reel.busy, reel.took = False, self._clock() - reel.made_at
        return reel.picture

    def _held(self, reel: _Reel, page: MatchPage[Any, Any], review: int) -> bytes:
        """The picture that the public see during a review: the last one before it, if any."""
        if reel.review != (page, review):
            reel.review = (page, review)
            if reel.page is not page or self._clock() - reel.made_at > HELD_S:
                reel.picture = b""
        return reel.picture


class _Reel:
    """The newest picture of one audience, and of what it was made."""

    def __init__(self) -> None:
        self.page: MatchPage[Any, Any] | None = None
        self.made_of: Any = None
        self.made_at, self.took = float("-inf"), 0.0
        self.picture = b""
        self.review: tuple[MatchPage[Any, Any], int] | None = None
        self.busy = False
