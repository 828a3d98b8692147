"""Whole random games seen by a perfect camera, by a half-blind one, and in the midst of a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from referee.games.game import Table
from referee.games.tumult_royale import (
    Build,
    Edition,
    FirstStatue,
    Move,
    Phase,
    Punish,
    Reveal,
    SetAside,
    Spin,
    State,
    TimeUp,
    apply,
    deal,
    fields_in,
    labels_of,
    play,
)
from referee.games.tumult_royale.legal import cost_on
from referee.games.tumult_royale.payments import suffices
from referee.games.tumult_royale.tiles import minus
from tests.referee.games.tumult_royale.seeing import (
    accused,
    breaches,
    carry,
    castle,
    fill,
    idle,
    legal,
    pay,
    seen,
    shift,
    stand,
    told,
    unfinished,
)
from tests.referee.games.tumult_royale.tables import KIT
from tests.referee.games.tumult_royale.test_random_games import MIXED, OTHERWISE

EDITIONS = pytest.mark.parametrize("edition", [KIT, OTHERWISE], ids=["kit", "otherwise"])


def turns(edition: Edition, games: int, seed: int) -> Iterator[tuple[State, Move]]:
    """Every position with the move made in it, of games of 2, 3 and 4 players in turn."""
    rng = Random(seed)
    for game in range(games):
        players = 2 + game % 3
        state = deal(edition, players, rng)
        for move, after in play(state, MIXED[-players:], rng):
            yield state, move
            state = after


def after(state: State, move: Move) -> Table | None:
    """The table when a move is done, by what the rules say of it; None if a camera sees nothing."""
    table = seen(state)
    match move:
        case FirstStatue(seat, field):
            return stand(table, state.board.name(field), state.seats[seat].colour, 1)
        case Spin(demand):
            return replace(table, dial=str(demand))
        case SetAside(tiles):
            return shift(table, {"centre": -tiles})
        case TimeUp() | Reveal():
            return seen(apply(state, move))
        case Punish(returned):
            for seat, heap in enumerate(returned):
                table = pay(state, table, heap, seat)
            return table
        case Build(seat, _, payment):
            return pay(state, fill(state, table, move), payment, seat)
    return None


def only_supporters(state: State, move: Move) -> bool:
    """Somebody is punished, but in nothing that a camera sees: people say that it is done."""
    lost = apply(state, move).supply > state.supply
    return isinstance(move, Punish) and not any(map(sum, move.returned)) and lost


def masked(table: Table, hidden: frozenset[str]) -> Table:
    """The same where nothing is sure of some fields."""
    pieces = {name: there for name, there in table.pieces.items() if name not in hidden}
    return replace(table, pieces=pieces, sure_fields=table.sure_fields - hidden)


@EDITIONS
def test_what_was_done_is_the_only_explanation(edition: Edition) -> None:
    for state, move in turns(edition, 12, 1):
        table = after(state, move)
        if table is None:
            continue
        explanation = told(state, table)
        if only_supporters(state, move):
            assert idle(explanation)
            continue
        (explained,) = explanation.moves
        if isinstance(move, TimeUp):
            # All tiles were counted, so no hand held one.
            move = replace(move, hands_empty=True)
        assert explained.move == move
        assert explained.legal
        assert not explained.missing
        assert not explanation.differs
        assert not explanation.missing


@EDITIONS
def test_a_table_on_which_nothing_was_done_says_nothing(edition: Edition) -> None:
    for state, move in turns(edition, 3, 2):
        if state.phase in (Phase.FIRST_STATUES, Phase.SET_ASIDE, Phase.REVEAL, Phase.BUILD):
            assert idle(told(state, seen(state)))
        if isinstance(move, Punish):
            explanation = told(state, seen(state))
            if any(map(sum, move.returned)):
                assert unfinished(explanation)
            elif only_supporters(state, move):
                assert idle(explanation)
            else:
                assert legal(explanation) == [move]


@EDITIONS
def test_what_is_under_way_is_missing_something_and_accuses_nobody(edition: Edition) -> None:
    rng = Random(3)
    for state, move in turns(edition, 6, 3):
        table = seen(state)
        if isinstance(move, Build):
            cost = cost_on(state, move.seat, move.field)
            assert cost is not None
            filled = fill(state, table, move)
            assert unfinished(told(state, filled))
            part = tuple(rng.randint(0, n) for n in move.payment)
            if any(part) and not suffices(cost, part):
                assert unfinished(told(state, pay(state, filled, part, move.seat)))
            if any(part):
                assert unfinished(told(state, pay(state, table, part, move.seat)))
            if state.board.types[move.field] in ("village", "castle") and (
                state.statues_left(move.seat) > 1
            ):
                name, colour = state.board.name(move.field), state.seats[move.seat].colour
                paid = pay(state, table, move.payment, move.seat)
                one = told(state, stand(paid, name, colour, 1))
                assert unfinished(one)
                assert breaches(one) == {"WRONG_STATUE_COUNT"}
            label = labels_of(move.payment)[0]
            in_hand = carry(filled, [label], castle(state, move.seat), "")
            assert unfinished(told(state, in_hand))
        elif isinstance(move, Punish):
            part_returned = [tuple(rng.randint(0, n) for n in heap) for heap in move.returned]
            if part_returned != [*move.returned]:
                for seat, heap in enumerate(part_returned):
                    table = pay(state, table, heap, seat)
                assert unfinished(told(state, table))
        elif isinstance(move, SetAside):
            some = rng.randrange(1, move.tiles)
            assert unfinished(told(state, shift(table, {"centre": -some})))
        elif isinstance(move, TimeUp):
            in_hand = shift(seen(apply(state, move)), {"centre": -1})
            assert unfinished(told(state, in_hand))


@EDITIONS
def test_fields_that_are_not_sure_mislead_nobody(edition: Edition) -> None:
    rng = Random(4)
    confirmed = builds = 0
    for state, move in turns(edition, 9, 4):
        if not isinstance(move, Build | FirstStatue):
            continue
        before, table = seen(state), after(state, move)
        assert table is not None
        hidden = frozenset(field for field in sorted(before.sure_fields) if rng.random() < 0.3)
        explanation = told(state, masked(table, hidden))
        assert legal(explanation) in ([], [move])
        assert not breaches(explanation)
        builds += 1
        confirmed += legal(explanation) == [move]
        assert bool(legal(explanation)) == (state.board.name(move.field) not in hidden)
        if isinstance(move, Build):
            assert not legal(told(state, masked(fill(state, before, move), hidden)))
    assert confirmed > builds / 2


def test_a_statue_that_may_be_hidden_is_said_to_be() -> None:
    builds = (each for each in turns(KIT, 1, 5) if isinstance(each[1], Build))
    state, move = next(builds)
    assert isinstance(move, Build)
    name = state.board.name(move.field)
    table = pay(state, seen(state), move.payment, move.seat)
    table = replace(table, sure_fields=table.sure_fields - {name})
    explanation = told(state, table)
    assert unfinished(explanation)
    row, column = name[1:].split("c")
    text = " ".join(explanation.missing)
    assert "no new statue is seen for sure" in text
    assert f"in row {row}, column {column}" in text


def test_cheats_in_the_midst_of_any_game_are_called_by_their_names() -> None:
    rng = Random(6)
    tried: Counter[str] = Counter()

    def named(reason: str, state: State, table: Table) -> None:
        explanation = told(state, table)
        assert accused(explanation) == {reason}, explanation
        assert not legal(explanation)
        tried[reason] += 1

    for state, move in turns(KIT, 6, 6):
        if isinstance(move, Build):
            colour, name = state.seats[move.seat].colour, state.board.name(move.field)
            table = after(state, move)
            assert table is not None
            if state.statues_left(move.seat) > 3:
                named("WRONG_STATUE_COUNT", state, stand(table, name, colour, 1))
            other = rng.choice([seat for seat in range(state.players) if seat != move.seat])
            start, _ = next(state.seats[other].statues())
            free = [n for n in fields_in(state.board.face_up & ~state.occupied) if n != move.field]
            if free:
                whose, end = state.seats[other].colour, state.board.name(rng.choice(free))
                table = stand(table, state.board.name(start), whose, -1)
                named("STATUE_MOVED", state, stand(table, end, whose, 1))
            table = after(state, move)
            assert table is not None
            rest = minus(state.seats[move.seat].tiles, move.payment)
            if any(rest):
                spare = rng.choice(labels_of(rest))
                more = carry(table, [spare], castle(state, move.seat), "centre")
                reasons = accused(told(state, more))
                assert reasons == {"SPARE_TILE"}
                back = carry(table, [spare], castle(state, move.seat), castle(state, other))
                named("TILE_MOVED", state, back)
        elif isinstance(move, Reveal):
            state = replace(state, hands_empty=True)
            table = seen(apply(state, move))
            seat = rng.randrange(state.players)
            taken, left = labels_of(move.castles[seat]), labels_of(move.centre)
            if left:
                grab = carry(table, [rng.choice(left)], "centre", castle(state, seat))
                named("TAKEN_AFTER_TIME", state, grab)
            if taken:
                returned = carry(table, [rng.choice(taken)], castle(state, seat), "centre")
                named("PUT_BACK_AFTER_TIME", state, returned)
                hidden = told(state, carry(table, [rng.choice(taken)], castle(state, seat), ""))
                assert unfinished(hidden)
                assert breaches(hidden) == {"TILES_MISSING"}
    assert len(tried) == 5
    assert min(tried.values()) > 20
