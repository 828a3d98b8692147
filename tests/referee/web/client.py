"""Asks a web application, without a network."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
from fastapi import FastAPI

BASE = "http://127.0.0.1:8000"


class Client:
    """One browser, which keeps its cookies; each request has a connection of its own."""

    def __init__(self, app: FastAPI, *, peer: str = "127.0.0.1", base: str = BASE) -> None:
        """`peer` is the address that it asks from, `base` the one that it asks."""
        self._transport = httpx.ASGITransport(app, client=(peer, 50000))
        self._app, self._peer, self._base = app, peer, base
        self.cookies = httpx.Cookies()

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def answer() -> httpx.Response:
            async with httpx.AsyncClient(
                transport=self._transport, base_url=self._base, cookies=self.cookies
            ) as client:
                told = await client.request(method, path, **more)
                self.cookies = client.cookies
                return told

        # In a thread of its own: a test with pages has an event loop already.
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(asyncio.run, answer()).result()

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def ours(self) -> dict[str, str]:
        """What the referee's own pages send with each change."""
        token = str(self.get("/api/session").json()["token"])
        return {"X-Referee": token, "Content-Type": "application/json"}

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        """A change, as our pages send it unless `headers` say otherwise."""
        return self.ask("POST", path, json=body, headers={**self.ours(), **headers})

    def log_in(self, pin: str) -> None:
        """Gives the PIN."""
        assert self.post("/api/login", {"pin": pin}).json()["accepted"]

    def knock(self, path: str, **headers: str) -> int | None:
        """Opens a WebSocket: the code that it is closed with; None if it stays open."""
        url = httpx.URL(self._base + path)
        sent = {"Host": url.netloc.decode(), "Cookie": self._cookie(), **headers}
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": url.path,
            "raw_path": url.raw_path,
            "query_string": url.query,
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
            "client": (self._peer, 50000),
            "server": (url.host, url.port),
            "subprotocols": [],
        }
        told: list[dict[str, Any]] = []

        async def knock() -> None:
            asked: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
            await asked.put({"type": "websocket.connect"})

            async def send(message: Any) -> None:
                told.append(message)
                # Whoever was let in goes at once.
                if message["type"] == "websocket.send":
                    await asked.put({"type": "websocket.disconnect", "code": 1000})

            async with asyncio.timeout(5.0):
                await self._app(scope, asked.get, send)

        with ThreadPoolExecutor(1) as threads:
            threads.submit(asyncio.run, knock()).result()
        closed = [message for message in told if message["type"] == "websocket.close"]
        return int(closed[0]["code"]) if closed else None

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def send(self, body: object, **headers: str) -> httpx.Response:
        """A command."""
        return self.post("/api/command", body, **headers)
