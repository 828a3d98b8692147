"""What tests make again and again is made once, and what they write lies in memory."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.cli.kitset import ART_PX_PER_MM, KitArt
from vision.faces.likeness import Templates

#: A folder in memory, and the free bytes that it must have.
MEMORY, ROOM = Path("/dev/shm"), 256 << 20
#: So many books' templates are kept: each takes some 50 MB.
KEPT = 4

Image = NDArray[np.uint8]


def pytest_configure() -> None:
    # Each event of a match costs a sync, and the disk is shared by all tests.
    if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture(scope="session", autouse=True)
def made_once() -> Iterator[None]:
    """Templates of one book, and drawings of the kit, are the same whoever makes them."""
    templates: dict[str, Templates] = {}
    arts: dict[float, KitArt] = {}
    new_art, lock = KitArt.__init__, threading.Lock()

    def templates_of(faces: Sequence[Sequence[Image]], aspect: float) -> Templates:
        digest = hashlib.sha256(repr(aspect).encode())
        for pictures in faces:
            digest.update(b"face")
            for picture in pictures:
                digest.update(repr(picture.shape).encode() + picture.tobytes())
        key = digest.hexdigest()
        with lock:
            made = templates.pop(key, None) or Templates(faces, aspect)
            templates[key] = made
            if len(templates) > KEPT:
                del templates[next(iter(templates))]
            return made

    def art(self: KitArt, px_per_mm: float = ART_PX_PER_MM) -> None:
        if px_per_mm not in arts:
            new_art(self, px_per_mm)
            arts[px_per_mm] = self
        # What one has drawn, all have.
        vars(self).update(vars(arts[px_per_mm]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.faces.matcher.Templates", templates_of)
        patch.setattr(KitArt, "__init__", art)
        yield
