"""A running match of the small game, and its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from referee.web.app import create_app
from referee.web.pin import Pin
from referee.web.sessions import Sessions
from referee.web.site import Site
from tests.referee.web.browser import PATIENCE_MS, Pages, accessible, chromium, keep, running
from tests.referee.web.client import Client
from tests.referee.web.stage import Stage

PIN = "271828"


@pytest.fixture
def pin() -> Pin:
    """What the server knows of the PIN, but quick to compare with."""
    return Pin(PIN, cost=2)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    stage.start()
    yield stage
    stage.stop()


@pytest.fixture
def site(stage: Stage, pin: Pin) -> Site:
    return Site(stage.screens, sessions=Sessions(pin))


@pytest.fixture
def client(site: Site) -> Client:
    """A browser on the server's own computer."""
    return Client(create_app(site))


@pytest.fixture(scope="session")
def browser_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One browser for all tests."""
    binary = chromium()
    if binary is None:
        pytest.skip("no Chromium here: install Debian's package chromium")
    with running(binary, tmp_path_factory.mktemp("browser") / "profile") as address:
        yield address


@pytest.fixture(scope="module")
def browser(browser_address: str) -> Iterator[Browser]:
    """One driver for all tests of a module; the next one may run event loops again."""
    with sync_playwright() as playwright:
        yield playwright.chromium.connect_over_cdp(browser_address)


@pytest.fixture
def page(browser: Browser) -> Iterator[Pages]:
    """Makes pages; their errors fail the test."""
    expect.set_options(timeout=PATIENCE_MS)
    pages = Pages(browser)
    yield pages
    pages.close()
    assert pages.errors == []


@pytest.fixture
def axe() -> Callable[..., None]:
    """Fails if a page, or a part of it, has a serious or critical fault for some of its users."""
    return accessible


@pytest.fixture
def shot() -> Callable[..., bytes]:
    """Keeps a picture of a page in build/screens."""
    return keep
