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
        self._base = base
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

    def state(self) -> dict[str, Any]:
        """What the page shows now."""
        state = self.get("/api/state").json()
        assert isinstance(state, dict)
        return state

    def send(self, body: object, **headers: str) -> httpx.Response:
        """A command."""
        return self.post("/api/command", body, **headers)
