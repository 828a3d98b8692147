"""What all routes of one server share."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.requests import HTTPConnection

from referee.games.said import say
from referee.web.access import Access, DeniedError
from referee.web.assets import Assets
from referee.web.gear import Opened
from referee.web.house import House
from referee.web.metrics import Metrics
from referee.web.page import MatchPage
from referee.web.reach import Reach, address_of, at_own_computer, port_of
from referee.web.screens import Screens
from referee.web.sessions import Sessions


@dataclass(frozen=True, eq=False)
class Site:
    """One server: what it shows, and whom it lets do what.

    screens: What is shown of the match that is open.
    house: Where matches are begun and ended; without one only what `screens` show is there.
    folder: Where matches lie; None if no other is shown.
    sessions: Who has logged in or joined; nobody can unless it has a PIN.
    reach: Where it can be reached.
    assets: The pages' files.
    metrics: What is counted of it.
    """

    screens: Screens
    house: House | None = None
    folder: Path | None = None
    sessions: Sessions = field(default_factory=Sessions)
    reach: Reach = field(default_factory=Reach)
    assets: Assets = field(default_factory=Assets)
    metrics: Metrics = field(default_factory=Metrics)

    @property
    def match(self) -> Opened | None:
        """All that runs the match that is open; None without one, or without a house."""
        return None if self.house is None else self.house.match

    @property
    def page(self) -> MatchPage[Any, Any] | None:
        """What is shown of the match that is open; None without one."""
        return self.screens.page

    def access(self, connection: HTTPConnection) -> Access | None:
        """What somebody may do now; None if nothing. Counts as use of their session."""
        own = at_own_computer(connection)
        if not own and not self.reach.lan:
            return None
        session = self.sessions.find(session_of(connection))
        given = Access.PLAY if own else Access.WATCH
        return given if session is None else max(given, session.access)

    def require(self, connection: HTTPConnection, access: Access) -> None:
        """Raises DeniedError if who is connected may not do what needs `access`."""
        has = self.access(connection)
        if has is None:
            text = say(
                "This referee shows its pages on its own computer only; --lan shows them to others."
            )
            raise DeniedError(text, log_in=False)
        if has >= access:
            return
        if access is Access.PLAY:
            text = say(
                "This device has not joined: scan the code that the referee's computer shows, or "
                "log in with the PIN."
            )
        else:
            text = say("This is for the judge: log in with the PIN.")
        raise DeniedError(text, log_in=True)

    def join_links(self) -> list[str]:
        """What players' devices open to join; none if they can't reach this server."""
        return self.reach.links(f"/join?code={self.sessions.code}") if self.reach.lan else []

    def token(self, connection: HTTPConnection) -> str:
        """What a browser must send with each change."""
        return self.sessions.token(session_of(connection), address_of(connection))

    def token_fits(self, connection: HTTPConnection, token: str) -> bool:
        """Whether a browser sent the right one."""
        return hmac.compare_digest(self.token(connection).encode(), token.encode())


def session_of(connection: HTTPConnection) -> str:
    """The id of somebody's session; empty if they have none."""
    return connection.cookies.get(cookie_of(connection), "")


def cookie_of(connection: HTTPConnection) -> str:
    """The cookie's name: browsers don't tell two servers on one computer apart by their ports."""
    port = port_of(connection.headers)
    return "referee" if port is None else f"referee-{port}"
