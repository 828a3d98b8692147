"""The small game's match in a house of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.web.gear import Opened
from referee.web.house import House
from referee.web.site import Site
from tests.referee.web.houses import DrawnGear
from tests.referee.web.stage import Stage


class Home(House):
    """A house that has the stage's match open."""

    def __init__(self, folder: Path, match: Opened) -> None:
        chosen = {"camera": "none", "box": "none"}
        super().__init__(DrawnGear(), folder, file=folder / "settings.toml", overrides=chosen)
        self._stage = match

    @property
    def match(self) -> Opened | None:
        return self._stage


def at_home(site: Site, stage: Stage) -> Site:
    """The same site with such a house."""
    match = Opened(
        stage.game, stage.journal, stage.evidence, stage.watch, box=None, live=stage.live
    )
    return replace(site, house=Home(stage.journal.path.parent, match))
