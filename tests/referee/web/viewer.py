"""A viewer of the documents over a real WebSocket, as a page is one."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from referee.web.patch import merged


class Viewer:
    """Follows an audience; answers each beat unless told not to."""

    def __init__(self, address: str, query: str, cookie: str = "", path: str = "/ws") -> None:
        self._url = address.replace("http", "ws", 1) + f"{path}?{query}"
        self._headers = {"Cookie": cookie} if cookie else {}
        self._open = ExitStack()
        self.document: dict[str, Any] = {}
        self.v, self.epoch, self.at = -1, "", 0.0
        self.answers = True
        self.kinds: list[str] = []
        """What came, in order."""

    def __enter__(self) -> Viewer:
        opening = connect(self._url, additional_headers=self._headers, compression=None)
        self.socket: ClientConnection = self._open.enter_context(opening)
        return self

    def __exit__(self, *exc: object) -> None:
        self._open.close()

    def hear(self, timeout: float = 5.0) -> dict[str, Any]:
        """The next message; raises TimeoutError, or ConnectionClosed."""
        message = self.socket.recv(timeout)
        if isinstance(message, bytes):
            self.kinds.append("picture")
            return {"kind": "picture", "jpeg": message}
        told: dict[str, Any] = json.loads(message)
        self.kinds.append(told["kind"])
        match told["kind"]:
            case "whole":
                self.document, self.v, self.epoch = told["doc"], told["v"], told["epoch"]
            case "change":
                assert told["from"] == self.v
                self.document, self.v = merged(self.document, told["patch"]), told["v"]
            case "beat":
                self.at = told.get("at", 0.0)
                if self.answers:
                    self.say({"kind": "beat", "v": self.v})
        return told

    def say(self, message: object) -> None:
        """Sends something."""
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def until(self, key: str, value: object) -> dict[str, Any]:
        """Hears until a member of the document has a value; fails after ten seconds."""
        deadline = time.monotonic() + 10.0
        while self.document.get(key) != value:
            assert time.monotonic() < deadline, f"{key} is {self.document.get(key)!r}"
            self.hear()
        return self.document

    def closed(self) -> int:
        """Hears until it is closed: the code."""
        deadline = time.monotonic() + 10.0
        while time.monotonic() < deadline:
            try:
                self.hear()
            except ConnectionClosed as closed:
                return 0 if closed.rcvd is None else closed.rcvd.code
        raise AssertionError("it stays open")
