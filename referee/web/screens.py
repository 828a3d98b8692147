"""All that a server shows of whichever match is open: its documents, and the live picture."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

from referee.journal import people_of
from referee.web.film import Film
from referee.web.gear import Gear, Opened
from referee.web.page import MatchPage
from referee.web.publish import Publisher
from referee.web.socket import Hub

#: Gives the page of the open match, a new one for each; None without one.
Source = Callable[[], MatchPage[Any, Any] | None]


class Screens:
    """What the routes of one server share of it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.publisher = Publisher(source)
        self.hub = Hub(self.publisher)
        self.film = Film(source)

    @property
    def page(self) -> MatchPage[Any, Any] | None:
        """The open match."""
        return self._source()

    def start(self) -> None:
        """Begins to publish."""
        self.publisher.start()

    def stop(self) -> None:
        """Ends it."""
        self.publisher.stop()
        self.film.close()

    def __enter__(self) -> Screens:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()


class Home(Protocol):
    """Where matches are played, such as the house."""

    @property
    def match(self) -> Opened | None:
        """The match that is open."""

    @property
    def gear(self) -> Gear:
        """What it is played with."""


def pages_of(home: Home) -> Source:
    """The pages of a home's matches, each made once."""
    lock = threading.Lock()
    last: tuple[Opened, MatchPage[Any, Any]] | None = None

    def page() -> MatchPage[Any, Any] | None:
        nonlocal last
        match = home.match
        with lock:
            if match is None:
                last = None
                return None
            if last is None or last[0] is not match:
                shown = MatchPage(
                    match.game,
                    match.live,
                    match.watch,
                    match.pictures,
                    home.gear.art,
                    people=people_of(match.journal.header),
                )
                last = (match, shown)
            return last[1]

    return page
