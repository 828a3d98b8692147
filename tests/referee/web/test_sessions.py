"""Logging in, joining, and what ends a session."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass, replace

import pytest
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from referee.cli.hosting import MOST_MESSAGE
from referee.web.access import Access
from referee.web.app import create_app
from referee.web.attempts import FREE, FREE_OF_ALL, MOST_ADDRESSES, Attempts
from referee.web.guard import MOST_SOCKETS, MOST_SOCKETS_EACH, TOO_MANY, Guard
from referee.web.pin import Pin, new_pin
from referee.web.reach import Reach
from referee.web.sessions import IDLE_S, LONGEST_S, MOST_SESSIONS, Sessions
from referee.web.site import Site
from tests.referee.web.browser import served
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN

WRONG, TABLET = "314159", "192.168.1.9"
REACH = Reach(8000, lan=True, addresses=("192.168.1.5",), names=("table.local",))


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(pin: Pin, clock: Clock) -> Sessions:
    return Sessions(pin, clock=clock)


@pytest.fixture
def lan(site: Site) -> Site:
    return replace(site, reach=REACH)


def tablet(site: Site, peer: str = TABLET) -> Client:
    return Client(create_app(site), peer=peer, base="http://192.168.1.5:8000")


def access(client: Client) -> str:
    return str(client.get("/api/session").json()["access"])


# The PIN.


def test_a_new_pin_has_six_digits_and_is_another_one_each_time() -> None:
    pins = {new_pin() for _ in range(20)}
    assert len(pins) > 15
    assert all(len(pin) == 6 and pin.isdecimal() for pin in pins)


def test_the_pin_is_not_kept() -> None:
    pin = Pin(PIN, cost=2)
    assert PIN not in repr(vars(pin))
    assert pin.fits(PIN)
    assert pin.fits(f" {PIN}\n")
    for wrong in ("", WRONG, PIN[:-1], PIN + "0", "\ud800", PIN * 20):
        assert not pin.fits(wrong)


@pytest.mark.parametrize("pin", ["", "12345", "     1    ", "1" * 65])
def test_a_pin_that_is_too_short_or_too_long_is_refused(pin: str) -> None:
    with pytest.raises(ValueError, match="6 to 64 characters"):
        Pin(pin)


def test_without_a_pin_nobody_logs_in() -> None:
    assert Sessions().log_in("", TABLET).session == ""


# Guessing.


def test_who_guesses_waits_longer_each_time(sessions: Sessions, clock: Clock) -> None:
    waits = []
    for _ in range(FREE + 4):
        tried = sessions.log_in(WRONG, TABLET)
        if tried.wait_s:
            waits.append(tried.wait_s)
            # Not even the right one is looked at before.
            assert not sessions.log_in(PIN, TABLET).session
            clock.now += tried.wait_s
            sessions.log_in(WRONG, TABLET)
    assert waits == [5.0, 10.0, 20.0, 40.0]


def test_the_wait_is_told_in_a_sentence(sessions: Sessions, clock: Clock) -> None:
    assert sessions.log_in(WRONG, TABLET).text == "This is not the PIN."
    for _ in range(FREE - 1):
        sessions.log_in(WRONG, TABLET)
    told = sessions.log_in(WRONG, TABLET)
    assert told.text == "Too many wrong tries: the next one is possible in 5 seconds."
    clock.now += 4.5
    assert sessions.log_in(PIN, TABLET).text.endswith("in 1 second.")
    clock.now += 0.5
    assert sessions.log_in(PIN, TABLET).session


def test_others_need_not_wait_for_who_guesses(sessions: Sessions) -> None:
    for _ in range(FREE + 1):
        sessions.log_in(WRONG, "192.168.1.66")
    assert sessions.log_in(PIN, TABLET).session


def test_many_who_guess_wait_together_but_not_the_own_computer(sessions: Sessions) -> None:
    for k in range(FREE_OF_ALL):
        sessions.log_in(WRONG, f"10.0.0.{k}")
    told = sessions.log_in(PIN, TABLET)
    assert told.session == ""
    assert told.wait_s == 1.0
    assert sessions.log_in(PIN, "127.0.0.1", own=True).session


def test_who_is_handed_on_does_not_keep_out_the_own_computer(sessions: Sessions) -> None:
    for _ in range(FREE):
        sessions.log_in(WRONG, "127.0.0.1")
    assert sessions.log_in(PIN, "127.0.0.1").wait_s
    assert sessions.log_in(PIN, "127.0.0.1", own=True).session


def test_who_may_join_does_not_guess_the_pin_more_often(sessions: Sessions) -> None:
    for _ in range(FREE):
        sessions.log_in(WRONG, TABLET)
        sessions.join(sessions.code, TABLET)
    assert sessions.log_in(WRONG, TABLET).wait_s


def test_so_many_addresses_are_remembered_and_no_more(clock: Clock) -> None:
    attempts = Attempts(clock)
    for k in range(MOST_ADDRESSES + FREE):
        for _ in range(FREE):
            attempts.failed(f"address {k}")
    assert len(attempts._addresses) == MOST_ADDRESSES
    # Who floods the memory waits with all others.
    assert attempts.wait("somebody new", own=False) == 60.0


def test_a_day_of_guessing_finds_one_pin_in_five_hundred_at_most(clock: Clock) -> None:
    """From as many addresses as one likes; a PIN has six digits."""
    attempts, guesses, address = Attempts(clock), 0, 0
    end = clock.now + 24 * 3600
    while clock.now < end:
        address += 1
        clock.now += attempts.wait(f"{address}", own=False)
        attempts.failed(f"{address}")
        guesses += 1
    assert guesses < 10**6 / 500


# Sessions.


def test_the_cookie_is_kept_from_scripts_and_from_other_sites(client: Client) -> None:
    answer = client.post("/api/login", {"pin": PIN})
    cookie = answer.headers["set-cookie"]
    for word in ("HttpOnly", "SameSite=strict", "Path=/", f"Max-Age={12 * 3600}"):
        assert word in cookie
    assert "Secure" not in cookie
    assert PIN not in str(answer.headers) + answer.text


def test_the_cookie_is_kept_to_https_where_there_is_any(lan: Site) -> None:
    client = Client(create_app(lan), peer=TABLET, base="https://192.168.1.5:8000")
    assert "Secure" in client.post("/api/login", {"pin": PIN}).headers["set-cookie"]
    client = tablet(lan)
    answer = client.post("/api/login", {"pin": PIN}, **{"X-Forwarded-Proto": "https"})
    assert "Secure" in answer.headers["set-cookie"]


def test_a_wrong_pin_begins_nothing(client: Client) -> None:
    told = client.post("/api/login", {"pin": WRONG})
    assert told.status_code == 200
    assert told.json() == {"accepted": False, "text": "This is not the PIN.", "wait_s": 0.0}
    assert "set-cookie" not in told.headers
    assert access(client) == "play"


def test_too_many_wrong_ones_are_told_when_to_come_again(site: Site, sessions: Sessions) -> None:
    client = Client(create_app(replace(site, sessions=sessions)))
    for _ in range(FREE):
        client.post("/api/login", {"pin": WRONG})
    told = client.post("/api/login?lang=de", {"pin": PIN})
    assert told.status_code == 429
    assert told.headers["retry-after"] == "5"
    assert "Sekunde" in told.json()["text"]
    assert access(client) == "play"


def test_logging_in_begins_another_session_than_before(lan: Site) -> None:
    client = tablet(lan)
    client.get(f"/join?code={lan.sessions.code}")
    joined = client.cookies["referee-8000"]
    assert access(client) == "play"
    client.log_in(PIN)
    assert client.cookies["referee-8000"] != joined
    assert access(client) == "judge"
    assert lan.sessions.find(joined) is None


def test_nobody_chooses_the_id_of_a_session(client: Client) -> None:
    client.cookies.set("referee-8000", "chosen")
    answer = client.post("/api/login", {"pin": PIN})
    assert answer.headers["set-cookie"].startswith("referee-8000=")
    assert "chosen" not in answer.headers["set-cookie"]


def test_a_token_is_good_for_its_session_alone(site: Site) -> None:
    app = create_app(site)
    judge, other = Client(app), Client(app)
    before = judge.ours()
    judge.log_in(PIN)
    other.log_in(PIN)
    tokens = {each.ours()["X-Referee"] for each in (judge, other)} | {before["X-Referee"]}
    assert len(tokens) == 3
    for wrong in (before, other.ours()):
        answer = judge.ask("POST", "/api/join-code", content=b"{}", headers=wrong)
        assert answer.status_code == 403
    assert judge.post("/api/join-code", {}).status_code == 200


def test_two_servers_on_one_computer_keep_their_sessions_apart(site: Site) -> None:
    client = Client(create_app(site), base="http://localhost:8001")
    client.log_in(PIN)
    assert list(client.cookies) == ["referee-8001"]


def test_logging_out(client: Client) -> None:
    client.log_in(PIN)
    session = client.cookies["referee-8000"]
    assert client.post("/api/logout", {}).status_code == 200
    assert "referee-8000" not in client.cookies
    client.cookies.set("referee-8000", session)
    assert access(client) == "play"


def test_all_can_be_sent_away_at_once(lan: Site) -> None:
    judge, player, code = tablet(lan), tablet(lan), lan.sessions.code
    judge.log_in(PIN)
    player.get(f"/join?code={code}")
    assert judge.post("/api/logout-all", {}).status_code == 200
    assert access(judge) == access(player) == "watch"
    assert player.get(f"/join?code={code}").headers["location"] == "/login?join=code"


@pytest.mark.parametrize("kind", [Access.PLAY, Access.JUDGE])
def test_a_session_ends_when_it_is_old_or_unused(
    sessions: Sessions, clock: Clock, kind: Access
) -> None:
    def begin() -> str:
        tried = (
            sessions.join(sessions.code, "") if kind is Access.PLAY else sessions.log_in(PIN, "")
        )
        return tried.session

    unused = begin()
    clock.now += IDLE_S[kind] + 1
    assert sessions.find(unused) is None

    used, began = begin(), clock.now
    while clock.now - began <= LONGEST_S[kind]:
        found = sessions.find(used)
        assert found is not None
        assert found.access is kind
        clock.now += IDLE_S[kind] / 2
    assert sessions.find(used) is None


def test_so_many_sessions_are_kept_and_no_more(sessions: Sessions) -> None:
    first, second = (sessions.log_in(PIN, "").session for _ in range(2))
    for _ in range(MOST_SESSIONS - 1):
        assert sessions.find(first) is not None
        sessions.log_in(PIN, "")
    assert sessions.find(first) is not None
    assert sessions.find(second) is None


# Joining.


def test_a_device_joins_by_the_link(lan: Site) -> None:
    client = tablet(lan)
    judge = tablet(lan)
    judge.log_in(PIN)
    links = judge.get("/api/join").json()["links"]
    code = lan.sessions.code
    assert links == [
        f"http://192.168.1.5:8000/join?code={code}",
        f"http://table.local:8000/join?code={code}",
    ]
    answer = client.get(f"/join?code={code.lower()}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert access(client) == "play"


def test_a_wrong_code_does_not(lan: Site) -> None:
    client = tablet(lan)
    for code in ("", "AAAAAAAA", "\u00e4"):
        answer = client.get(f"/join?code={code}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/login?join=code")
    answer = client.get(f"/join?code={lan.sessions.code}")
    assert answer.headers["location"] == "/login?join=wait"
    assert access(client) == "watch"


def test_who_judges_stays_it_when_joining(lan: Site) -> None:
    client = tablet(lan)
    client.log_in(PIN)
    client.get(f"/join?code={lan.sessions.code}")
    assert access(client) == "judge"


def test_another_code_ends_what_joined_by_the_old_one(lan: Site) -> None:
    judge, player, old = tablet(lan), tablet(lan), lan.sessions.code
    judge.log_in(PIN)
    player.get(f"/join?code={old}")
    links = judge.post("/api/join-code", {}).json()["links"]
    assert old not in str(links)
    assert access(player) == "watch"
    assert access(judge) == "judge"
    player.get(f"/join?code={old}")
    assert access(player) == "watch"


def test_without_others_there_is_nothing_to_join(client: Client) -> None:
    assert client.get("/api/join").json() == {"links": []}


# WebSockets.


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://192.168.1.5:9000", "null", "http://["]
)
def test_a_websocket_of_another_page_is_refused(lan: Site, origin: str) -> None:
    client = tablet(lan)
    client.log_in(PIN)
    assert client.knock("/ws?audience=judge", Origin=origin) == 4403
    assert client.knock("/ws?audience=judge", Origin="http://192.168.1.5:8000") is None
    assert client.knock("/ws?audience=table", Host="evil.example") == 4403


@pytest.mark.parametrize(("audience", "access"), [("judge", Access.JUDGE), ("table", Access.WATCH)])
def test_an_open_websocket_closes_when_its_session_ends(
    site: Site, audience: str, access: Access
) -> None:
    with served(create_app(site)) as address:
        cookie = f"{cookie_name(address)}={site.sessions.log_in(PIN, '').session}"
        url = f"ws{address[4:]}/ws?audience={audience}"
        with connect(url, additional_headers={"Cookie": cookie}) as socket:
            assert json.loads(socket.recv(5.0))["kind"] == "whole"
            site.sessions.end_all()
            if access is Access.JUDGE:
                with pytest.raises(ConnectionClosed) as closed:
                    follow(socket, 10.0)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4401
            else:
                follow(socket, 2.5)


def test_a_long_message_closes_its_websocket(site: Site) -> None:
    with served(create_app(site)) as address:
        with connect(f"ws{address[4:]}/ws?audience=table") as socket:
            socket.send("x" * (MOST_MESSAGE + 1))
            with pytest.raises(ConnectionClosed) as closed:
                follow(socket, 10.0)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def cookie_name(address: str) -> str:
    return f"referee-{address.rpartition(':')[2]}"


def follow(socket: ClientConnection, seconds: float) -> None:
    """Answers each beat, as pages do."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(TimeoutError):
            told = json.loads(socket.recv(0.5))
            if told["kind"] == "beat":
                socket.send(json.dumps({"kind": "beat", "v": told["v"]}))


@pytest.mark.parametrize(
    ("peer", "host", "most"),
    [(TABLET, "192.168.1.5", MOST_SOCKETS_EACH), ("127.0.0.1", "localhost", MOST_SOCKETS)],
)
def test_there_are_so_many_websockets_and_no_more(
    lan: Site, peer: str, host: str, most: int
) -> None:
    async def codes() -> list[int]:
        closing, told = asyncio.Event(), []

        async def held(scope: Scope, receive: Receive, send: Send) -> None:
            await closing.wait()

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            if message["type"] == "websocket.close":
                told.append(message["code"])

        guard, path = Guard(held, lan), {"type": "websocket", "path": "/ws", "query_string": b""}
        scope = {**path, "headers": [(b"host", host.encode())], "client": (peer, 1)}
        async with asyncio.TaskGroup() as crowd:
            for _ in range(most + 2):
                crowd.create_task(guard(scope, receive, send))
            await asyncio.sleep(0.05)
            full = list(told)
            closing.set()
        await guard(scope, receive, send)
        return [*full, *told[len(full) :]]

    assert asyncio.run(codes()) == [TOO_MANY, TOO_MANY]
