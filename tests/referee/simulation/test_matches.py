"""A round through pixels: rendered frames, vision, match, journal; hands that play on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from referee.claims import layout_of
from referee.cli.kitset import KitArt, kit_book, kit_dial, kit_edition
from referee.games.hands import Doing
from referee.games.tumult_royale import MODEST, STEADY, Phase, apply, deal, decide
from referee.games.tumult_royale.cheats import Cheating
from referee.games.tumult_royale.game import TumultRoyale
from referee.games.tumult_royale.hands import Hands, Temper
from referee.kit.bare import BareBoards
from referee.simulation.conditions import Conditions
from referee.simulation.players.match import play_match
from referee.simulation.players.tally import Tally
from referee.simulation.table import SimulatedTable
from vision.reader import TableReader
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor
from vision.session import Session

#: Quick hands: few frames show them.
SWEEP_S = 0.2


def up_to(hands: Hands, phase: Phase) -> Doing:
    """What hands do before a phase of the first round."""
    play = hands.play(1)
    deed = next(play)
    while hands.state.phase is not phase:
        deed = play.send((yield deed))


def played(seed: int, kind: Cheating | None, phases: tuple[Phase, Phase], folder: Path) -> Tally:
    """From one phase of the first round to another."""
    rng, game = Random(seed), TumultRoyale(kit_edition())
    start = deal(kit_edition(), 2, rng)
    while start.phase is not phases[0]:
        start = apply(start, decide(start, [MODEST, STEADY], rng))
    hands = Hands(start, [Temper(MODEST, 0.0, kind, 1.0), Temper(STEADY)], rng)
    plan = game.plan(start)
    conditions = Conditions(
        overhead_camera(plan.size, (1280, 720), tilt=4.0), "wood", 7, Lamp(), Sensor()
    )
    reader = TableReader(layout_of(plan), kit_book(), dial=kit_dial(plan))

    def table(clock: Callable[[], float], pause: Callable[[float], None]) -> SimulatedTable:
        return SimulatedTable(
            plan,
            KitArt(3.0),
            conditions,
            seed=seed,
            sweep_seconds=SWEEP_S,
            clock=clock,
            pause=pause,
        )

    path = folder / "simulated.match"
    return play_match(
        game,
        start,
        up_to(hands, phases[1]),
        path,
        Session(reader),
        table,
        BareBoards(plan, KitArt()).faces,
    )


def test_an_honest_round_is_confirmed_as_it_was_played(tmp_path: Path) -> None:
    tally = played(4, None, (Phase.FIRST_STATUES, Phase.RANKS), tmp_path)
    assert (tally.wrong, tally.false, tally.stuck) == (0, 0, 0), tally.failures
    assert tally.confirmed >= 6


def test_a_late_grab_is_found_and_nobody_else_is_accused(tmp_path: Path) -> None:
    tally = played(7, Cheating.LATE_GRABS, (Phase.SET_ASIDE, Phase.TUMULTS), tmp_path)
    assert (tally.wrong, tally.false, tally.stuck) == (0, 0, 0), tally.failures
    assert tally.cheats.total() == tally.found.total() == 1, tally.failures
    assert tally.without_evidence == 0
