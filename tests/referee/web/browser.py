"""A real headless Chromium through Playwright, and applications served to it.

    def test_x(stage, page, axe, shot):        # `page` makes pages: see `Pages.__call__`
        with served(create_app(...)) as address:
            tv = page(size=TV, lang="de")      # then Playwright: tv.goto(address), tv.locator(…)
            axe(tv); shot(tv, "table-de")      # build/screens/table-de.png: look at it

What a page's console shows as an error or a warning fails the test at its end; a test that stops
the server says so before: `page.allow(*SERVER_GONE)`. From a module's first page on, this thread
counts as one that runs an event loop: `asyncio.run` belongs into another thread (`Client` does so).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize

from referee.cli.hosting import config

#: Sizes that people have, in pixels.
TV, DESK, TABLET, UPRIGHT, PHONE = (
    (1920, 1080),
    (1600, 1000),
    (1024, 768),
    (768, 1024),
    (390, 844),
)
#: What the console shows when the server is away.
SERVER_GONE = (
    r"net::ERR_(CONNECTION_\w+|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED_ENCODING)",
    r"WebSocket connection to .* failed",
)
SCREENS = Path(__file__).parents[3] / "build" / "screens"
LOCALES = {"en": "en-GB", "de": "de-DE"}
#: Seconds for a browser to start, and milliseconds for a page to do what is waited for.
START_S, PATIENCE_MS = 60.0, 20_000.0
#: Those below the first group keep pages painting that nobody looks at; Playwright sets them too.
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-features=PaintHolding,Translate,CalculateNativeWinOcclusion,RenderDocument",
    "--force-color-profile=srgb",
)


@contextlib.contextmanager
def served(app: FastAPI, port: int = 0) -> Iterator[str]:
    """The application on a port of this machine (0: a free one); gives its address."""
    listening = socket.create_server(("127.0.0.1", port))
    port = listening.getsockname()[1]
    server = uvicorn.Server(config(app))
    thread = threading.Thread(target=asyncio.run, args=(_serve(server, listening),), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


async def _serve(server: uvicorn.Server, listening: socket.socket) -> None:
    await server.serve([listening])
    # A client too busy to read its end of a line would leave it open when the loop ends.
    for line in list(server.server_state.connections):
        line.transport.abort()
    await asyncio.sleep(0)


def chromium() -> str | None:
    """Debian's browser, if it is there."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextlib.contextmanager
def running(binary: str, folder: Path) -> Iterator[str]:
    """A browser; gives the address where it is told what to do."""
    command = [binary, *_FLAGS, f"--user-data-dir={folder}", "about:blank"]
    if (setpriv := shutil.which("setpriv")) is not None:
        # It does not outlive a test run that is killed.
        command = [setpriv, "--pdeathsig", "KILL", "--", *command]
    process = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield f"http://127.0.0.1:{_port(process, folder / 'DevToolsActivePort')}"
    finally:
        with contextlib.suppress(ProcessLookupError):
            # With all that it started.
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _port(process: subprocess.Popen[bytes], told: Path) -> int:
    deadline = time.monotonic() + START_S
    while not (told.exists() and "\n" in told.read_text()):
        assert process.poll() is None, "the browser has ended"
        assert time.monotonic() < deadline, "the browser does not start"
        time.sleep(0.02)
    return int(told.read_text().split("\n")[0])


class Pages:
    """Makes pages of a browser, each with storage of its own; `errors` are all that went wrong."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._allowed: list[str] = []
        self.errors: list[str] = []

    def __call__(
        self,
        size: tuple[int, int] = DESK,
        *,
        lang: str = "en",
        dark: bool = False,
        touch: bool = False,
    ) -> Page:
        """An empty page for somebody who speaks `lang`, and wants it dark or has a touch screen."""
        context = self._browser.new_context(
            viewport=ViewportSize(width=size[0], height=size[1]),
            locale=LOCALES[lang],
            color_scheme="dark" if dark else "light",
            has_touch=touch,
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._note(f"{error.message}\n{error.stack}"))
        page.on("request", lambda request: self._asked(request.url))
        return page

    def allow(self, *patterns: str) -> None:
        """From now on, console errors that match one of these regular expressions are expected."""
        self._allowed += patterns

    def close(self) -> None:
        """Closes all pages."""
        for context in self._contexts:
            context.close()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            place = message.location
            self._note(f"{message.text} ({place['url']}:{place['lineNumber']})")

    def _asked(self, url: str) -> None:
        """Pages need nothing from elsewhere: cafés are often offline."""
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.hostname != "127.0.0.1":
            self._note(f"asked for {url}")

    def _note(self, error: str) -> None:
        if not any(re.search(pattern, error) for pattern in self._allowed):
            self.errors.append(error)


def accessible(page: Page, context: str | None = None) -> None:
    """Fails if axe finds a serious or critical fault on a page, or in a part (a selector) of it."""
    found: list[dict[str, Any]] = Axe().run(page, context).response["violations"]
    told = [
        f"{each['impact']}: {each['help']} ({each['id']})\n    "
        + "\n    ".join(f"{node['target']}: {node['failureSummary']}" for node in each["nodes"])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert not told, f"{page.url} is not accessible:\n" + "\n".join(told)


def keep(page: Page, name: str, *, whole: bool = False, clear: bool = False) -> bytes:
    """Keeps what the page shows, or the `whole` of it, as build/screens/NAME.png, and gives it.

    `clear` leaves transparent what the page does not paint.
    """
    SCREENS.mkdir(parents=True, exist_ok=True)
    return page.screenshot(
        path=SCREENS / f"{name}.png", full_page=whole, omit_background=clear, animations="disabled"
    )
