"""A whole match on a simulated table: from a start, with a journal, for so many rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.games.game import Game
from referee.games.hands import Doing, StuckError
from referee.games.table import Placement
from referee.journal import Journal, header_of
from referee.match.match import Match
from referee.simulation.players.judging import AstrayError, Kept
from referee.simulation.players.stage import Clock, Stage
from referee.simulation.players.tally import Tally
from referee.simulation.table import SimulatedTable
from vision.session import Session

#: Seconds that a hand takes to come, carry and go.
SWEEP_S = 0.4
BY = "players"

#: Makes a table whose time is that of a clock, and that pauses while hands move.
LaidTable = Callable[[Callable[[], float], Callable[[float], None]], SimulatedTable]


def play_match(
    game: Game[Any, Any],
    start: Any,
    hands: Doing,
    path: Path,
    session: Session,
    table: LaidTable,
    bare: Callable[[Placement], Mapping[str, NDArray[np.uint8]]],
) -> Tally:
    """Plays a match from a start until its hands are done; its journal is written to `path`.

    `bare` gives the faces of boards on which the record has these things, with nothing standing on
    them.
    Only `hands` know the truth. A match whose record went astray, or that is stuck, ends early.
    """
    clock, kept, tally = Clock(), Kept(), Tally()
    header = header_of(
        game=game.name,
        edition=game.edition,
        edition_text="",
        setup={},
        people={},
        calibration="",
    )
    with Journal.create(path, header, now=clock.wall) as journal:
        Match.begin(game, journal, start, BY)
        match = Match(game, journal, now=clock.now, wall=clock.wall, pictures=kept)
        stage = Stage(game, match, journal, session, clock, kept, tally, bare)
        stage.table = table(clock.read, stage.pause)
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
