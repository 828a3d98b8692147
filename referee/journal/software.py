"""What runs here: the part of a journal's header that needs no game."""

from __future__ import annotations

import platform
from importlib.metadata import version

from referee.journal.events import Json


def software() -> dict[str, Json]:
    """The program's and Python's version, and the SHA-256 of each network that is there."""
    from vision.network import hashes

    return {
        "version": version("table-referee"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "models": dict(sorted(hashes().items())),
    }
