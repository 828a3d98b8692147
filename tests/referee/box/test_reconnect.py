"""Cables pulled, boards reset, programs started again: found by itself, nothing done twice."""

from __future__ import annotations

import pytest

from referee.box.draw import Dial
from referee.box.errors import LinkLostError, NoBoxError, StateLostError
from referee.box.happenings import (
    Connected,
    Disconnected,
    EventsMissed,
    Happening,
    StateLost,
    Told,
)
from referee.box.protocol import (
    Booted,
    Button,
    GlassEnded,
    Hourglass,
    LightMode,
    LinkLost,
    Parts,
    Pattern,
    Pressed,
    ResetCause,
    Sectors,
)
from tests.referee.box.virtual import Desk, all_of

DIAL = Dial.equal(range(6))


def kinds(happened: list[Happening]) -> list[str]:
    return [type(h.event if isinstance(h, Told) else h).__name__ for h in happened]


def test_after_a_pulled_cable_it_is_found_again_and_told_once(desk: Desk) -> None:
    inbox = desk.box.events()
    desk.board.unplug(10)
    desk.wait(5)
    assert not desk.connected()
    assert isinstance(desk.box.error, NoBoxError)
    with pytest.raises(LinkLostError) as caught:
        desk.box.buzz(Pattern.YES)
    assert not caught.value.unsure
    desk.wait(10)
    assert desk.connected()
    desk.box.buzz(Pattern.YES)
    happened = all_of(inbox)
    assert kinds(happened) == ["Disconnected", "Connected", "LinkLost"]
    assert isinstance(happened[0], Disconnected)
    assert isinstance(happened[1], Connected)


def test_the_hourglass_is_taken_up_after_a_pulled_cable(desk: Desk) -> None:
    inbox = desk.box.events()
    began = desk.clock.now()
    running = desk.box.hourglass(60)
    desk.board.unplug(20)
    desk.wait(30)
    assert desk.connected()
    taken_up = desk.box.glass()
    assert taken_up is not None
    assert taken_up.glass_id == running.glass_id
    assert taken_up.ends_at == pytest.approx(began + 60, abs=0.02)
    desk.wait(35)
    ends = [h for h in all_of(inbox) if isinstance(h, Told)]
    (end,) = [h for h in ends if isinstance(h.event, GlassEnded)]
    assert end.at == pytest.approx(began + 60, abs=0.02)
    assert len([c for c in desk.board.done if isinstance(c, Hourglass)]) == 1


def test_an_end_while_nobody_listened_is_told_with_its_time(desk: Desk) -> None:
    inbox = desk.box.events()
    began = desk.clock.now()
    desk.box.hourglass(10)
    desk.board.unplug(120)
    desk.wait(130)
    told = [h for h in all_of(inbox) if isinstance(h, Told)]
    (end,) = [h for h in told if isinstance(h.event, GlassEnded)]
    assert end.at == pytest.approx(began + 10, abs=0.02)
    assert desk.box.glass() is None


def test_presses_while_nobody_listened_are_told_once_each(desk: Desk) -> None:
    inbox = desk.box.events()
    desk.board.unplug(20)
    desk.wait(2)
    for _ in range(3):
        for down in (True, False):
            with desk.plug as board:
                board.press(Button.STOP, down)
            desk.wait(0.1)
    desk.wait(25)
    told = [h.event for h in all_of(inbox) if isinstance(h, Told)]
    assert [type(e) for e in told] == [LinkLost, Pressed, Pressed, Pressed]


def test_a_program_that_starts_anew_takes_the_hourglass_up(desk: Desk) -> None:
    began = desk.clock.now()
    running = desk.box.hourglass(60)
    desk.box.close()
    second = desk.another()
    second.connect()
    taken_up = second.glass()
    second.close()
    assert taken_up is not None
    assert taken_up.glass_id == running.glass_id
    assert taken_up.ends_at == pytest.approx(began + 60, abs=0.01)


