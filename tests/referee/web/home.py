"""The small game's match in a house of its own, as far as the routes ask for it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

from referee.web.gear import Opened
from referee.web.house import House
from referee.web.setup.settings import Settings
from referee.web.site import Site
from tests.referee.web.houses import DrawnGear
from tests.referee.web.stage import Stage


def at_home(site: Site, stage: Stage) -> Site:
    """The same site with a house that has the stage's match open."""
    match = Opened(
        stage.game, stage.journal, stage.evidence, stage.watch, box=None, live=stage.live
    )
    house = SimpleNamespace(
        match=match,
        folder=stage.journal.path.parent,
        gear=DrawnGear(),
        settings=Settings(),
        running=True,
        held=(),
        on_change=lambda call: None,
        unfinished=list,
    )
    return replace(site, house=cast(House, house))
