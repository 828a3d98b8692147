"""A real headless Chromium, asked over its debugging pipe: no network, no driver, no package."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

#: A browser that takes longer is killed: the test then fails.
HARD_LIMIT_S = 40.0
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


@contextlib.contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The application on a port of this machine; gives its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, lifespan="off")
    )
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@contextlib.contextmanager
def browser(folder: Path, width: int = 1600, height: int = 1000) -> Iterator[Browser]:
    """A browser with an empty page; skips the test if there is no Chromium."""
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    if binary is None:
        pytest.skip("no Chromium here")
    to_browser, from_browser = os.pipe(), os.pipe()

    def take_pipes() -> None:
        # They may be 3 and 4 themselves, or the other way round: out of the way first.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser[0], from_browser[1])]
        os.dup2(ends[0], 3)
        os.dup2(ends[1], 4)

    command = [binary, *_FLAGS, f"--user-data-dir={folder}", f"--window-size={width},{height}"]
    process = subprocess.Popen(
        command,
        preexec_fn=take_pipes,
        close_fds=False,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser[0])
    os.close(from_browser[1])
    killer = threading.Timer(HARD_LIMIT_S, _kill, (process,))
    killer.start()
    try:
        with os.fdopen(to_browser[1], "wb") as into, os.fdopen(from_browser[0], "rb") as out:
            yield Browser(into, out)
    finally:
        killer.cancel()
        _kill(process)
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends the browser with all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


class Browser:
    """One page of it. `errors` are those that its console showed."""

    def __init__(self, into: Any, out: Any) -> None:
        self._into, self._out = into, out
        self._number, self._rest, self._session = 0, b"", ""
        self.errors: list[str] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for part in ("Runtime", "Log", "Page"):
            self._ask(f"{part}.enable")

    def open(self, address: str) -> None:
        """Goes to a page, and waits until all of it is there."""
        self._ask("Page.navigate", url=address)
        self.until("location.href !== 'about:blank' && document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of an expression in the page, or what it promises."""
        told = self._ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def until(self, script: str) -> None:
        """Waits until an expression is true; fails after ten seconds."""
        deadline = time.monotonic() + 10.0
        while not self.run(script):
            assert time.monotonic() < deadline, f"never: {script}"
            time.sleep(0.03)

    def click(self, selector: str) -> None:
        """Presses the mouse's button in the middle of what is shown there."""
        self.run(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        box = self.run(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._ask(
                "Input.dispatchMouseEvent",
                type=kind, x=box[0], y=box[1], button="left", clickCount=1,
            )  # fmt: skip

    def press(self, key: str, code: int, text: str = "") -> None:
        """Presses a key of the keyboard; `code` is its number in Windows."""
        for kind in ("keyDown", "keyUp"):
            self._ask(
                "Input.dispatchKeyEvent",
                type=kind, key=key, windowsVirtualKeyCode=code,
                **({"text": text} if text and kind == "keyDown" else {}),
            )  # fmt: skip

    def write(self, text: str) -> None:
        """Types into what has the focus."""
        self._ask("Input.insertText", text=text)

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        """Sets the size of the page in pixels, and whether its user wants it dark."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])

    def screenshot(self) -> bytes:
        """All of the page as PNG."""
        told = self._ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(told["data"])

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._into.write(json.dumps(message).encode() + b"\0")
        self._into.flush()
        while True:
            told = self._next()
            if told.get("id") == self._number:
                assert "error" not in told, (method, told)
                result = told["result"]
                assert isinstance(result, dict)
                return result
            self._note(told)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = self._out.read1(65536)
            assert more, "the browser has ended"
            self._rest += more
        line, self._rest = self._rest.split(b"\0", 1)
        told = json.loads(line)
        assert isinstance(told, dict)
        return told

    def _note(self, told: dict[str, Any]) -> None:
        """Keeps what the console shows as an error."""
        params = told.get("params", {})
        match told.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(str(params["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                self.errors.append(str(params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
