"""What the demo's page shows: the newest state as JSON, and the newest picture with its marks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.claims import Claims
from referee.games.show import Good
from referee.games.step import Counts
from referee.match.demo import Snapshot
from referee.match.evidence import evidence
from referee.match.reveal import rule_on
from referee.match.verdict import Outcome
from vision.draw import annotate
from vision.observation import Observation
from vision.session import Look

Json = dict[str, Any]

JPEG_QUALITY = 88


class DemoPage:
    """Reads the newest snapshot and look whenever somebody asks; may be used by many threads."""

    def __init__(
        self,
        snapshot: Callable[[], Snapshot[Any] | None],
        look: Callable[[], Look | None],
        art: Callable[[str], NDArray[np.uint8] | None],
    ) -> None:
        """`art` gives a drawing by name as BGRA, or None if there is none."""
        self._snapshot, self._look, self._art = snapshot, look, art
        self._lock = threading.Lock()
        self._encoded: tuple[int, bytes] = (-1, b"")
        self._drawings: dict[str, bytes | None] = {}

    @property
    def frame_id(self) -> int:
        """Id of the newest picture that was looked at; -1 if there is none yet."""
        look = self._look()
        return -1 if look is None else look.frame.id

    def frame_age(self) -> float | None:
        """Seconds since the newest picture was taken; None if there is none yet."""
        look = self._look()
        return None if look is None else time.monotonic() - look.frame.captured_at

    def picture(self) -> tuple[int, bytes]:
        """The newest picture that was looked at: its id, and the annotated picture as JPEG."""
        look, snapshot = self._look(), self._snapshot()
        if look is None:
            return -1, b""
        with self._lock:
            if self._encoded[0] != look.frame.id:
                image = look.frame.image
                if look.reading is not None:
                    image = _drawn(image, look.reading, snapshot)
                quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
                self._encoded = look.frame.id, cv2.imencode(".jpg", image, quality)[1].tobytes()
            return self._encoded

    def art(self, name: str) -> bytes | None:
        """A drawing as PNG."""
        with self._lock:
            if name not in self._drawings:
                image = self._art(name)
                png = None if image is None else cv2.imencode(".png", image)[1].tobytes()
                self._drawings[name] = png
            return self._drawings[name]

    def state(self) -> Json:
        """All that the page shows beside the picture; only a title before the first beat."""
        snapshot, look = self._snapshot(), self._look()
        if snapshot is None:
            return {"ready": False}
        show, beat = snapshot.show, snapshot.beat
        seen = None if look is None else look.reading
        counts, down = _seen(seen, [show.store, *(line.zone for line in beat.lines)])
        headline, sentences = _told(snapshot)
        return {
            "ready": True,
            "title": show.title,
            "round": beat.round,
            "phase": beat.title,
            "rule": beat.rule,
            "caption": beat.caption,
            "turn": beat.turn,
            "demand": beat.demand,
            "goods": [
                {
                    "name": good.name,
                    "art": f"art/{good.drawing}.png",
                    "left": _left(snapshot, good, counts, down),
                    "sentence": sentence,
                }
                for good, sentence in zip(show.goods, sentences, strict=True)
            ],
            "lines": [
                {
                    "name": line.name,
                    "colour": f"rgb{show.plan.piece_colours[line.colour]}",
                    "rank": line.rank,
                    "facts": line.facts,
                    "badges": line.badges,
                    "goods": [_worth(good, counts[line.zone]) for good in show.goods],
                    "down": down[line.zone],
                }
                for line in beat.lines
            ],
            "waiting": snapshot.step is not None and snapshot.verdict is None,
            "verdict": None
            if snapshot.verdict is None
            else {
                "outcome": snapshot.verdict.outcome.value,
                "headline": headline,
                "remedy": snapshot.verdict.remedy,
                "rules": snapshot.verdict.references,
            },
            "record": asdict(snapshot.record),
            "ms": None if seen is None else round(seen.ms.get("total", 0.0)),
        }


def _told(snapshot: Snapshot[Any]) -> tuple[str, list[str]]:
    """The verdict in one line, and a sentence for each good; empty as long as there is none."""
    step, verdict = snapshot.step, snapshot.verdict
    if step is None or verdict is None or verdict.outcome is not Outcome.CONFIRMED:
        return "" if verdict is None else verdict.sentence, [""] * len(snapshot.show.goods)
    headline, *sentences = step.tell(verdict.ruling)
    return headline, sentences


def _left(
    snapshot: Snapshot[Any], good: Good, counts: Counts, down: Mapping[str, int]
) -> int | None:
    """Symbols in the store: as the verdict found them, else as they lie there, None if hidden."""
    store, verdict = snapshot.show.store, snapshot.verdict
    if verdict is not None and verdict.outcome is Outcome.CONFIRMED:
        return _worth(good, verdict.counts[store])
    return None if down[store] else _worth(good, counts[store])


def _seen(observation: Observation | None, zones: list[str]) -> tuple[Counts, dict[str, int]]:
    """Tiles read without doubt in each zone by label, and how many lie face down there."""
    if observation is None:
        return {zone: {} for zone in zones}, dict.fromkeys(zones, 0)
    claims = Claims.of(observation)
    down = {zone: sum(claims.zones[tile] == zone for tile in claims.face_down) for zone in zones}
    return claims.counts(zones), down


def _drawn(
    image: NDArray[np.uint8], observation: Observation, snapshot: Snapshot[Any] | None
) -> NDArray[np.uint8]:
    """The picture with its readings; while the table is inconclusive with what is in the way."""
    if snapshot is None or snapshot.step is None or snapshot.verdict is None:
        return annotate(image, observation)
    if snapshot.verdict.outcome is Outcome.CONFIRMED:
        return annotate(image, observation)
    # The verdict's tiles are those of an older picture: find them again in this one.
    return evidence(image, observation, rule_on(observation, snapshot.step))


def _worth(good: Good, labels: Mapping[str, int]) -> int:
    return sum(good.worth.get(label, 0) * n for label, n in labels.items())
