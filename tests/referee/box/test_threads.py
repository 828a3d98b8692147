"""The box with its own thread, on the wall clock: callbacks, iterators, closing."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from referee.box.box import Box
from referee.box.draw import Dial
from referee.box.errors import ClosedError, LinkLostError
from referee.box.fake import FakeBoard, fake_board, forget_fake_boards
from referee.box.happenings import Disconnected, Happening, Told
from referee.box.protocol import Button, Pattern, Pressed

#: Nothing here takes so long, unless it hangs.
LONG = 30.0


@pytest.fixture
def box() -> Iterator[Box]:
    fake_board("threads", FakeBoard())
    with Box("fake://threads") as made:
        yield made
    forget_fake_boards()


def press(down: bool = True) -> None:
    with fake_board("threads") as board:
        board.press(Button.STOP, down)


def pressed(happening: Happening) -> bool:
    return isinstance(happening, Told) and isinstance(happening.event, Pressed)


def test_a_callback_is_called_once_and_may_be_slow_or_fail(
    box: Box, caplog: pytest.LogCaptureFixture
) -> None:
    called = threading.Event()
    times: list[float] = []

    def call(happening: Happening) -> None:
        if pressed(happening):
            assert isinstance(happening, Told)
            times.append(happening.at)
            called.set()
            raise ZeroDivisionError

    box.on_event(call)
    before = time.monotonic()
    press()
    assert called.wait(LONG)
    # The heartbeat goes on meanwhile, and nothing is told twice.
    time.sleep(0.5)
    assert box.connected
    assert len(times) == 1
    assert before - 0.01 <= times[0] <= time.monotonic()
    assert "ZeroDivisionError" in caplog.text


def test_an_iterator_ends_when_the_box_is_closed(box: Box) -> None:
    seen: list[Happening] = []
    inbox = box.events()
    reader = threading.Thread(target=lambda: seen.extend(inbox))
    reader.start()
    press()
    until = time.monotonic() + LONG
    while not any(map(pressed, seen)) and time.monotonic() < until:
        time.sleep(0.01)
    box.close()
    reader.join(LONG)
    assert not reader.is_alive()
    assert len(list(filter(pressed, seen))) == 1


def test_many_threads_may_ask_at_once(box: Box) -> None:
    errors: list[Exception] = []

    def ask() -> None:
        try:
            for _ in range(20):
                box.status()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert errors == []


def test_a_call_that_waits_ends_when_the_box_is_unplugged(box: Box) -> None:
    inbox = box.events()
    stalled = fake_board("threads").board
    stalled.stall(LONG)
    threading.Timer(0.3, stalled.unplug).start()
    with pytest.raises(LinkLostError):
        box.buzz(Pattern.NONE)
    while not isinstance(inbox.get(LONG), Disconnected):
        pass
    stalled.plug_in()
    with fake_board("threads") as board:
        board.reset()
    until = time.monotonic() + LONG
    while not box.connected and time.monotonic() < until:
        time.sleep(0.01)
    box.buzz(Pattern.NONE)


def test_after_closing_calls_fail_at_once(box: Box) -> None:
    box.close()
    with pytest.raises(ClosedError):
        box.status()
    assert list(box.events()) == []


def test_a_fault_of_the_program_starts_the_link_anew(
    box: Box, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    inbox = box.events()
    with monkeypatch.context() as patch:
        patch.setattr("referee.box.session.Session.step", lambda self: 1 / 0)
        while not isinstance(inbox.get(LONG), Disconnected):
            pass
    until = time.monotonic() + LONG
    while not box.connected and time.monotonic() < until:
        time.sleep(0.01)
    box.buzz(Pattern.NONE)
    assert "starts anew" in caplog.text


def test_who_waits_for_the_arrow_is_told_when_the_box_is_closed(box: Box) -> None:
    raised: list[BaseException] = []

    def spin() -> None:
        try:
            box.spin(Dial.equal(["2", "3"]), 1, turns=10)
        except ClosedError as error:
            raised.append(error)

    spinning = threading.Thread(target=spin)
    spinning.start()
    time.sleep(1.0)
    box.close()
    spinning.join(LONG)
    assert not spinning.is_alive()
    assert len(raised) == 1
