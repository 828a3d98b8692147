"""Whole matches by players of all kinds, through pixels and without; and the rules alone.

Players' hands act on a rendered table; the real vision reads it, a real match with its journal
judges. Environment: MATCHES_SEEN (300) rounds before eyes without fault, MATCHES_ROUNDS (300)
through pixels, MATCHES_FIRST (0) is the first seed of these, MATCHES_RULES (100000) rounds of the
rules alone; MATCHES_FAILURES=DIR keeps a picture of each failure.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np

from referee.claims import layout_of
from referee.cli.kitset import kit_book, kit_dial, kit_edition
from referee.games.hands import Doing
from referee.games.tumult_royale import GREEDY, MODEST, STEADY, RandomPlayer, State, deal
from referee.games.tumult_royale.cheats import Cheating
from referee.games.tumult_royale.game import TumultRoyale
from referee.games.tumult_royale.hands import Hands, Temper
from referee.journal import Journal
from referee.kit.bare import BareBoards
from referee.simulation.conditions import random_conditions
from referee.simulation.players.match import SWEEP_S, play_match
from referee.simulation.players.tally import Tally
from referee.simulation.table import SimulatedTable
from tests.bench.kit_tables import kit_art
from tests.bench.report import Figure, Report
from tests.referee.simulation.eyes import play_seen
from tests.referee.simulation.random_match import Hail, Memory, header
from vision.reader import TableReader
from vision.session import Session

SIZES = ((1280, 720), (1920, 1080))
ROUNDS, RULES_ROUNDS = 300, 100_000
#: Rounds of one match: later ones are like these, with fewer fields to build on.
ROUNDS_OF_A_MATCH = 5
PEOPLE = (MODEST, STEADY, GREEDY, RandomPlayer())
#: Chance at a step to be clumsy, of those who are.
CLUMSY = 0.35
#: Commands thrown at one match; every so many matches one has a real journal.
THROWS, REAL_JOURNAL = 400, 50


def run(report: Report) -> None:
    """Plays before eyes without fault, through pixels, and through the rules alone."""
    _seen(report, int(os.environ.get("MATCHES_SEEN", ROUNDS)))
    _pixels(report, int(os.environ.get("MATCHES_ROUNDS", ROUNDS)))
    _rules(report, int(os.environ.get("MATCHES_RULES", RULES_ROUNDS)))


def _seen(report: Report, rounds: int) -> None:
    """Plays before eyes without fault: what hands, match and game make of each other."""
    whole, matches = Tally(), -(-rounds // ROUNDS_OF_A_MATCH)
    with tempfile.TemporaryDirectory(dir=_fast_folder()) as folder:
        for seed in report.progress("matches seen", range(matches), matches):
            game, start, hands = _sat_down(seed, clumsy=0.0)
            path = Path(folder) / f"seen-{seed}.match"
            tally = play_seen(game, start, hands, path, seed)
            _keep("seen", seed, tally)
            whole.add(tally)
    _report(report, "matches seen", whole)


def _pixels(report: Report, rounds: int) -> None:
    """Plays under the camera, at two sizes."""
    first = int(os.environ.get("MATCHES_FIRST", "0"))
    tallies = {size: Tally() for size in SIZES}
    matches = -(-rounds // ROUNDS_OF_A_MATCH)
    with tempfile.TemporaryDirectory() as folder:
        for seed in report.progress("matches", range(first, first + matches), matches):
            size = SIZES[seed % 2]
            tally = played(seed, size, Path(folder))
            _keep("pixels", seed, tally)
            tallies[size].add(tally)
    whole = Tally()
    for size, tally in tallies.items():
        _speed(report, f"matches {size[0]}x{size[1]}", tally)
        whole.add(tally)
    _report(report, "matches", whole)


def _sat_down(seed: int, clumsy: float) -> tuple[TumultRoyale, State, Doing]:
    """2 to 4 players at a start; two of them cheat, each kind in turn, others may be clumsy."""
    rng = Random(seed)
    players = 2 + seed % 3
    start, kinds = deal(kit_edition(), players, rng), list(Cheating)
    cheats = [kinds[2 * seed % len(kinds)], kinds[(2 * seed + 1) % len(kinds)]]
    tempers = [
        Temper(
            rng.choice(PEOPLE),
            clumsy if rng.random() < 0.3 else 0.0,
            cheats[seat] if seat < len(cheats) else None,
        )
        for seat in range(players)
    ]
    rng.shuffle(tempers)
    hands = Hands(start, tempers, rng).play(ROUNDS_OF_A_MATCH)
    return TumultRoyale(kit_edition()), start, hands


def played(seed: int, size: tuple[int, int], folder: Path) -> Tally:
    """One match under a camera."""
    game, start, hands = _sat_down(seed, CLUMSY)
    plan = game.plan(start)
    conditions = random_conditions(np.random.default_rng([seed, 30]), plan.size, size)
    reader = TableReader(layout_of(plan), kit_book(), dial=kit_dial(plan))

    def table(clock: Callable[[], float], pause: Callable[[float], None]) -> SimulatedTable:
        return SimulatedTable(
            plan,
            kit_art(),
            conditions,
            seed=seed,
            sweep_seconds=SWEEP_S,
            clock=clock,
            pause=pause,
        )

    path = folder / f"simulated-{seed}.match"
    return play_match(
        game,
        start,
        hands,
        path,
        Session(reader),
        table,
        BareBoards(plan, kit_art()).faces,
    )


def _report(report: Report, name: str, tally: Tally) -> None:
    if not tally.rounds:
        return
    report.add(Figure(name, "rounds", tally.rounds))
    note = f"of {tally.confirmed}"
    report.add(Figure(name, "wrong CONFIRMED", tally.wrong, "moves", 0.0, "<=", note))
    for kind in Cheating:
        if tried := tally.cheats[kind.value]:
            report.share(name, kind.value, tally.found[kind.value], tried, 95.0)
        else:
            report.add(Figure(name, kind.value, 0, note="never tried"))
    report.add(Figure(name, "false accusations", tally.false, "", 0.0, "<="))
    report.add(Figure(name, "accusations without evidence", tally.without_evidence, "", 0.0, "<="))
    late = sum(tally.open.values())
    report.share(name, "inconclusive, honest and tidy", late, tally.tidy, 2.0, "<=")
    for slip, times in sorted(tally.slips.items()):
        report.add(Figure(name, f"clumsy: {slip}", times))
    report.add(Figure(name, "matches that could not go on", tally.stuck, "", 0.0, "<="))


def _speed(report: Report, name: str, tally: Tally) -> None:
    """Seconds from the last hand to the verdict."""
    if not tally.waits:
        return
    ideal = "frames at 15 fps of simulated time, computing free"
    _quantiles(report, name, "verdict, simulated", tally.waits, ideal)
    if tally.computed:
        here = "the same, with each frame's computing here; rendering free"
        _quantiles(report, name, "verdict, computed", tally.computed, here, floors=(0.5, 1.0))


def _quantiles(
    report: Report,
    name: str,
    what: str,
    seconds: Sequence[float],
    note: str,
    floors: tuple[float | None, float | None] = (None, None),
) -> None:
    for word, at, floor in (("median", 0.5, floors[0]), ("p95", 0.95, floors[1])):
        value = float(np.quantile(seconds, at)) if at != 0.5 else statistics.median(seconds)
        report.add(Figure(name, f"{what}, {word}", value, "s", floor, "<=", note))


def _keep(name: str, seed: int, tally: Tally) -> None:
    """Prints what failed, and keeps its picture if asked to."""
    folder = os.environ.get("MATCHES_FAILURES")
    for number, failure in enumerate(tally.failures):
        print(f"{name} {seed}-{number}: {failure.what}: {failure.told}", flush=True)
        if folder and failure.picture is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
            path = Path(folder) / f"{name}-{seed}-{number}-{failure.what.replace(' ', '-')}.jpg"
            path.write_bytes(failure.picture)
    tally.failures.clear()


def _rules(report: Report, rounds: int) -> None:
    """Random commands, duplicates, stale ids and all orders against matches without a table."""
    if not rounds:
        return
    failed = list(report.progress("rules alone", _hails(rounds), rounds))
    note = "random commands, duplicates, stale ids, out of order"
    report.add(Figure("rules alone", "rounds", len(failed), note=note))
    report.add(Figure("rules alone", "crashes and invalid states", sum(failed), "", 0.0, "<="))


def _hails(rounds: int) -> Iterator[bool]:
    """For each round whether something gave way in it."""
    game, done, seed = TumultRoyale(kit_edition()), 0, 0
    while done < rounds:
        more, failed = 1, False
        with tempfile.TemporaryDirectory(dir=_fast_folder()) as folder:
            try:
                more = _hail(game, seed, Path(folder))
            except Exception:
                failed = True
                print(f"rules alone: seed {seed}: {traceback.format_exc()}", flush=True)
        yield from (failed and at == 0 for at in range(more))
        done, seed = done + more, seed + 1


def _hail(game: TumultRoyale, seed: int, folder: Path) -> int:
    """Throws everything at one match; tells how many rounds it had."""
    rng = Random(seed)
    start = deal(kit_edition(), 2 + seed % 3, rng)
    if seed % REAL_JOURNAL:
        return _thrown(Hail(game, start, Memory(header(game)), rng))
    path = folder / "hail.match"
    with Journal.create(path, header(game), now=lambda: 1_800_000_000.0) as journal:
        return _thrown(Hail(game, start, journal, rng))


def _thrown(hail: Hail) -> int:
    for _ in range(THROWS):
        hail.throw()
        if hail.match.view.step is None:
            break
    hail.check_fold()
    return hail.outcomes.rounds


def _fast_folder() -> str | None:
    """A folder in memory, where there is one: synchronous writes would take all the time."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
