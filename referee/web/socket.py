"""Tells each client over its WebSocket what holds, and notices when one is gone.

To the client: `whole` when it comes or lags, `change` (a merge patch), and each second `beat` with
the time that it is shown. From the client: `beat` in answer to each. Nothing is queued for anybody:
there is what a client was told last, and what holds now; a slow one is told less often.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from referee.web.editions import Edition
from referee.web.publish import Audience, Publisher

#: Reasons to close a socket, as close codes.
MALFORMED, LOG_IN, FORBIDDEN, UNKNOWN, SILENT, TOO_MANY = 4400, 4401, 4403, 4404, 4408, 4429
#: A client that has not answered for so long is gone.
PATIENCE_S = 5.0
#: Each client is told of the time so often; not all at the same moment, but in so many turns.
BEAT_S, TURNS = 1.0, 20
#: The longest message (characters) that a client may send, and so many of them each second.
MOST_LETTERS, MOST_MESSAGES = 200, 20
#: A client that does not even read is not waited for any longer.
_FAREWELL_S = 1.0


@dataclass(eq=False)
class Client:
    """Somebody who is told what holds. Used by its event loop only.

    `allowed` says whether they may still be: a close code and a sentence if not.
    """

    socket: WebSocket
    audience: Audience
    lang: str
    delay: float
    turn: int
    heard_at: float
    allowed: Callable[[], tuple[int, str] | None]
    told: Edition | None = None
    beat: bool = True
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Future[tuple[int, str]] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    """Why it is to be closed."""

    def leave(self, code: int, why: str) -> None:
        """Has it closed."""
        if not self.left.done():
            self.left.set_result((code, why))


class Hub:
    """All clients of one publisher."""

    def __init__(self, publisher: Publisher, wall: Callable[[], float] = time.time) -> None:
        """`wall` gives UTC seconds."""
        self._publisher, self._clock, self._wall = publisher, publisher.clock, wall
        self._lock = threading.Lock()
        self._rooms: dict[asyncio.AbstractEventLoop, set[Client]] = {}
        """The clients of each event loop; a server has one."""
        self._timers: dict[asyncio.AbstractEventLoop, asyncio.Task[None]] = {}
        self._turns = 0
        self.lagged = 0
        """How often a client had to be told the whole state because it lagged."""
        publisher.on_news(self._news)

    @property
    def clients(self) -> dict[Audience, int]:
        """How many there are of each audience."""
        counts = dict.fromkeys(Audience, 0)
        with self._lock:
            for room in self._rooms.values():
                for client in room:
                    counts[client.audience] += 1
        return counts

    async def serve(
        self,
        socket: WebSocket,
        audience: Audience,
        lang: str,
        delay: float,
        allowed: Callable[[], tuple[int, str] | None],
    ) -> None:
        """Serves a client until it leaves, falls silent, or may not be told any more."""
        await socket.accept()
        self._turns += 1
        client = Client(socket, audience, lang, delay, self._turns % TURNS, self._clock(), allowed)
        self._enter(client)
        try:
            why = await self._attend(client)
        finally:
            self._quit(client)
        if why is not None:
            await close(socket, *why)

    def _enter(self, client: Client) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            first = loop not in self._rooms
            self._rooms.setdefault(loop, set()).add(client)
        if first:
            self._timers[loop] = loop.create_task(self._keep_time(loop))

    def _quit(self, client: Client) -> None:
        with self._lock:
            self._rooms[asyncio.get_running_loop()].discard(client)

    async def _attend(self, client: Client) -> tuple[int, str] | None:
        """Tells and hears a client; why it is to be closed, None if it has left."""
        doings = [asyncio.create_task(each) for each in (self._tell(client), self._hear(client))]
        ends: list[asyncio.Future[Any]] = [*doings, client.left]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            return client.left.result() if client.left.done() else None
        finally:
            for doing in doings:
                doing.cancel()
            for outcome in await asyncio.gather(*doings, return_exceptions=True):
                if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketDisconnect):
                    raise outcome

    async def _tell(self, client: Client) -> None:
        """Tells a client whatever it does not know yet, whenever there is something."""
        editions = self._publisher.editions(client.audience)
        while True:
            shown = self._shown(client)
            if client.told is None or shown.v > client.told.v:
                messages = editions.messages(client.told, shown, client.lang)
                self.lagged += client.told is not None and messages[0].startswith('{"kind":"whole"')
                client.told = shown
                for message in messages:
                    await client.socket.send_text(message)
                continue
            if client.beat:
                if refused := client.allowed():
                    client.leave(*refused)
                    return
                client.beat = False
                at = self._wall() - client.delay
                await client.socket.send_text(f'{{"kind":"beat","v":{shown.v},"at":{at:.3f}}}')
            await client.wake.wait()
            client.wake.clear()

    def _shown(self, client: Client) -> Edition:
        """What a client is to be shown now."""
        editions = self._publisher.editions(client.audience)
        return editions.shown(self._clock() - client.delay) if client.delay else editions.newest

    async def _hear(self, client: Client) -> None:
        """Notes that a client is alive; it has nothing else to say."""
        heard, since = 0, self._clock()
        while True:
            message = await client.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            client.heard_at = self._clock()
            if client.heard_at - since > 1.0:
                heard, since = 0, client.heard_at
            heard += 1
            if heard > MOST_MESSAGES:
                client.leave(TOO_MANY, "Too many messages.")
            elif not is_kind(message.get("text"), "beat"):
                client.leave(MALFORMED, 'Say {"kind":"beat","v":…} and nothing else.')

    def _news(self) -> None:
        """In the publisher's thread: something has changed."""
        with self._lock:
            for loop in self._rooms:
                # A loop that was closed has nobody any more who could be told.
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(self._wake, loop)

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        for client in self._rooms.get(loop, ()):
            client.wake.set()

    async def _keep_time(self, loop: asyncio.AbstractEventLoop) -> None:
        """Tells the clients of a loop of the time, each in its turn, as long as there are any."""
        turn = 0
        while True:
            await asyncio.sleep(BEAT_S / TURNS)
            with self._lock:
                if not self._rooms[loop]:
                    del self._rooms[loop], self._timers[loop]
                    return
                clients = list(self._rooms[loop])
            turn = (turn + 1) % TURNS
            now, alive = self._clock(), self._publisher.alive
            for client in clients:
                if client.turn == turn:
                    self._look_after(client, now, alive)
                elif client.delay and self._shown(client) is not client.told:
                    client.wake.set()

    def _look_after(self, client: Client, now: float, alive: bool) -> None:
        """A client's turn: its beat, unless it or the publisher has fallen silent."""
        if now - client.heard_at > PATIENCE_S:
            client.leave(SILENT, "No answer.")
        elif alive:
            # Whoever hears nothing any more says so, rather than show what was.
            client.beat = True
            client.wake.set()


def is_kind(text: Any, kind: str) -> bool:
    """Whether a client's message is an object of a kind, and short."""
    if not isinstance(text, str) or len(text) > MOST_LETTERS:
        return False
    try:
        told = json.loads(text)
    except ValueError:
        return False
    return isinstance(told, dict) and told.get("kind") == kind


async def close(socket: WebSocket, code: int, why: str) -> None:
    """Closes a socket, and does not wait for a client that reads nothing."""
    # RuntimeError: it is closed already.
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        await asyncio.wait_for(socket.close(code, why), _FAREWELL_S)
