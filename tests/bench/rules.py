"""How fast the rules core is: whole games, and moves counted as chess programs do."""

from __future__ import annotations

import time
from random import Random

from referee.games.tumult_royale import (
    Phase,
    RandomPlayer,
    State,
    apply,
    deal,
    legal_moves,
    load_edition,
    play,
)
from tests.bench.report import Figure, Report

PLAYERS = 4
GAMES = 300
FLOOR = 50.0
DEPTH = 4


def run(report: Report) -> None:
    """Random games a second, with every legal move listed at each turn; positions a second.

    Times are of the processor, so that other work on the machine does not count.
    """
    edition, rng = load_edition("kit"), Random(1)
    players = [RandomPlayer()] * PLAYERS
    moves = 0
    middle: State | None = None
    begun = time.process_time()
    for _ in range(GAMES):
        for _, state in play(deal(edition, PLAYERS, rng), players, rng):
            moves += 1
            if state.phase is Phase.BUILD and state.round == 3 and middle is None:
                middle = state
    games = GAMES / (time.process_time() - begun)
    note = f"{GAMES} random games, {moves / GAMES:.0f} moves each"
    report.add(Figure("rules", "games of 4 players", games, "/s", FLOOR, note=note))
    assert middle is not None
    begun = time.process_time()
    nodes = _nodes(middle, DEPTH)
    speed = nodes / (time.process_time() - begun)
    note = f"{nodes} from one position in round 3, depth {DEPTH}"
    report.add(Figure("rules", "positions when building", speed, "/s", note=note))


def _nodes(state: State, depth: int) -> int:
    if depth == 0 or state.phase is not Phase.BUILD:
        return 1
    return 1 + sum(_nodes(apply(state, move), depth - 1) for move in legal_moves(state))
