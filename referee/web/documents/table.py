"""The document of the table screen, with what players decide; the judge's begins with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic

from referee.games.game import MoveT, StateT
from referee.web.byhand import ByHand
from referee.web.documents.moment import Moment
from referee.web.documents.parts import Parts
from referee.web.pictures import evidence_words
from referee.web.publish import Audience
from referee.web.reading import Reading

Json = dict[str, Any]


class TableDocument(Generic[StateT, MoveT]):
    """Makes it; nothing that lies face down and no score is in it."""

    def __init__(self, parts: Parts[StateT, MoveT], sealed: Callable[[str], str]) -> None:
        """`sealed` gives the name by which whoever knows it may have a picture of evidence."""
        self._parts, self._sealed = parts, sealed
        self._by_hand = ByHand(parts.game, parts.words)

    def of(self, moment: Moment[StateT, MoveT], audience: Audience = Audience.TABLE) -> Json:
        """The document of a moment."""
        view, reading, words = moment.view, moment.reading, self._parts.words
        verdict = words.verdict(view)
        if verdict is not None:
            verdict["evidence"] = self._pictures(view.evidence)
        return {
            **self._parts.head(moment, audience),
            "device": self._parts.device(view),
            "goods": self._left(reading),
            "lines": [
                {**line, "castle": self._castle(reading, seat.zone)}
                for line, seat in zip(self._parts.lines(view), view.sheet.lines, strict=True)
            ],
            "camera": moment.camera,
            "video": moment.look is not None,
            "current": reading is not None and reading.current,
            "tiles": _tiles(reading),
            "verdict": verdict,
            "last": {**words.last(view), "evidence": self._pictures(view.moved_on)},
            "behind": view.behind,
            "apart": view.apart,
            "troubles": [{"part": part, "text": text} for part, text in moment.troubles],
            "by_hand": self._by_hand.now(view),
            "recent": words.recent(view),
        }

    def _pictures(self, names: Iterable[str]) -> list[Json]:
        return [
            {
                "name": name,
                "words": evidence_words(name),
                "url": f"evidence/{self._sealed(name)}.jpg",
            }
            for name in names
        ]

    def _castle(self, reading: Reading | None, zone: str) -> Json | None:
        return None if reading is None else reading.lying(zone, self._parts.goods)

    def _left(self, reading: Reading | None) -> list[Json]:
        """Symbols in the store; None as long as a tile there is not read."""
        goods, store = self._parts.goods, self._parts.game.store
        lying = None if reading is None else reading.lying(store, goods)
        hidden = lying is None or lying["down"] or lying["unread"]
        return [
            {
                "name": good.name,
                "art": f"art/{good.drawing}.png",
                "worth": dict(good.worth),
                "left": None if lying is None or hidden else lying["goods"][k],
            }
            for k, good in enumerate(goods)
        ]


def _tiles(reading: Reading | None) -> Json | None:
    """Where tiles can be pointed at in the picture; None if nothing was read yet."""
    if reading is None:
        return None
    seen = reading.settled.observation
    return {"frame": seen.frame_id, "size": seen.size_px, "tiles": reading.tiles()}
