"""The box as the program uses it, against the fake board in virtual time."""

from __future__ import annotations

import pytest

from referee.box.box import Box
from referee.box.draw import Dial
from referee.box.errors import (
    ClosedError,
    LinkLostError,
    NotABoxError,
    RefusedError,
    SpinnerError,
    WrongProtocolError,
)
from referee.box.fake import FakeBoard
from referee.box.happenings import Connected, Told
from referee.box.protocol import (
    HEARTBEAT_MS,
    HOST_SILENT_MS,
    PROTOCOL,
    Board,
    Booted,
    Button,
    GlassEnded,
    HomeOutcome,
    Hourglass,
    LightMode,
    Parts,
    Pattern,
    Ping,
    Pressed,
    ResetCause,
    Result,
    Spin,
    SpinOutcome,
    StepsLost,
)
from referee.box.results import Drawn
from tests.referee.box.conftest import MakeDesk
from tests.referee.box.virtual import Desk, all_of

DIAL = Dial.equal([2, 3, 4, 3, 5, 4])


def test_hello_tells_who_speaks(make_desk: MakeDesk) -> None:
    desk = make_desk(FakeBoard())
    hello = desk.box.connect()
    assert (hello.protocol, hello.board, hello.boot_id) == (PROTOCOL, Board.FAKE, 1)
    assert hello.reset_cause is ResetCause.POWER_ON
    assert desk.connected()
    assert desk.box.error is None


def test_another_protocol_is_refused_with_a_remedy(make_desk: MakeDesk) -> None:
    desk = make_desk(FakeBoard(protocol=PROTOCOL + 1))
    with pytest.raises(WrongProtocolError, match="flash"):
        desk.box.connect()
    assert not desk.connected()


