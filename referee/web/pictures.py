"""The pictures of a match's page: the newest with its marks, evidence, the game's drawings."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.match.evidence import evidence
from referee.match.match import View
from vision.draw import annotate
from vision.session import Look

JPEG_QUALITY = 88
#: Names of evidence that a page may ask for.
_EVIDENCE = re.compile(r"(buzzer|verdict)-[0-9]{1,9}")
_JPEG = b"\xff\xd8"


class Kept(Protocol):
    """Where evidence is kept."""

    @property
    def trouble(self) -> str:
        """Why pictures can't be kept; empty if they can."""

    def get(self, name: str) -> bytes | None:
        """A picture as JPEG."""


class Pictures:
    """Encodes each picture once; may be used by many threads."""

    def __init__(self, kept: Kept | None, art: Callable[[str], NDArray[np.uint8] | None]) -> None:
        """`art` gives a drawing of the game by name as BGRA, or None if there is none."""
        self._kept, self._art = kept, art
        self._lock = threading.Lock()
        self._newest: tuple[tuple[int, int], bytes] = ((-1, -1), b"")
        self._drawings: dict[str, bytes] = {}

    @property
    def trouble(self) -> str:
        """Why evidence can't be kept; empty if it can."""
        return "" if self._kept is None else self._kept.trouble

    def newest(self, look: Look, view: View[Any, Any]) -> bytes:
        """What was looked at as JPEG, with its readings and what keeps the referee waiting."""
        with self._lock:
            if self._newest[0] != (look.frame.id, view.seq):
                quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
                jpeg = cv2.imencode(".jpg", _drawn(look, view), quality)[1].tobytes()
                self._newest = (look.frame.id, view.seq), jpeg
            return self._newest[1]

    def evidence(self, name: str) -> bytes | None:
        """A picture that a verdict rests on, as JPEG; None if it is not there (any more)."""
        if self._kept is None or not _EVIDENCE.fullmatch(name):
            return None
        picture = self._kept.get(name)
        return picture if picture is not None and picture.startswith(_JPEG) else None

    def art(self, name: str) -> bytes | None:
        """A drawing as PNG."""
        with self._lock:
            if name not in self._drawings:
                image = self._art(name)
                if image is None:
                    return None
                self._drawings[name] = cv2.imencode(".png", image)[1].tobytes()
            return self._drawings[name]


def evidence_words(name: str) -> str:
    """What a picture of evidence shows."""
    return "when time was up" if name.startswith("buzzer") else "as it was judged"


def _drawn(look: Look, view: View[Any, Any]) -> NDArray[np.uint8]:
    image, seen = look.picture, look.reading
    if seen is None:
        return image
    if look.settled is None or view.verdict is None:
        return annotate(image, seen)
    # The verdict's tiles are those of an older picture: here they are found by who they are.
    identities = look.settled.tile_identities
    marked = tuple(int(k) for k in np.flatnonzero(np.isin(identities, view.marks)))
    return evidence(image, seen, replace(view.verdict, tiles=marked))
