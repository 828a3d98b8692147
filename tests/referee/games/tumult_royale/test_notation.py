"""Positions, moves and games as text."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.tumult_royale import (
    GREEDY,
    MODEST,
    Build,
    Game,
    Laid,
    NotationError,
    Phase,
    Player,
    Plead,
    RandomPlayer,
    Reveal,
    TimeUp,
    TurnRegion,
    deal,
    format_game,
    format_move,
    format_state,
    format_tiles,
    parse_game,
    parse_move,
    parse_state,
    parse_tiles,
    play,
)
from tests.referee.games.tumult_royale.tables import KIT, house, position

MARK = f"kit:{KIT.rules_digest[:12]}"


def test_tiles() -> None:
    assert parse_tiles("b112m3") == (2, 1, 0, 0, 0, 1, 0, 0, 0)
    assert format_tiles((0, 0, 0, 0, 0, 0, 1, 0, 2)) == "t133"
    assert format_tiles((0,) * 9) == "-"


@given(st.tuples(*[st.integers(0, 5)] * 9))
def test_tiles_round_trip(tiles: tuple[int, ...]) -> None:
    assert parse_tiles(format_tiles(tiles)) == tiles


@pytest.mark.parametrize("text", ["", "b", "b4", "x1", "m1b1", "b1 m1"])
def test_what_is_no_tiles(text: str) -> None:
    with pytest.raises(NotationError, match="must be tiles such as"):
        parse_tiles(text)


def test_a_position_is_one_readable_line() -> None:
    state = position(
        Phase.BUILD,
        ({"r1c1": 1, "r2c2": 2}, "r5c1"),
        ("b1m12", "-"),
        seats=({"punished": True}, {"mercy": True}),
        chronicle=((0, 1), (1, 2)),
    )
    head = f"edition={MARK} phase=build turn=yellow round=1 demand=3 map=1@0,?,2@0,? to-turn=0"
    assert format_state(state).startswith(head)
    assert format_state(state).endswith(
        "supply=45 chronicle=yellow,blue*2 outcome=- "
        "yellow=1/30/3/P/b1m12/r1c1,r2c2*2 blue=2/30/1/M/-/r5c1"
    )
    assert "\n" not in format_state(state)
    assert parse_state(format_state(state), KIT) == state


def test_an_impossible_position_can_be_written_and_read() -> None:
    state = position(Phase.BUILD, ({"r1c1": 7}, {"r1c1": 1, "r6c6": 2}), supply=-3)
    assert parse_state(format_state(state), KIT) == state


@pytest.mark.parametrize(
    ("old", "new", "offending", "problem"),
    [
        ("phase=build", "phase=lunch", "lunch", "must be one of first-statues"),
        ("turn=yellow", "turn=green", "green", "must be one of yellow, blue"),
        ("round=1", "round=one", "one", "must be a number"),
        ("map=1@0", "map=1", "1", "quarter turns"),
        ("supply=45", "supply=45 supply=45", "supply=45", "each once"),
        ("supply=45 ", "", "edition=", "lacks supply"),
        ("r1c1", "r9c1", "r9c1", "r1c1 to r6c6"),
        ("/b1m1/", "/b1m4/", "b1m4", "must be tiles"),
        ("1/30/1/-/", "1/30/1/Q/", "Q", "some of MLPBX"),
        (MARK, "other:123", "other:123", "is of another edition"),
    ],
)
def test_a_bad_position_names_what_offends(
    old: str, new: str, offending: str, problem: str
) -> None:
    line = format_state(position(Phase.BUILD, castles=("b1m1", "-")))
    assert old in line
    with pytest.raises(NotationError) as caught:
        parse_state(line.replace(old, new, 1), KIT)
    assert caught.value.text.startswith(offending)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "yellow first r1c1",
        "spin 3",
        "aside 6",
        "time 3,4",
        "time ?",
        "reveal b12 m3 -",
        "plead yellow",
        "plead -",
        "punish b12 -",
        "blue build r4c1 b1m2",
        "yellow pass",
        "rank 2,1",
        "crown 2",
        "region 4 7@3",
        "mercy blue",
        "mercy -",
    ],
)
def test_moves_round_trip(text: str) -> None:
    state = position(Phase.BUILD)
    assert format_move(parse_move(text, state), state) == text


def test_moves_mean_what_they_say() -> None:
    state = position(Phase.BUILD)
    assert parse_move("blue build r4c1 b1m2", state) == Build(1, 18, parse_tiles("b1m2"))
    assert parse_move("region 4 7@3", state) == TurnRegion(4, Laid(7, 3))
    assert parse_move("plead yellow", state) == Plead((True, False))
    assert parse_move("time ?", state) == TimeUp(None)
    reveal = Reveal(parse_tiles("b12"), (parse_tiles("m3"), parse_tiles("-")))
    assert parse_move("reveal b12 m3 -", state) == reveal


@pytest.mark.parametrize("text", ["", "jump", "green pass", "spin", "blue build r7c1 b1"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(text, position(Phase.BUILD))


def a_game(seed: int = 3) -> str:
    rng = Random(seed)
    beginning = deal(KIT, 3, rng)
    players: list[Player] = [MODEST, GREEDY, RandomPlayer()]
    return format_game(Game.of(beginning, [move for move, _ in play(beginning, players, rng)]))


def test_a_game_round_trips_and_may_stop_anywhere() -> None:
    text = a_game()
    game = parse_game(text, KIT)
    assert format_game(game) == text
    for length in range(len(game.moves)):
        part = Game(game.edition, game.colours, game.ranks, game.regions, game.moves[:length])
        assert parse_game(format_game(part), KIT) == part


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Tumult Royale 1", "Chess", "must begin with 'Tumult Royale 1'"),
        ("edition kit:", "edition box:", "is of another edition"),
        ("seats yellow", "seats pink", "must be one of yellow, blue, grey, purple"),
        ("seats yellow,blue", "seats yellow,yellow", "2 to 4 different ones"),
        ("aside 9", "aside 8", "8 tiles were set aside, but 3 from each player make 9"),
        ("crown 1", "crown x", "must be a number"),
    ],
)
def test_a_bad_game_names_its_line(old: str, new: str, problem: str) -> None:
    text = a_game()
    bad = text.replace(old, new, 1)
    line = next(
        number
        for number, (a, b) in enumerate(zip(text.splitlines(), bad.splitlines(), strict=True), 1)
        if a != b
    )
    with pytest.raises(NotationError) as caught:
        parse_game(bad, KIT)
    assert problem in str(caught.value)
    assert caught.value.line in (line, line + 2)
    assert str(caught.value).startswith(f"line {caught.value.line}: ")


def test_a_wrong_winner_and_an_illegal_build_are_found() -> None:
    text = a_game()
    *rest, winner = text.splitlines()
    other = "winner blue gap" if winner != "winner blue gap" else "winner grey gap"
    with pytest.raises(NotationError, match="is not what the moves lead to"):
        parse_game("\n".join([*rest, other]), KIT)
    build = next(line for line in rest if " build " in line)
    with pytest.raises(NotationError, match=r"rules 3\.4"):
        parse_game(text.replace(build, build + "t3", 1).replace("t3t3", "t33"), KIT)


def test_a_file_that_ends_in_its_header() -> None:
    with pytest.raises(NotationError, match="line 3: '': must begin with 'seats'"):
        parse_game(f"Tumult Royale 1\nedition {MARK}\n", KIT)


def test_a_position_of_other_rulings_is_refused() -> None:
    line = format_state(position(Phase.BUILD))
    with pytest.raises(NotationError, match="another edition"):
        parse_state(line, house(losses_add_up=False))
