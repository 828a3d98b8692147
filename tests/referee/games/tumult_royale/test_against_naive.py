"""The product against the second adjudicator, over whole random games."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from random import Random

import pytest

from referee.games import tumult_royale as royale
from referee.games.tumult_royale import (
    Build,
    Crown,
    FirstStatue,
    Pass,
    Phase,
    Punish,
    Rank,
    Reveal,
    ShowMercy,
    Spin,
    State,
    TimeUp,
    TurnRegion,
)
from tests.referee.games.tumult_royale import naive

EDITION = royale.load_edition("kit")
ROUNDS = {2: 8500, 3: 6500, 4: 5000}


def grid_of(state: State) -> dict[naive.Field, str]:
    """The map in the second adjudicator's own form."""
    letters = {"pasture": "P", "forest": "F", "mountain": "M", "village": "V", "castle": "C"}
    width = state.board.width
    return {
        divmod(number, width): letters[type_]
        for number, type_ in enumerate(state.board.types)
        if type_
    }


@cache
def pairs(tiles: royale.Tiles) -> naive.Payment:
    """Tiles as the second adjudicator writes them."""
    return tuple(sorted((label.split("-")[0], int(label[-1])) for label in royale.labels_of(tiles)))


def counts(tiles: list[naive.Tile]) -> royale.Tiles:
    """And back."""
    return royale.count(f"{commodity}-{symbols}" for commodity, symbols in tiles)


def compare_standing(table: naive.Table, state: State) -> None:
    assert [seat.supporters for seat in state.seats] == table.supporters
    assert [seat.built for seat in state.seats] == table.built
    assert [seat.rank for seat in state.seats] == table.ranks
    assert [seat.mercy for seat in state.seats] == table.mercy
    assert state.supply == table.supply


def rob(table: naive.Table, rng: Random) -> tuple[list[naive.Tile], list[list[naive.Tile]]]:
    """Deals the tiles at random: some players take much, some little."""
    frames = (21, 30, 39)[table.players - 2]
    tiles = list(pairs(EDITION.tiles_in_play[table.players]))
    assert len(tiles) == frames
    rng.shuffle(tiles)
    del tiles[: 3 * table.players]
    castles = []
    for _ in range(table.players):
        taken = min(len(tiles), rng.choice((0, 1, 2, 3, 3, 4, 4, 5, 6, 8)))
        castles.append(tiles[:taken])
        del tiles[:taken]
    return tiles, castles


def play_round(state: State, table: naive.Table, rng: Random) -> State:
    """One round by both, compared at every step."""
    demand = rng.choice(EDITION.spinner)
    centre, castles = rob(table, rng)
    state = royale.apply(state, Spin(demand))
    (aside,) = royale.legal_moves(state)
    state = royale.apply(royale.apply(state, aside), TimeUp(None))
    state = royale.apply(state, Reveal(counts(centre), tuple(counts(c) for c in castles)))
    verdict = royale.tumults(state)
    expected = table.reveal(demand, centre, castles)
    for ours, theirs in zip(verdict.commodities, expected, strict=True):
        assert ours.tumult == theirs.happens
        assert ours.remaining == theirs.remaining
        assert list(ours.greed) == theirs.greed
        assert ours.greediest == theirs.greediest
        returned = pairs(ours.punishment.returned) if ours.punishment else ()
        assert returned == tuple(theirs.returned)
    (punish,) = royale.legal_moves(state)
    assert isinstance(punish, Punish)
    state = royale.apply(state, punish)
    compare_standing(table, state)
    while (builder := table.next_builder()) is not None:
        state = take_turn(state, table, builder, rng)
        if table.winner is not None:
            return state
    assert state.phase is Phase.RANKS
    table.console()
    compare_standing(table, state)
    return end_round(state, table, rng)


def take_turn(state: State, table: naive.Table, builder: int, rng: Random) -> State:
    assert state.phase is Phase.BUILD
    assert state.turn == builder
    assert pairs(state.seats[builder].tiles) == tuple(sorted(table.castles[builder]))
    *builds, last = royale.legal_moves(state)
    assert last == Pass(builder)
    grouped: dict[naive.Field, list[naive.Payment]] = defaultdict(list)
    for move in builds:
        assert isinstance(move, Build)
        grouped[divmod(move.field, state.board.width)].append(pairs(move.payment))
    expected = table.builds(builder)
    assert {field: frozenset(ways) for field, ways in grouped.items()} == expected
    assert len(builds) == sum(map(len, expected.values()))
    if not builds or rng.random() < 0.05:
        table.drop_out()
        return royale.apply(state, last)
    move = rng.choice(builds)
    assert isinstance(move, Build)
    table.build(divmod(move.field, state.board.width), pairs(move.payment))
    state = royale.apply(state, move)
    assert state.seats[builder].supporters == table.supporters[builder]
    assert state.seats[builder].built == table.built[builder]
    return state


def end_round(state: State, table: naive.Table, rng: Random) -> State:
    for kind, step in ((Rank, table.rank), (Crown, table.crown)):
        (move,) = royale.legal_moves(state)
        assert isinstance(move, kind)
        state = royale.apply(state, move)
        step()
    compare_standing(table, state)
    assert [seat for seat, _ in state.chronicle] == table.spaces
    if table.winner is not None:
        return state
    for _ in range(table.regions_to_turn()):
        assert state.phase is Phase.REGIONS
        move = rng.choice(royale.legal_moves(state))
        assert isinstance(move, TurnRegion)
        state = royale.apply(state, move)
        table.grid = grid_of(state)
    (mercy,) = royale.legal_moves(state)
    assert isinstance(mercy, ShowMercy)
    state = royale.apply(state, mercy)
    table.show_mercy()
    compare_standing(table, state)
    assert state.phase is Phase.SENTIMENT
    return state


def begin(players: int, rng: Random) -> tuple[State, naive.Table]:
    state = royale.deal(EDITION, players, rng)
    table = naive.Table(players, grid_of(state), [seat.rank for seat in state.seats])
    for player in reversed(table.order()):
        moves = royale.legal_moves(state)
        places = {divmod(m.field, state.board.width) for m in moves if isinstance(m, FirstStatue)}
        assert places == table.first_statue_fields()
        move = rng.choice(moves)
        assert isinstance(move, FirstStatue)
        assert move.seat == player
        table.first_statue(player, divmod(move.field, state.board.width))
        state = royale.apply(state, move)
    return state, table


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rounds_agree(players: int) -> None:
    rng = Random(players)
    rounds, endings = 0, Counter[str]()
    while rounds < ROUNDS[players]:
        state, table = begin(players, rng)
        while table.winner is None:
            state = play_round(state, table, rng)
            rounds += 1
        assert state.phase is Phase.OVER
        assert state.outcome is not None
        assert state.outcome.winner == table.winner
        endings[state.outcome.ending.name] += 1
    assert len(endings) >= 2
