"""The header of a journal: what does not change while a match runs."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from referee.journal.events import Json


def header_of(
    *,
    game: str,
    edition: str,
    edition_text: str,
    setup: Mapping[str, str],
    people: Mapping[str, str],
    calibration: str,
) -> dict[str, Json]:
    """What `Journal.create` takes.

    `edition` names the edition, `edition_text` is all of it, so that the match can be replayed
    when its file has changed. `people` are the names of those who play, by the game's word for
    their seat, in order of seats; they are what an export leaves out. `calibration` is the id of
    the camera's place, empty without a camera.
    """
    return {
        "game": game,
        "edition": edition,
        "edition_text": edition_text,
        "setup": dict(setup),
        "people": [[seat, name] for seat, name in people.items()],
        "calibration": calibration,
        "software": software(),
    }


def people_of(header: Mapping[str, Json]) -> dict[str, str]:
    """The names of those who play, by seat, in order of seats."""
    listed: Any = header.get("people") or ()
    return {str(seat): str(name) for seat, name in listed}


def software() -> dict[str, Json]:
    """What runs here: versions, and the SHA-256 of each network that is there."""
    from vision.network import hashes

    return {
        "version": version("table-referee"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "models": dict(sorted(hashes().items())),
    }
