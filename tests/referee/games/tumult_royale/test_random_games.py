"""Whole random games: serialise and undo at each step, conservation, and `check` as a mirror."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.tumult_royale import (
    COLOURS,
    GREEDY,
    MODEST,
    NO_TILES,
    STEADY,
    Build,
    Edition,
    Fault,
    Finding,
    Game,
    Kind,
    Move,
    Phase,
    Player,
    RandomPlayer,
    Reason,
    State,
    apply,
    check,
    deal,
    faults,
    format_game,
    format_move,
    format_state,
    is_legal,
    legal_moves,
    parse_game,
    parse_move,
    parse_state,
    play,
)
from referee.games.tumult_royale.tiles import total
from tests.referee.games.tumult_royale.tables import KIT, house

MIXED: list[Player] = [RandomPlayer(), GREEDY, MODEST, STEADY]

#: Every ruling the other way.
OTHERWISE = house(
    mercy="asked",
    no_greed_punished=True,
    few_supporters_punished="none",
    losses_add_up=False,
    pass_is_final=False,
    too_few_statues="place_rest",
    short_supply="none",
    spare_tile="advisory",
    cheaper_payment="illegal",
    consolation_if_punished=True,
    few_supporters_crowned="none",
    fewest_tied="none",
    last_statue="end_of_phase",
)


@pytest.mark.parametrize("edition", [KIT, OTHERWISE], ids=["kit", "otherwise"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_serialise_and_undo_at_each_step(players: int, edition: Edition) -> None:
    rng = Random(players)
    for _ in range(5):
        beginning = state = deal(edition, players, rng)
        moves: list[Move] = []
        for move, after in play(state, MIXED[:players], rng):
            text, before = format_state(state), hash(state)
            listed = legal_moves(state)
            assert not listed or move in listed
            assert is_legal(state, move)
            assert parse_move(format_move(move, state), state) == move
            assert apply(state, move) == after
            assert (format_state(state), hash(state)) == (text, before)
            assert parse_state(text, edition) == state
            assert hash(parse_state(text, edition)) == before
            assert after != state
            moves.append(move)
            state = after
        game = Game.of(beginning, moves)
        assert parse_game(format_game(game), edition) == game
        *_, last = game.states()
        assert last == state


@given(st.integers(2, 4), st.integers(0, 10**9), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_nothing_is_made_or_lost(players: int, seed: int, appetite: float) -> None:
    rng = Random(seed)
    state = deal(KIT, players, rng)
    for _, after in play(state, [RandomPlayer(appetite)] * players, rng):
        assert sum(seat.supporters for seat in after.seats) + after.supply == 105
        for index, seat in enumerate(after.seats):
            on_map = sum(statues for _, statues in seat.statues())
            on_chronicle = sum(n for owner, n in after.chronicle if owner == index)
            assert on_map + on_chronicle + after.statues_left(index) == 25
        heaps = [after.centre, after.aside, *(seat.tiles for seat in after.seats)]
        assert total(heaps) == KIT.tiles_in_play[players]
        assert faults(after) == Fault.NONE
        state = after
    assert state.phase is Phase.OVER
    assert 1 <= state.round <= 10


@given(st.integers(0, 10**9), st.sampled_from([KIT, OTHERWISE, house(spare_tile="advisory")]))
@settings(max_examples=60, deadline=None)
def test_check_and_legal_moves_agree(seed: int, edition: Edition) -> None:
    """Any build, sensible or not, is legal exactly if it is listed; what is said has a rule."""
    rng = Random(seed)
    players = rng.choice((2, 3, 4))
    state = some_building(deal(edition, players, rng), rng)
    listed = set(legal_moves(state))
    for _ in range(60):
        tiles = state.seats[state.turn].tiles
        payment = tuple(rng.randint(0, n) for n in tiles)
        move = Build(state.turn, rng.randrange(len(state.board.types)), payment)
        findings = check(state, move)
        illegal = [finding for finding in findings if finding.kind is Kind.ILLEGAL]
        assert (move in listed) == (not illegal), findings
        assert all(sound(finding) for finding in findings)
    assert all(is_legal(state, move) for move in listed)


def some_building(state: State, rng: Random) -> State:
    """A position somewhere in the phase in which statues are placed."""
    players = [RandomPlayer(0.5)] * state.players
    seen = [after for _, after in play(state, players, rng) if after.phase is Phase.BUILD]
    return rng.choice(seen)


def sound(finding: Finding) -> bool:
    return finding.rule == "3.4" and finding.text.endswith(".") and finding.text[0].isupper()


def test_other_rulings_are_played_to_the_end() -> None:
    rng = Random(5)
    for seed in range(30):
        players = 2 + seed % 3
        for _, after in play(deal(OTHERWISE, players, rng), MIXED[:players], rng):
            assert faults(after) == Fault.NONE, format_state(after)
        assert after.phase is Phase.OVER


def test_players_rob_as_their_kind_does() -> None:
    """The greedy take more tiles than the modest, and nobody takes any that isn't there."""
    rng = Random(2)
    taken = {"greedy": 0, "modest": 0}
    for _ in range(20):
        state = deal(KIT, 2, rng)
        for _, after in play(state, [GREEDY, MODEST], rng):
            if after.phase is Phase.TUMULTS:
                taken["greedy"] += sum(after.seats[0].tiles)
                taken["modest"] += sum(after.seats[1].tiles)
    assert taken["greedy"] > 2 * taken["modest"]


def test_illegal_moves_of_every_phase_are_told() -> None:
    """Any move of another phase is refused with the section of the phase."""
    rng = Random(4)
    state = deal(KIT, 2, rng)
    played = list(play(state, [STEADY, GREEDY], rng))
    for move, _ in played[:40]:
        for _, other in played[:40]:
            findings = check(other, move)
            if findings and findings[0].reason is Reason.WRONG_PHASE:
                assert [finding.rule for finding in findings] == [other.phase.rule]
    assert state.seats[0].tiles == NO_TILES
    assert [seat.colour for seat in state.seats] == list(COLOURS[:2])
