"""The documents of one audience as they followed each other, with what is sent of them.

What is sent is made once, however many there are to read it: as text of JSON for each language.
"""

from __future__ import annotations

import itertools
import json
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from referee.web.patch import Json, difference, plain, shared
from referee.words import localised

T = TypeVar("T")

#: The longest delay (s) that can be asked for.
MOST_DELAY_S = 300.0
#: So many editions are kept at most; beyond that every other one of the older half is dropped.
MOST_KEPT = 4096
#: A client that is further behind than so many editions is told the whole state.
MOST_BEHIND = 8
#: So many texts of each kind are kept to be sent again.
_TEXTS = 64


@dataclass(frozen=True, eq=False)
class Edition:
    """A document from one moment (seconds of a clock that is never set) on.

    `v` counts up from 0, the empty one.
    """

    v: int
    at: float
    document: Json


class Editions:
    """The last editions, newest last; for many readers and one writer."""

    def __init__(self, epoch: str, empty: Json) -> None:
        """`epoch` goes with each whole document; `empty` is shown before there is any."""
        self._epoch = epoch
        self._lock = threading.Lock()
        self._kept = [Edition(0, float("-inf"), plain(empty))]
        self._documents: OrderedDict[Any, Json] = OrderedDict()
        self._texts: OrderedDict[Any, str] = OrderedDict()

    @property
    def newest(self) -> Edition:
        """What holds now."""
        return self._kept[-1]

    def add(self, document: Json, at: float) -> bool:
        """Adds a document that holds from `at` on, now; False if it is what holds already."""
        newest = self.newest
        document = shared(newest.document, plain(document))
        if document is newest.document:
            return False
        with self._lock:
            kept = [*self._kept, Edition(newest.v + 1, at, document)]
            self._kept = _thinned(kept, at - MOST_DELAY_S)
        return True

    def shown(self, moment: float) -> Edition:
        """What held at a moment; the oldest that is known if that is later."""
        kept = self._kept
        return kept[max(0, bisect_right(kept, moment, key=lambda each: each.at) - 1)]

    def messages(self, last: Edition | None, now: Edition, lang: str) -> list[str]:
        """What leads a client from `last` to `now`: changes, or the whole state if it lags."""
        if last is now:
            return []
        if last is None or last.v > now.v:
            return [self.whole(now, lang)]
        kept = self._kept
        steps = [last, *(each for each in kept if last.v < each.v <= now.v)]
        if steps[-1] is not now or len(steps) - 1 > MOST_BEHIND:
            return [self.whole(now, lang)]
        return [self.change(old, new, lang) for old, new in itertools.pairwise(steps)]

    def whole(self, edition: Edition, lang: str) -> str:
        """A message with the whole document."""

        def make() -> str:
            document = self._document(edition, lang)
            return _text(kind="whole", epoch=self._epoch, v=edition.v, doc=document)

        return _cached(self._texts, (edition.v, lang), make)

    def change(self, old: Edition, new: Edition, lang: str) -> str:
        """A message with what changes from one edition to another."""

        def make() -> str:
            patch = difference(self._document(old, lang), self._document(new, lang))
            return _text(kind="change", **{"from": old.v}, v=new.v, patch=patch)

        return _cached(self._texts, (old.v, new.v, lang), make)

    def _document(self, edition: Edition, lang: str) -> Json:
        """The document in a language."""

        def make() -> Json:
            told: Json = plain(localised(edition.document, lang))
            return {**told, "lang": lang}

        return _cached(self._documents, (edition.v, lang), make)


def _cached(cache: OrderedDict[Any, T], key: Any, make: Callable[[], T]) -> T:
    """What is in the cache, or is made now; the oldest makes room.

    Two threads may make the same, and do no harm.
    """
    made = cache.get(key)
    if made is None:
        cache[key] = made = make()
        if len(cache) > _TEXTS:
            cache.popitem(last=False)
    return made


def _text(**message: Any) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def _thinned(kept: list[Edition], oldest: float) -> list[Edition]:
    """Without what nobody can be shown any more, and no more than `MOST_KEPT`."""
    first = max(0, bisect_right(kept, oldest, key=lambda each: each.at) - 1)
    kept = kept[first:]
    if len(kept) <= MOST_KEPT:
        return kept
    half = len(kept) // 2
    return [*kept[:half:2], *kept[half:]]