def test_a_reset_is_told_once_and_the_hourglass_runs_on(desk: Desk) -> None:
    inbox = desk.box.events()
    began = desk.clock.now()
    desk.box.light(LightMode.STEADY)
    running = desk.box.hourglass(60)
    with desk.plug as board:
        board.reset(ResetCause.WATCHDOG)
    desk.wait(5)
    assert desk.connected()
    happened = all_of(inbox)
    assert kinds(happened) == ["StateLost", "Booted"]
    assert isinstance(happened[0], StateLost)
    assert happened[0].hello.reset_cause is ResetCause.WATCHDOG
    assert isinstance(happened[1], Told)
    assert isinstance(happened[1].event, Booted)
    assert happened[1].event.glass_resumed
    taken_up = desk.box.glass()
    assert taken_up is not None
    assert (taken_up.glass_id, taken_up.interrupted) == (running.glass_id, True)
    assert taken_up.ends_at == pytest.approx(began + 60, abs=2)
    assert desk.box.status().active == Parts.GLASS


def test_after_the_loss_of_power_no_hourglass_runs(desk: Desk) -> None:
    desk.box.hourglass(60)
    with desk.plug as board:
        board.reset(ResetCause.POWER_ON)
    desk.wait(5)
    assert desk.box.glass() is None


def test_after_a_reset_the_sectors_are_told_again(desk: Desk) -> None:
    desk.box.spin(DIAL, 1)
    with desk.plug as board:
        board.reset()
    desk.wait(3)
    assert desk.box.spin(DIAL, 2).sector == 2
    assert len([c for c in desk.board.done if isinstance(c, Sectors)]) == 2


def test_a_cable_pulled_during_a_spin_is_an_error(desk: Desk) -> None:
    desk.box.spin(DIAL, 1)
    desk.board.timers.after(1_000_000_000, lambda: desk.board.unplug(5))
    with pytest.raises(LinkLostError, match="Where the arrow stands is not known") as caught:
        desk.box.spin(DIAL, 2)
    assert caught.value.unsure
    desk.wait(10)
    # The old spin's end is told by now, and is not taken for the new one's.
    assert desk.box.spin(DIAL, 3).sector == 3


def test_a_reset_during_a_spin_is_an_error(desk: Desk) -> None:
    desk.box.spin(DIAL, 1)
    desk.board.timers.after(1_000_000_000, desk.board.reset)
    with pytest.raises(StateLostError, match="Where the arrow stands is not known"):
        desk.box.spin(DIAL, 2)


def test_a_hung_firmware_is_reset_by_its_watchdog_and_told(desk: Desk) -> None:
    inbox = desk.box.events()
    with desk.plug as board:
        board.hang()
    desk.wait(5)
    (lost,) = [h for h in all_of(inbox) if isinstance(h, StateLost)]
    assert lost.hello.reset_cause is ResetCause.WATCHDOG


def test_another_program_that_took_events_is_noticed(desk: Desk) -> None:
    inbox = desk.box.events()
    desk.board.unplug(1.0)
    desk.wait(0.2)
    # What another program would have done meanwhile.
    for _ in range(2):
        for down in (True, False):
            with desk.plug as board:
                board.press(Button.JUDGE, down)
            desk.wait(0.1)
    with desk.plug as board:
        queue = board.events
        while queue.waiting:
            queue.acknowledge(queue.sequence)
    desk.wait(5)
    missed = [h for h in all_of(inbox) if isinstance(h, EventsMissed)]
    assert [h.count for h in missed] == [2]
    with desk.plug as board:
        board.press(Button.STOP)
    told = inbox.get(1)
    assert isinstance(told, Told)
    assert isinstance(told.event, Pressed)


def test_many_pulled_cables_in_a_row(desk: Desk) -> None:
    inbox = desk.box.events()
    for i in range(20):
        desk.board.unplug(0.3 + 0.17 * i)
        desk.wait(8)
        assert desk.connected()
        desk.box.buzz(Pattern.TICK)
    told = kinds(all_of(inbox))
    assert told.count("Disconnected") == told.count("Connected") == 20
