"""A tiny server that speaks the protocol of the documents, and says only what a test tells it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect

from referee.web.assets import Assets

Json = dict[str, Any]

BLANK = '<!doctype html><html lang="en"><title>Blank</title><link rel="icon" href="data:,">'


class StandIn:
    """Serves the pages' files, `/ws` and `/ws/video`; `heard` is what clients sent."""

    def __init__(self) -> None:
        self.heard: list[Json] = []
        self.queries: list[dict[str, str]] = []
        self.sockets: list[WebSocket] = []
        self.doc: Json = {}
        self.version = 0
        self.refuse = 0
        """The code with which every socket is closed; 0: none is."""
        self.jpeg = b""
        self.access = "play"
        self.app = FastAPI()
        self._loop: asyncio.AbstractEventLoop | None = None
        assets = Assets()
        self.app.get("/")(lambda: Response(BLANK, media_type="text/html"))

        @self.app.get("/static/{name:path}")
        def static(request: Request, name: str) -> Response:
            return assets.answer(request, name)

        @self.app.get("/api/session")
        def session() -> Json:
            return {"access": self.access, "token": "page"}

        self.app.websocket("/ws")(self._follow)
        self.app.websocket("/ws/video")(self._video)

    def tell(self, message: Json) -> None:
        """Sends a message to everybody."""
        assert self._loop is not None
        for socket in self.sockets:
            asyncio.run_coroutine_threadsafe(socket.send_json(message), self._loop).result(5)

    def change(self, patch: Json) -> None:
        """Sends a change; `doc` is the test's to keep."""
        self.version += 1
        self.tell({"kind": "change", "from": self.version - 1, "v": self.version, "patch": patch})

    def beat(self) -> None:
        """Sends a heartbeat."""
        self.tell({"kind": "beat", "v": self.version, "at": time.time()})

    async def _follow(self, socket: WebSocket) -> None:
        self._loop = asyncio.get_running_loop()
        await socket.accept()
        if self.refuse:
            await socket.close(self.refuse)
            return
        self.queries.append(dict(socket.query_params))
        self.sockets.append(socket)
        whole = {
            "kind": "whole",
            "epoch": "e",
            "v": self.version,
            "at": time.time(),
            "doc": self.doc,
        }
        await socket.send_json(whole)
        try:
            while True:
                self.heard.append(await socket.receive_json())
        except WebSocketDisconnect:
            self.sockets.remove(socket)

    async def _video(self, socket: WebSocket) -> None:
        await socket.accept()
        try:
            await socket.send_bytes(self.jpeg)
            while True:
                self.heard.append(await socket.receive_json())
        except WebSocketDisconnect:
            pass
