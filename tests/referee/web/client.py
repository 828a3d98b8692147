"""Asks a web application, without a network."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from fastapi import FastAPI

BASE = "http://127.0.0.1:8000"
#: What the referee's own page sends with a command.
OURS = {"X-Referee": "page", "Content-Type": "application/json"}


class Client:
    """Each request has a connection of its own."""

    def __init__(self, app: FastAPI) -> None:
        self._transport = httpx.ASGITransport(app)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def answer() -> httpx.Response:
            async with httpx.AsyncClient(transport=self._transport, base_url=BASE) as client:
                return await client.request(method, path, **more)

        return asyncio.run(answer())

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def state(self) -> dict[str, Any]:
        """What the page shows now."""
        state = self.get("/api/state").json()
        assert isinstance(state, dict)
        return state

    def send(self, body: object, **headers: str) -> httpx.Response:
        """A command, as the page sends it unless `headers` say otherwise."""
        return self.ask("POST", "/api/command", json=body, headers={**OURS, **headers})
