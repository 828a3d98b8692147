"""Pictures for people: the table with its marks, what verdicts rest on, the game's drawings."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.games.said import say
from referee.match.evidence import evidence, marked
from referee.match.match import View
from vision.draw import annotate
from vision.session import Look

#: Of pictures that are looked at for a moment, 0 to 100.
JPEG_QUALITY = 82
#: Names of evidence that a page may ask for.
_EVIDENCE = re.compile(r"(buzzer|verdict)-[0-9]{1,9}")
_JPEG = b"\xff\xd8"
#: Letters of a seal.
_SEAL = 16


class Kept(Protocol):
    """Where evidence is kept."""

    @property
    def trouble(self) -> str:
        """Why pictures can't be kept; empty if they can."""

    def get(self, name: str) -> bytes | None:
        """A picture as JPEG."""


class Pictures:
    """The pictures of one match; for many threads.

    A picture of evidence is had by its name with a seal that nobody can guess: whoever is shown a
    document with it, be it late, may have it, and nobody else.
    """

    def __init__(self, kept: Kept | None, art: Callable[[str], NDArray[np.uint8] | None]) -> None:
        """`art` gives a drawing of the game by name as BGRA, or None if there is none."""
        self._kept, self._art = kept, art
        self._lock = threading.Lock()
        self._drawings: dict[str, bytes] = {}
        self._key = secrets.token_bytes(32)

    @property
    def trouble(self) -> str:
        """Why evidence can't be kept; empty if it can."""
        return "" if self._kept is None else self._kept.trouble

    def sealed(self, name: str) -> str:
        """The name of a picture of evidence with its seal."""
        seal = hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()
        return f"{name}.{seal[:_SEAL]}"

    def unsealed(self, name: str) -> str | None:
        """The name without its seal; None if that is not right."""
        plain = name.partition(".")[0]
        return plain if hmac.compare_digest(self.sealed(plain).encode(), name.encode()) else None

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
    return say("when time was up") if name.startswith("buzzer") else say("as it was judged")


def jpeg(look: Look, view: View[Any, Any], *, readings: bool) -> bytes:
    """What was looked at as JPEG, with marks on the tiles that the verdict concerns.

    `readings`: with all that was read, for the judge.
    """
    quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    return cv2.imencode(".jpg", _drawn(look, view, readings), quality)[1].tobytes()


def _drawn(look: Look, view: View[Any, Any], readings: bool) -> NDArray[np.uint8]:
    image, seen = look.picture, look.reading
    if seen is None:
        return image
    if look.settled is None or view.verdict is None:
        return annotate(image, seen) if readings else image
    # The verdict's tiles are those of an older picture: here they are found by who they are.
    identities = look.settled.tile_identities
    tiles = tuple(int(k) for k in np.flatnonzero(np.isin(identities, view.marks)))
    verdict = replace(view.verdict, tiles=tiles)
    return evidence(image, seen, verdict) if readings else marked(image.copy(), seen, verdict)
