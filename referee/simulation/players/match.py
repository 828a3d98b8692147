"""A whole match on a simulated table: from a start, with a journal, for so many rounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.claims import layout_of
from referee.games.game import Game
from referee.games.hands import Doing, StuckError
from referee.journal import Journal, header_of
from referee.match.match import Match
from referee.simulation.conditions import Conditions
from referee.simulation.players.judging import AstrayError, Kept
from referee.simulation.players.stage import Clock, Stage
from referee.simulation.players.tally import Tally
from referee.simulation.staging import Art
from referee.simulation.table import SimulatedTable
from vision.dial import DialReader
from vision.faces import FaceBook
from vision.reader import TableReader
from vision.session import Session

#: Seconds that a hand takes to come, carry and go.
SWEEP_S = 0.4
BY = "players"


def play_match(
    game: Game[Any, Any],
    start: Any,
    hands: Doing,
    folder: Path,
    *,
    book: FaceBook,
    dial: DialReader | None,
    art: Art,
    conditions: Conditions,
    seed: int,
    sweep_seconds: float = SWEEP_S,
) -> Tally:
    """Plays a match from a start until its hands are done; its journal is written to `folder`.

    Only `hands` know the truth. A match whose record went astray, or that is stuck, ends early.
    """
    clock, kept, tally = Clock(), Kept(), Tally()
    plan = game.plan(start)
    header = header_of(
        game=game.name,
        edition=game.edition,
        edition_text="",
        setup={},
        people={},
        calibration="",
    )
    with Journal.create(folder / f"simulated-{seed}.match", header, now=clock.wall) as journal:
        Match.begin(game, journal, start, BY)
        match = Match(game, journal, now=clock.now, wall=clock.wall, pictures=kept)
        reader = TableReader(layout_of(plan), book, dial=dial)
        stage = Stage(game, match, journal, Session(reader), clock, kept, tally)
        stage.table = SimulatedTable(
            plan,
            art,
            conditions,
            seed=seed,
            sweep_seconds=sweep_seconds,
            clock=clock.read,
            pause=stage.pause,
        )
        try:
            deed = next(hands)
            while True:
                deed = hands.send(stage.act(deed))
        except (StopIteration, AstrayError):
            pass
        except StuckError as stuck:
            tally.stuck += 1
            tally.fail("stuck", "hands", str(stuck))
        tally.rounds = match.view.sheet.round - (match.view.step is not None)
    return tally
