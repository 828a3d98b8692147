"""Players' hands: what they do is what the rules allow, unless they cheat; nothing gets lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from referee.cli.kitset import kit_edition
from referee.games.hands import Deed, Screen
from referee.games.table import Placement
from referee.games.tumult_royale import PLAYERS, State, deal, faults, format_state, is_legal
from referee.games.tumult_royale.cheats import MAY_STAND, Cheating
from referee.games.tumult_royale.hands import Hands, Temper
from referee.games.tumult_royale.notation import parse_move
from referee.games.tumult_royale.play import apply
from referee.games.tumult_royale.table import tile_name

ROUNDS = 3


def told(deed: Deed) -> Screen:
    """What a referee without fault would say."""
    return Screen(moved=deed.move is not None, apart=deed.cheat is not None)


def acted(seed: int, kind: Cheating | None, clumsy: float) -> Iterator[tuple[Deed, State]]:
    """Each deed of some rounds, with the true position in which it is done."""
    rng = Random(seed)
    players = 2 + seed % 3
    tempers = [
        Temper(PLAYERS[rng.choice(sorted(PLAYERS))], clumsy, kind if seat < 2 else None)
        for seat in range(players)
    ]
    hands = Hands(deal(kit_edition(), players, rng), tempers, rng)
    play = hands.play(ROUNDS)
    deed = next(play)
    while True:
        yield deed, hands.state
        try:
            deed = play.send(told(deed))
        except StopIteration:
            break
    if kind not in MAY_STAND:
        assert not faults(hands.state)


def tiles_of(placement: Placement) -> Counter[str]:
    return Counter(tile.drawing for tile in placement.tiles)


@pytest.mark.parametrize("kind", [None, *Cheating])
def test_hands_tell_the_truth_of_what_they_do(kind: Cheating | None) -> None:
    cheats = 0
    for seed in range(9):
        for deed, state in acted(seed, kind, clumsy=0.2):
            if deed.move is not None:
                move = parse_move(deed.move, state)
                ruled = any(press.do == "table-right" for press in deed.presses)
                assert is_legal(state, move) or ruled
                assert deed.after == format_state(apply(state, move))
            in_play = Counter(tile_name(tile) for tile in state.edition.tiles_of(state.players))
            assert not tiles_of(deed.placement) - in_play
            statues: Counter[str] = Counter()
            for piece in deed.placement.pieces:
                statues[piece.colour] += piece.count
            assert max(statues.values(), default=0) <= state.edition.numbers.statues
            cheats += deed.cheat is not None
    assert (cheats > 0) == (kind is not None)


def test_what_honest_hands_do_is_never_a_cheat_nor_clumsy() -> None:
    for deed, _ in acted(5, None, clumsy=0.0):
        assert deed.cheat is None
        assert deed.slip is None


def test_tiles_that_nobody_hides_are_all_there_at_a_reveal() -> None:
    for deed, state in acted(3, None, clumsy=0.0):
        if deed.move is not None and deed.move.startswith("reveal"):
            each = state.edition.numbers.set_aside
            in_play = len(state.edition.tiles_of(state.players))
            assert len(deed.placement.tiles) == in_play - each * state.players
            assert all(tile.face_up for tile in deed.placement.tiles)