def test_another_firmware_is_warned_of_and_used(
    make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.box.driver.committed_hash", lambda: 0x12345678)
    desk = make_desk(FakeBoard())
    inbox = desk.box.events()
    desk.box.connect()
    connected = inbox.get()
    assert isinstance(connected, Connected)
    assert "12345678" in connected.warning
    desk.box.buzz(Pattern.YES)


def test_a_port_without_a_box_is_given_up_after_its_time(make_desk: MakeDesk) -> None:
    board = FakeBoard()
    desk = make_desk(board)
    board.stall(60)
    began = desk.clock.now()
    with pytest.raises(NotABoxError):
        desk.box.connect()
    assert 3.0 <= desk.clock.now() - began <= 5.0


def test_a_board_that_is_reset_by_opening_is_waited_for(make_desk: MakeDesk) -> None:
    desk = make_desk(FakeBoard(resets_on_open=True))
    assert desk.box.connect().reset_cause is ResetCause.EXTERNAL


def test_the_heartbeat_keeps_the_box_awake(desk: Desk) -> None:
    inbox = desk.box.events()
    desk.box.light(LightMode.STEADY)
    before = len(desk.board.done)
    desk.wait(60)
    beats = [c for c in desk.board.done[before:] if isinstance(c, Ping)]
    assert len(beats) == pytest.approx(60_000 / HEARTBEAT_MS, rel=0.1)
    assert desk.box.status().active == Parts.LIGHT
    assert inbox.get() is None


def test_closing_leaves_the_hourglass_and_stops_the_rest(desk: Desk) -> None:
    desk.box.light(LightMode.STEADY)
    desk.box.hourglass(5, warn_s=0)
    desk.box.close()
    with pytest.raises(ClosedError):
        desk.box.buzz(Pattern.YES)
    desk.board.watch()
    desk.board.run(10)
    record = desk.board.watch()
    assert record is not None
    assert [hz for _, hz, _ in record.tones if hz] == [2500] * 4
    assert not any(any(led) for led in desk.board.picture()[1:])


def test_an_hourglass_runs_and_ends_at_its_time(desk: Desk) -> None:
    inbox = desk.box.events()
    began = desk.clock.now()
    running = desk.box.hourglass(20)
    assert running.clock_ppm == pytest.approx(5000, abs=150)
    assert running.ends_at == pytest.approx(began + 20, abs=0.01)
    desk.wait(5)
    assert desk.box.remaining() == pytest.approx(began + 20 - desk.clock.now(), abs=0.01)
    assert desk.box.glass() == running
    told = inbox.get(16)
    assert isinstance(told, Told)
    assert told.event == GlassEnded(told.event.at_us, running.glass_id, False)
    # The clock of the board is off by 100 ms in 20 s.
    assert told.at == pytest.approx(began + 20, abs=0.010)
    desk.wait(0.1)
    assert desk.box.glass() is None
    assert desk.box.remaining() == 0


def test_an_hourglass_can_be_cancelled(desk: Desk) -> None:
    inbox = desk.box.events()
    desk.box.hourglass(2)
    assert desk.box.cancel(Parts.GLASS) == Parts.GLASS
    assert desk.box.glass() is None
    assert inbox.get(5) is None


def test_a_value_out_of_range_is_refused_before_it_is_sent(desk: Desk) -> None:
    before = [c for c in desk.board.done if isinstance(c, Hourglass)]
    with pytest.raises(RefusedError, match="duration_ms is 7200000") as caught:
        desk.box.hourglass(7200)
    assert caught.value.result is Result.OUT_OF_RANGE
    assert not caught.value.unsure
    assert [c for c in desk.board.done if isinstance(c, Hourglass)] == before
    desk.box.buzz(Pattern.YES)


def test_sound_light_and_mute_arrive(desk: Desk) -> None:
    desk.board.watch()
    desk.box.buzz(Pattern.FANFARE, 2)
    desk.wait(1.5)
    record = desk.board.watch()
    assert record is not None
    assert [(hz, volume) for _, hz, volume in record.tones] == [
        (523, 2),
        (659, 2),
        (784, 2),
        (1047, 2),
        (0, 0),
    ]
    desk.box.light(LightMode.BAR, (0, 200, 0), 7)
    assert desk.board.picture() == ((50, 0, 0),) * 7 + ((0, 0, 0),) * 17
    desk.box.mute()
    assert desk.box.status().muted


def test_buttons_are_told_once_with_their_time(desk: Desk) -> None:
    inbox = desk.box.events()
    for button in (Button.STOP, Button.JUDGE, Button.STOP):
        with desk.plug as board:
            board.press(button)
        pressed = desk.clock.now()
        told = inbox.get(1)
        assert isinstance(told, Told)
        assert isinstance(told.event, Pressed)
        assert told.event.button == button
        assert told.at == pytest.approx(pressed, abs=0.002)
        with desk.plug as board:
            board.press(button, False)
        desk.wait(0.1)
    assert inbox.get() is None


def test_a_spin_homes_first_and_says_what_the_motor_believes(desk: Desk) -> None:
    result = desk.box.spin(DIAL, 4)
    assert (result.sector, result.label, result.steps_lost) == (4, "5", 0)
    # The middle of the fifth sixth of a turn of 1600 steps.
    assert desk.board.arrow.position % 1600 == pytest.approx(1200, abs=1)
    homes = len([c for c in desk.board.done if type(c).__name__ == "Home"])
    assert desk.box.spin(DIAL, 0).label == "2"
    assert len([c for c in desk.board.done if type(c).__name__ == "Home"]) == homes == 1


def test_lost_steps_are_told(desk: Desk) -> None:
    desk.box.spin(DIAL, 0)
    inbox = desk.box.events()
    desk.board.arrow.to_lose = 100
    assert desk.box.spin(DIAL, 2).steps_lost == 100
    assert desk.board.arrow.position % 1600 == pytest.approx(1600 * 2.5 / 6, abs=1)
    told = [h.event for h in all_of(inbox) if isinstance(h, Told)]
    assert [e.lost for e in told if isinstance(e, StepsLost)] == [100]


def test_a_held_arrow_is_an_error_with_a_remedy(desk: Desk) -> None:
    desk.box.spin(DIAL, 0)
    desk.board.arrow.to_lose = 1_000_000
    with pytest.raises(SpinnerError, match="held or stuck") as caught:
        desk.box.spin(DIAL, 2)
    assert caught.value.outcome is SpinOutcome.HOME_NOT_SEEN
    with pytest.raises(SpinnerError, match="magnet") as missed:
        desk.box.home()
    assert missed.value.outcome is HomeOutcome.NOT_FOUND


def test_a_sector_is_drawn_and_logged_before_the_arrow_moves(desk: Desk) -> None:
    logged: list[tuple[Drawn, int]] = []

    def log(drawn: Drawn) -> None:
        spins = len([c for c in desk.board.done if isinstance(c, Spin)])
        logged.append((drawn, spins))

    drawn, result = desk.box.draw_and_spin(DIAL, log)
    assert logged == [(drawn, 0)]
    assert (result.sector, result.label) == (drawn.sector, drawn.label)


def test_a_sector_that_is_not_there_never_reaches_the_box(desk: Desk) -> None:
    before = len(desk.board.done)
    with pytest.raises(ValueError, match="sectors 0 to 5, but no 6"):
        desk.box.spin(DIAL, 6)
    assert len(desk.board.done) == before


def test_before_connecting_a_call_says_so() -> None:
    with pytest.raises(LinkLostError, match="connect"):
        Box("fake://never").buzz(Pattern.YES)


def test_events_of_before_are_told_when_the_program_starts(make_desk: MakeDesk) -> None:
    board = FakeBoard()
    desk = make_desk(board)
    inbox = desk.box.events()
    desk.box.connect()
    desk.wait(1)
    kinds = [type(h.event) for h in all_of(inbox) if isinstance(h, Told)]
    assert kinds == [Booted]


def test_the_safe_state_when_the_host_dies(desk: Desk) -> None:
    desk.box.light(LightMode.STEADY)
    desk.board.run(HOST_SILENT_MS / 1000 + 0.1)
    assert not any(any(led) for led in desk.board.picture()[1:])
