"""Buttons: stamped at the first contact, believed when they hold, each press once."""

from __future__ import annotations

import pytest

from referee.box.protocol import (
    Button,
    Buttons,
    Hourglass,
    HourglassReply,
    Pattern,
    Pressed,
    Status,
    StatusReply,
)
from tests.firmware.conftest import MakeSubject
from tests.firmware.master import Master


@pytest.mark.parametrize("off", [0, 5000])
def test_the_stamp_is_right_to_a_tenth_of_a_millisecond(
    make_subject: MakeSubject, off: int
) -> None:
    host = Master(make_subject(off))
    host.run(0.1)
    host.hello()
    rate = 1 + off / 1e6
    # The ring is being drawn meanwhile, with interrupts kept out for an LED at a time.
    host.ask(Hourglass(1, 60_000, 0, Pattern.NONE, 1, 0), HourglassReply)
    host.events.clear()
    offset = host.clock_offset(rate)
    for i in range(40):
        host.wait(0.0313)
        button = Button(i % 2)
        at = host.subject.now
        host.subject.press(button, True)
        pressed = host.wait_for(Pressed, 0.5)
        assert pressed.button == button
        assert pressed.at_us / 1e6 == pytest.approx(at * rate + offset, abs=1e-4)
        host.subject.press(button, False)
    assert host.events == []


def test_bounces_are_one_press_of_the_first_contact(master: Master) -> None:
    offset = master.clock_offset()
    master.events.clear()
    at = master.subject.now
    for _ in range(12):
        master.subject.press(Button.STOP, True)
        master.wait(0.0004)
        master.subject.press(Button.STOP, False)
        master.wait(0.0006)
    master.subject.press(Button.STOP, True)
    master.wait(0.2)
    for _ in range(12):
        master.subject.press(Button.STOP, False)
        master.wait(0.0006)
        master.subject.press(Button.STOP, True)
        master.wait(0.0004)
    master.subject.press(Button.STOP, False)
    master.wait(0.2)
    (pressed,) = master.events
    assert isinstance(pressed, Pressed)
    assert pressed.at_us / 1e6 == pytest.approx(at + offset, abs=1e-4)


def test_a_spark_is_no_press(master: Master) -> None:
    master.events.clear()
    for _ in range(10):
        master.subject.press(Button.JUDGE, True)
        master.wait(0.0015)
        master.subject.press(Button.JUDGE, False)
        master.wait(0.05)
    assert master.events == []


def test_held_buttons_are_told_and_pressed_once(master: Master) -> None:
    master.events.clear()
    master.subject.press(Button.STOP, True)
    master.wait(3)
    assert master.ask(Status(), StatusReply).buttons == Buttons.STOP
    master.subject.press(Button.JUDGE, True)
    master.wait(0.1)
    assert master.ask(Status(), StatusReply).buttons == Buttons.STOP | Buttons.JUDGE
    master.subject.press(Button.STOP, False)
    master.wait(0.1)
    assert master.ask(Status(), StatusReply).buttons == Buttons.JUDGE
    pressed = [e.button for e in master.events if isinstance(e, Pressed)]
    assert pressed == [Button.STOP, Button.JUDGE]


def test_both_at_once_are_both_told(master: Master) -> None:
    master.events.clear()
    master.subject.press(Button.STOP, True)
    master.subject.press(Button.JUDGE, True)
    master.wait(0.5)
    pressed = [e.button for e in master.events if isinstance(e, Pressed)]
    assert sorted(pressed) == [Button.STOP, Button.JUDGE]
