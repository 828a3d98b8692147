"""Runs the match of a journal with what is plugged in."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.games.game import Game
from referee.games.loading import load_game
from referee.games.said import say
from referee.games.table import Placement
from referee.journal import EvidenceStore, Journal, evidence_path, software, sweep_all
from referee.match.live import Live
from referee.match.match import Match
from referee.web.gear import Gear, Opened
from referee.web.setup.plugged import Parts, Plugged
from referee.web.setup.settings import KIT
from vision.camera import without_password
from vision.errors import UnreadableError


class HouseError(UnreadableError):
    """What can't be done now: why not, and what to do."""


def run(
    gear: Gear,
    plugged: Plugged,
    journal: Journal,
    game: Game[Any, Any],
    parts: Parts,
    stack: ExitStack,
    changed: str,
    at_start: bool,
) -> Opened:
    """Runs the match of a journal; `stack` ends it.

    `changed` says why it goes on though the program changed meanwhile. Raises HouseError if it is
    to stand at its start (`at_start`) and does not, ValueError if it is no match of the game.
    """
    pictures = EvidenceStore(evidence_path(journal.path))
    stack.callback(pictures.close)
    sweep_all(journal.path.parent, time.time())
    match = Match(
        game,
        journal,
        now=time.monotonic(),
        wall=time.time,
        pictures=pictures,
        camera=without_password(parts.camera or "camera"),
    )
    view = match.view
    if at_start and view.position != view.positions[0]:
        raise HouseError(
            say("The match {match} has begun: it is checked before.", match=journal.id),
            say("Go on with it, or begin another one."),
        )
    match.note_run(software(), changed)
    draw = gear.laid(game, view.position, len(view.positions) == 1)
    watch = plugged.watch(game.plan(view.position), parts)
    if watch is not None:
        watch.start()
        stack.callback(watch.stop)
    live = Live(match, watch, parts.box, bare=_bare(gear, game, view.position), draw=draw)
    live.start()
    stack.callback(live.stop)
    return Opened(game, journal, pictures, watch, parts.box, live)


def _bare(
    gear: Gear, game: Game[Any, Any], start: Any
) -> Callable[[Placement], Mapping[str, NDArray[np.uint8]]] | None:
    """What the boards look like without pieces, if it is the kit's own print that lies there.

    Only then is it known: a copy that was typed in has another one.
    """
    if game.edition != load_game(game.name, gear.edition(KIT)).edition:
        return None
    return gear.bare(game.plan(start))
