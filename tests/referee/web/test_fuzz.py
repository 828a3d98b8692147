"""Every route is sent what makes sense and what does not, as its description has it."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import Receive, Scope, Send

from referee.web.app import create_app
from referee.web.house import House
from referee.web.openapi import described
from referee.web.pin import Pin
from referee.web.reach import Reach
from referee.web.screens import Screens, pages_of
from referee.web.sessions import Sessions
from referee.web.site import Site
from tests.referee.web.conftest import PIN
from tests.referee.web.houses import SEATS, a_house

#: So many requests of each kind to each route.
EXAMPLES = 12
LAN, TABLET = "http://192.168.1.5:8000", "192.168.1.9"
REACH = Reach(8000, lan=True, addresses=("192.168.1.5",))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house with a match, which is played by hand."""
    with a_house(tmp_path) as house:
        house.begin(SEATS)
        yield house


@pytest.fixture
def site(house: House, pin: Pin) -> Iterator[Site]:
    with Screens(pages_of(house)) as screens:
        yield Site(screens, house, sessions=Sessions(pin), reach=REACH)


class Tablet:
    """The application as a tablet asks it whose user has given the PIN."""

    def __init__(self, site: Site, app: FastAPI) -> None:
        self._sessions, self._app = site.sessions, app

    def headers(self) -> dict[str, str]:
        """What its browser sends: of a new session, as the last one may have been ended."""
        session = self._sessions.log_in(PIN, TABLET).session
        return {
            "Cookie": f"referee-8000={session}",
            "X-Referee": self._sessions.token(session, TABLET),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, "client": (TABLET, 50000)}, receive, send)


def test_whatever_is_sent_is_answered_as_described(site: Site) -> None:
    app = create_app(site)
    tablet = Tablet(site, app)
    schema = schemathesis.openapi.from_dict(_without_sessions(described(app)))
    # What is too long is refused before it is looked at.
    schema.config.checks.negative_data_rejection.expected_statuses.append("413")
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        fuzzed(tablet, operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
        # Nothing can be wrong with a name that may be anything.
        with contextlib.suppress(Unsatisfiable):
            fuzzed(tablet, operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))


def _without_sessions(described: dict[str, Any]) -> dict[str, Any]:
    """The tablet sends its session with everything: nobody has to make one up."""
    schema = copy.deepcopy(described)
    for methods in schema["paths"].values():
        for operation in methods.values():
            operation.pop("security", None)
    return schema


def fuzzed(tablet: Tablet, cases: Any) -> None:
    @given(case=cases)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Case[Any]) -> None:
        answer = case.call(base_url=LAN, app=tablet, headers=tablet.headers())
        case.validate_response(answer, checks=CHECKS)

    send()
