"""Who may use which route."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from fastapi import APIRouter, FastAPI
from starlette.routing import Route

from referee.match.commands import Do
from referee.web.access import Access, declared, needs
from referee.web.app import create_app
from referee.web.guard import MOST_STRANGERS
from referee.web.reach import Reach
from referee.web.site import Site
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN

WATCH, PLAY, JUDGE = Access.WATCH, Access.PLAY, Access.JUDGE
#: For the server's own computer and for who judges, but not for devices that joined.
OWN = "own"

#: Every route, and who may use it: a new one needs a line here.
ROUTES: dict[str, Access | str] = {
    "GET /": WATCH,
    "GET /static/{name:path}": WATCH,
    "GET /overlay": WATCH,
    "GET /overlay/help": WATCH,
    "GET /overlay/there": WATCH,
    "WS /ws": WATCH,
    "WS /ws/video": WATCH,
    "POST /api/command": PLAY,
    "GET /evidence/{name}.jpg": WATCH,
    "GET /art/{name}.png": WATCH,
    "GET /kit": WATCH,
    "GET /kit/{paper}-{language}.pdf": WATCH,
    "GET /api/kit": WATCH,
    "POST /api/kit/print": WATCH,
    "GET /api/kit/watch.svg": WATCH,
    "GET /api/kit/join.svg": PLAY,
    "GET /login": WATCH,
    "GET /join": WATCH,
    "GET /api/session": WATCH,
    "POST /api/login": WATCH,
    "POST /api/logout": WATCH,
    "POST /api/logout-all": JUDGE,
    "GET /api/join": PLAY,
    "POST /api/join-code": JUDGE,
    "GET /judge": JUDGE,
    "GET /api/judge/audit": JUDGE,
    "GET /api/judge/diagnostics": JUDGE,
    "GET /api/judge/position": JUDGE,
    "POST /api/judge/position": JUDGE,
    "GET /history": WATCH,
    "GET /api/history": WATCH,
    "GET /api/history/{match}": WATCH,
    "GET /api/history/{match}/evidence/{name}.jpg": WATCH,
    "GET /api/history/{match}/export": JUDGE,
    "POST /api/history/{match}/delete": JUDGE,
    "GET /setup": JUDGE,
    "GET /api/setup": JUDGE,
    "GET /api/setup/picture.jpg": JUDGE,
    "GET /api/setup/art/{name}.png": JUDGE,
    "POST /api/setup/settings": JUDGE,
    "POST /api/setup/again": JUDGE,
    "POST /api/setup/settle": JUDGE,
    "POST /api/setup/photo": JUDGE,
    "GET /api/setup/cut/{number}.png": JUDGE,
    "POST /api/setup/teach": JUDGE,
    "POST /api/setup/faces": JUDGE,
    "GET /api/setup/edition": JUDGE,
    "POST /api/setup/edition": JUDGE,
    "POST /api/setup/box": JUDGE,
    "POST /api/setup/begin": JUDGE,
    "POST /api/setup/take-up": JUDGE,
    "POST /api/setup/end": JUDGE,
    "POST /api/setup/check": JUDGE,
    "POST /api/setup/check/reply": JUDGE,
    "POST /api/setup/check/stop": JUDGE,
    "GET /healthz": WATCH,
    "GET /metrics": OWN,
    "GET /openapi.json": JUDGE,
}


#: What only some may ask of a route that lets in more.
ASKED: dict[str, Access | str] = {
    "GET /evidence/{name}.jpg": JUDGE,
    "WS /ws?audience=table": WATCH,
    "WS /ws?audience=overlay": WATCH,
    "WS /ws?audience=judge": JUDGE,
    "WS /ws/video?audience=table": WATCH,
    "WS /ws/video?audience=judge": JUDGE,
}
#: Every command, and who may give it; whoever overrules the rules judges.
COMMANDS = {
    "enter": PLAY,
    "done": PLAY,
    "start": PLAY,
    "stop": PLAY,
    "undo": PLAY,
    "position": JUDGE,
    "table-right": JUDGE,
    "record-right": PLAY,
    "correct": PLAY,
    "note": PLAY,
    "review": JUDGE,
    "resume": JUDGE,
}
#: What stands for the parts of a path; evidence has a seal, or it is for who judges.
NAMES = {"{name:path}": "table/main.js", "{name}": "x", "{match}": "x", "{number}": "0"}
REACH = Reach(8000, lan=True, addresses=("192.168.1.5",), names=("table.local",))
LAN = "http://192.168.1.5:8000"


def test_every_route_is_listed_with_its_access(site: Site) -> None:
    listed = {route: PLAY if needed == OWN else needed for route, needed in ROUTES.items()}
    assert create_app(site).state.access == listed


# Who asks, and what they may do.


@dataclass(frozen=True)
class Kind:
    """Somebody who asks."""

    access: Access | None
    lan: bool = False
    """Whether the host lets others see the pages."""
    peer: str = "127.0.0.1"
    base: str = "http://127.0.0.1:8000"
    session: Access | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def may(self, needed: Access | str) -> bool:
        if self.access is None:
            return False
        if needed == OWN:
            return self.access is JUDGE or (self.access is PLAY and self.session is None)
        return self.access >= int(needed)


TABLET = "192.168.1.9"


def tablet(access: Access, session: Access | None = None) -> Kind:
    return Kind(access, lan=True, peer=TABLET, base=LAN, session=session)


KINDS = {
    "own computer": Kind(PLAY),
    "own computer, IPv6": Kind(PLAY, peer="::1", base="http://[::1]:8000"),
    "own computer, with PIN": Kind(JUDGE, session=JUDGE),
    "own computer, open to others": Kind(PLAY, lan=True, base="http://localhost:8000"),
    "own computer by its name on the network": Kind(WATCH, lan=True, base=LAN),
    "tablet": tablet(WATCH),
    "tablet that joined": tablet(PLAY, session=PLAY),
    "tablet with PIN": tablet(JUDGE, session=JUDGE),
    "tablet that says it is here": Kind(WATCH, lan=True, peer=TABLET),
    "tablet, not open to others": Kind(None, peer=TABLET),
    "tablet with PIN, not open to others": Kind(None, peer=TABLET, session=JUDGE),
    "handed on": Kind(None, headers={"X-Forwarded-For": "127.0.0.1"}),
    "handed on, open to others": Kind(WATCH, lan=True, headers={"Forwarded": "for=127.0.0.1"}),
    "handed on by an old one": Kind(WATCH, lan=True, headers={"Via": "1.0 proxy"}),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_route_lets_in_whom_it_should_and_nobody_else(site: Site, name: str) -> None:
    kind = KINDS[name]
    site = replace(site, reach=REACH if kind.lan else Reach(8000))
    app, wrong = create_app(site), {}
    for route, needed in {**ROUTES, **ASKED}.items():
        allowed = kind.may(needed)
        told = ask(app, site, kind, route)
        denied = told in (401, 403, 4401, 4403)
        if denied == allowed:
            wrong[route] = told
    assert wrong == {}


def ask(app: FastAPI, site: Site, kind: Kind, route: str) -> int | None:
    """The status, or the code with which a WebSocket is closed."""
    client = asking(app, site, kind)
    method, _, path = route.partition(" ")
    for part, value in NAMES.items():
        path = path.replace(part, value)
    if method == "WS":
        return client.knock(path, **kind.headers)
    if method == "GET":
        return client.get(path, **kind.headers).status_code
    token = client.get("/api/session", **kind.headers).json().get("token", "")
    headers = {"X-Referee": token, "Content-Type": "application/json", **kind.headers}
    return client.ask(method, path, content=b"{}", headers=headers).status_code


def asking(app: FastAPI, site: Site, kind: Kind) -> Client:
    client = Client(app, peer=kind.peer, base=kind.base)
    if kind.session is not None:
        client.cookies.set("referee-8000", given(site, kind.session))
    return client


def given(site: Site, access: Access) -> str:
    """A new session."""
    if access is PLAY:
        return site.sessions.join(site.sessions.code, TABLET).session
    return site.sessions.log_in(PIN, TABLET).session


@pytest.mark.parametrize("name", ["tablet", "tablet that joined", "tablet with PIN"])
def test_every_command_is_for_whom_it_should_be(site: Site, name: str) -> None:
    kind, site = KINDS[name], replace(site, reach=REACH)
    client = asking(create_app(site), site, kind)
    may = {}
    for do in Do:
        for overrule in (False, True):
            # It is stale, so that nothing happens.
            body = {"do": do.value, "at": 99, "id": "1", "by": "Ann", "overrule": overrule}
            answer = client.send({**body, "reason": "why", "text": "x"})
            may[do.value, overrule] = answer.status_code != 401
    assert kind.access is not None
    assert may == {
        (do, overrule): kind.access >= (JUDGE if overrule else needed)
        for do, needed in COMMANDS.items()
        for overrule in (False, True)
    }


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "192.168.1.6",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil.example",
        "127.0.0.1:80; script-src *",
        "127.0.0.1:99999",
        "",
    ],
)
def test_a_name_that_was_made_to_point_here_is_not_answered(site: Site, host: str) -> None:
    app = create_app(replace(site, reach=REACH))
    for path in ("/", "/static/table/main.js", "/healthz", "/no-such-page"):
        answer = Client(app, peer=TABLET, base=LAN).get(path, Host=host)
        assert answer.status_code == 400
        assert "name" in answer.json()["text"]
        assert "ws://evil" not in answer.headers["content-security-policy"]


def test_a_name_of_others_is_noted_once(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    client = Client(create_app(site))
    for n in range(3 * MOST_STRANGERS):
        client.get("/", Host=f"host-{n // 2}.example")
    noted = [text for text in caplog.messages if "not this computer's" in text]
    assert len(noted) == len(set(noted)) == MOST_STRANGERS
    assert "'host-0.example'" in noted[0]


def test_a_page_is_sent_to_where_one_logs_in(site: Site) -> None:
    client = Client(create_app(replace(site, reach=REACH)), peer=TABLET, base=LAN)
    answer = client.get("/api/join?a=1", Accept="text/html,application/xhtml+xml")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?to=/api/join%3Fa%3D1"


# What says who may use it.


def nothing() -> None:
    """A route that does nothing."""


def test_a_route_that_does_not_say_who_may_use_it_is_refused() -> None:
    router = APIRouter()
    router.get("/open")(nothing)
    with pytest.raises(TypeError, match="/open must say once"):
        declared([router])


def test_a_websocket_too() -> None:
    router = APIRouter()
    router.websocket("/ws")(nothing)
    with pytest.raises(TypeError, match="/ws must say once"):
        declared([router])


def test_routes_that_can_not_say_it_are_refused() -> None:
    with pytest.raises(TypeError, match="can't say"):
        declared([APIRouter(routes=[Route("/raw", nothing)])])


def test_who_says_it_is_listed() -> None:
    router = APIRouter()
    router.get("/open", **needs(WATCH))(nothing)
    router.websocket("/ws", **needs(JUDGE))(nothing)
    assert declared([router]) == {"GET /open": WATCH, "WS /ws": JUDGE}
    with pytest.raises(TypeError, match="Two routes"):
        declared([router, router])
