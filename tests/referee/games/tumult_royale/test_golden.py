"""Golden games: they replay, move by move, to what their last line says, by both adjudicators."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games.tumult_royale import (
    Build,
    Crown,
    FirstStatue,
    Move,
    Pass,
    Punish,
    Rank,
    Reveal,
    SetAside,
    ShowMercy,
    Spin,
    State,
    TimeUp,
    TurnRegion,
    apply,
    format_game,
    format_state,
    legal_moves,
    parse_game,
)
from tests.referee.games.tumult_royale import naive
from tests.referee.games.tumult_royale.tables import KIT
from tests.referee.games.tumult_royale.test_against_naive import (
    compare_standing,
    grid_of,
    pairs,
)

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
PLAYERS = {"two_players": 2, "three_players": 3, "four_players": 4}


def test_there_is_one_for_each_number_of_players() -> None:
    assert {path.stem for path in GOLDEN} == set(PLAYERS)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_replays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    game = parse_game(text, KIT)
    assert len(game.colours) == PLAYERS[path.stem]
    assert format_game(game) == text
    *_, last = game.states()
    assert last.outcome is not None
    winner = last.seats[last.outcome.winner].colour
    assert text.splitlines()[-1] == f"winner {winner} {last.outcome.ending.value}"
    *_, again = parse_game(format_game(game), KIT).states()
    assert again == last
    assert format_state(again) == format_state(last)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_second_adjudicator_agrees_with_a_golden_game(path: Path) -> None:
    game = parse_game(path.read_text(encoding="utf-8"), KIT)
    state = next(game.states())
    table = naive.Table(state.players, grid_of(state), list(game.ranks))
    for move in game.moves:
        after = apply(state, move)
        follow(table, state, move, after)
        if isinstance(move, Rank | Crown | ShowMercy):
            compare_standing(table, after)
        state = after
    assert state.outcome is not None
    assert state.outcome.winner == table.winner


def follow(table: naive.Table, state: State, move: Move, after: State) -> None:
    """Makes a move on the second adjudicator's table."""
    width = state.board.width
    if isinstance(move, FirstStatue):
        table.first_statue(move.seat, divmod(move.field, width))
    elif isinstance(move, Reveal):
        castles = [list(pairs(castle)) for castle in move.castles]
        table.reveal(state.demand, list(pairs(move.centre)), castles)
    elif isinstance(move, Build):
        field, payment = divmod(move.field, width), pairs(move.payment)
        assert table.next_builder() == move.seat
        assert payment in table.builds(move.seat)[field]
        table.build(field, payment)
    elif isinstance(move, Pass):
        assert table.next_builder() == move.seat
        table.drop_out()
    elif isinstance(move, Rank):
        table.console()
        table.rank()
    elif isinstance(move, Crown):
        table.crown()
    elif isinstance(move, TurnRegion):
        table.grid = grid_of(after)
    elif isinstance(move, ShowMercy):
        table.show_mercy()
    elif isinstance(move, SetAside | Punish):
        assert legal_moves(state) == (move,)
    else:
        assert isinstance(move, Spin | TimeUp)
