"""What all routes of one server share."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.requests import HTTPConnection

from referee.web.access import Access, DeniedError
from referee.web.assets import Assets
from referee.web.page import MatchPage

#: Names by which this computer calls itself.
LOOPBACK = ("127.0.0.1", "localhost")


@dataclass(frozen=True, eq=False)
class Site:
    """One server: what it shows, and whom it lets do what.

    page: The match that is shown.
    folder: Where matches lie; None if no other is shown.
    hosts: The names that it answers to.
    assets: The pages' files.
    """

    page: MatchPage[Any, Any]
    folder: Path | None = None
    hosts: tuple[str, ...] = LOOPBACK
    assets: Assets = field(default_factory=Assets)

    def access(self, connection: HTTPConnection) -> Access | None:
        """What somebody may do now; None if nothing."""
        return Access.JUDGE

    def require(self, connection: HTTPConnection, access: Access) -> None:
        """Raises DeniedError if who is connected may not do what needs `access`."""
        has = self.access(connection)
        if has is None or has < access:
            raise DeniedError("That needs the PIN: log in.", log_in=True)
