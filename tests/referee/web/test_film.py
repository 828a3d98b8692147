"""The live picture: as fast as each client takes it, never faster than is good for the referee."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from websockets.exceptions import ConnectionClosed

from referee.match.commands import Do
from referee.web import film, pictures, socket
from referee.web.app import create_app
from referee.web.publish import Audience
from referee.web.site import Site
from tests.referee.observations import down, sure
from tests.referee.web.browser import served
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN
from tests.referee.web.stage import PICTURE, Stage
from tests.referee.web.test_state import raided, table
from tests.referee.web.viewer import Viewer

ALL_BUT_ONE_DOWN = [
    *sure("centre", "a"),
    *sure("centre", "b", 2),
    *sure("centre", "c", 2),
    down("castle"),
]


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    with served(create_app(site)) as address:
        yield address


def watching(address: str, audience: str = "table", cookie: str = "") -> Viewer:
    return Viewer(address, f"audience={audience}", cookie, "/ws/video")


def picture(viewer: Viewer, timeout: float = 5.0) -> bytes:
    """The next picture; what says that there is nothing new is passed over."""
    while not isinstance(told := viewer.socket.recv(timeout), bytes):
        assert json.loads(told) == {"kind": "beat"}
    return told


def seen(jpeg: bytes) -> NDArray[np.uint8]:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def shown(stage: Stage, audience: Audience) -> bytes:
    """The picture that an audience is shown now."""

    async def wait() -> bytes:
        before = await stage.screens.film.newest(audience)
        while (now := await stage.screens.film.newest(audience)) is before:
            await asyncio.sleep(0.01)
        return now

    return asyncio.run(asyncio.wait_for(wait(), 5.0))


def test_the_next_picture_comes_when_the_last_is_shown(stage: Stage, address: str) -> None:
    stage.see(ALL_BUT_ONE_DOWN)
    with watching(address) as viewer:
        first = picture(viewer)
        assert seen(first).shape == PICTURE.shape
        with pytest.raises(TimeoutError):
            viewer.socket.recv(0.5)
        viewer.say({"kind": "shown"})
        assert picture(viewer) != b""


def test_pictures_are_made_once_for_all_at_a_bounded_rate(
    stage: Stage, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    jpeg = pictures.jpeg

    def counted(look: Any, view: Any, *, readings: bool) -> bytes:
        made.append(look.frame.id)
        return jpeg(look, view, readings=readings)

    monkeypatch.setattr(film, "jpeg", counted)
    stage.until(lambda: stage.frame >= 0)
    time.sleep(0.3)
    assert made == [], "nobody watches"
    with watching(address) as one, watching(address) as other:
        began = time.monotonic()
        for _ in range(6):
            for viewer in (one, other):
                picture(viewer)
                viewer.say({"kind": "shown"})
        took = time.monotonic() - began
    assert len(made) == len(set(made))
    assert len(made) <= took * film.RATE + 2


def test_a_slow_client_slows_nobody(address: str) -> None:
    with watching(address) as slow, watching(address) as quick:
        picture(slow)
        for _ in range(4):
            picture(quick)
            quick.say({"kind": "shown"})


def test_nothing_outside_the_table_is_shown(stage: Stage) -> None:
    stage.see([])
    stage.until(lambda: stage.frame >= 0)
    image = seen(shown(stage, Audience.TABLE))
    # The table ends at 118 x 62 pixels; the rest of the room is as grey as the table.
    assert int(image[40, 60].min()) > 60
    assert int(image[200:, 300:].max()) < 10


def test_players_see_marks_and_no_readings(stage: Stage) -> None:
    """What vision read stands in the judge's picture alone."""
    stage.see(ALL_BUT_ONE_DOWN)
    stage.until(lambda: stage.frame >= 0 and stage.page.look.settled is not None)  # type: ignore[union-attr]
    plain, read = (seen(shown(stage, each)) for each in (Audience.TABLE, Audience.JUDGE))
    bare = stage.page.look
    assert bare is not None
    assert np.abs(plain.astype(int) - bare.picture).max() <= 12
    assert np.abs(read.astype(int) - bare.picture).max() > 100


def test_a_tile_that_keeps_the_referee_waiting_is_marked_for_all(stage: Stage) -> None:
    raided(stage)
    stage.see(table(also=(down("castle"),)))
    stage.until(lambda: stage.view.verdict is not None and bool(stage.view.marks))
    marked = seen(shown(stage, Audience.TABLE))
    stage.say(Do.UNDO)
    stage.until(lambda: stage.view.verdict is None)
    assert np.abs(marked.astype(int) - seen(shown(stage, Audience.TABLE))).max() > 100


def test_without_a_camera_a_client_is_told_so_now_and_then(
    address: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(film, "IDLE_S", 0.2)
    monkeypatch.setattr(stage.screens.film, "_source", lambda: None)
    with watching(address) as viewer:
        assert [viewer.socket.recv(5.0) for _ in range(2)] == ['{"kind":"beat"}'] * 2


def test_the_judges_picture_needs_the_pin(site: Site, address: str) -> None:
    with watching(address, "judge") as viewer:
        assert viewer.closed() == socket.LOG_IN
    client = Client(create_app(site), base=address)
    client.log_in(PIN)
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    with watching(address, "judge", cookie) as viewer:
        picture(viewer)
        client.post("/api/logout", {})
        viewer.say({"kind": "shown"})
        assert viewer.closed() == socket.LOG_IN


def test_who_says_anything_else_or_nothing_is_closed(
    address: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(film, "PATIENCE_S", 0.3)
    for message, code in (("cake", socket.MALFORMED), (None, socket.SILENT)):
        with watching(address) as viewer:
            picture(viewer)
            if message is not None:
                viewer.say(message)
            with pytest.raises(ConnectionClosed) as closed:
                viewer.socket.recv(5.0)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == code
    stage.until(lambda: stage.screens.film.watchers == 0)


def test_too_many_are_told_so(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "MOST_WATCHERS", 1)
    with watching(address) as one:
        picture(one)
        with watching(address) as other:
            assert other.closed() == socket.TOO_MANY


def test_in_a_review_the_players_picture_stands_still(stage: Stage) -> None:
    stage.until(lambda: stage.frame >= 0)
    before = shown(stage, Audience.TABLE)
    stage.say(Do.REVIEW, reason="who took it?")

    async def later() -> tuple[bytes, bytes]:
        await asyncio.sleep(0.5)
        newest = stage.screens.film.newest
        return await newest(Audience.TABLE), await newest(Audience.JUDGE)

    public, judges = asyncio.run(later())
    assert public is before
    assert judges != b""
    stage.say(Do.RESUME)
    assert shown(stage, Audience.TABLE) is not before


def test_nobody_sees_in_a_review_what_was_not_seen_before(stage: Stage) -> None:
    """A picture from long before, or one of now, would both be none of the review's beginning."""
    stage.until(lambda: stage.frame >= 0)
    stage.say(Do.REVIEW, reason="who took it?")
    assert asyncio.run(stage.screens.film.newest(Audience.TABLE)) == b""
