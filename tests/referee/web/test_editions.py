"""Whatever is published, dropped, delayed or late: a client ends with what it is to be shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.said import say
from referee.web import editions as module
from referee.web.editions import MOST_BEHIND, MOST_DELAY_S, Edition, Editions
from referee.web.patch import merged
from tests.referee.web.test_patch import DOCUMENTS, same

EMPTY = {"waiting": True}


class Reader:
    """A client, as a page is one: it knows the last document and its version."""

    def __init__(self) -> None:
        self.told: Edition | None = None
        self.document: Any = None
        self.v = -1
        self.wholes = self.changes = 0

    def hear(self, message: str) -> None:
        said = json.loads(message)
        if said["kind"] == "whole":
            self.document, self.wholes = said["doc"], self.wholes + 1
        else:
            assert said["kind"] == "change"
            assert said["from"] == self.v, "a page could not use it"
            self.document, self.changes = merged(self.document, said["patch"]), self.changes + 1
        self.v = said["v"]

    def read(self, editions: Editions, shown: Edition, lang: str = "en") -> None:
        for message in editions.messages(self.told, shown, lang):
            self.hear(message)
        self.told = shown


#: What happens: a document is published, a reader looks, or has lost its connection.
DEEDS = st.one_of(
    DOCUMENTS.map(lambda document: ("publish", document)),
    st.integers(0, 2).map(lambda reader: ("read", reader)),
    st.integers(0, 2).map(lambda reader: ("drop", reader)),
    st.sampled_from([0.1, 1.0, 30.0, 400.0]).map(lambda seconds: ("wait", seconds)),
)


@settings(deadline=None)
@given(st.lists(DEEDS, max_size=60))
def test_whoever_reads_in_whatever_order_ends_with_what_is_shown(deeds: list[Any]) -> None:
    editions, now = Editions("e", EMPTY), 1000.0
    published: list[tuple[float, Any]] = [(float("-inf"), EMPTY)]
    delays = (0.0, 2.0, MOST_DELAY_S)
    readers = [Reader() for _ in delays]

    def look(which: int) -> None:
        readers[which].read(editions, editions.shown(now - delays[which]))
        wanted = [document for at, document in published if at <= now - delays[which]][-1]
        assert same(readers[which].document, {**wanted, "lang": "en"})

    for what, which in deeds:
        match what:
            case "publish":
                editions.add(which, now)
                published.append((now, which))
            case "read":
                look(which)
            case "drop":
                readers[which] = Reader()
            case "wait":
                now += which
    for which in range(len(delays)):
        look(which)


def test_the_same_document_is_no_edition() -> None:
    editions = Editions("e", EMPTY)
    assert editions.add({"a": [1], "b": None}, 1.0)
    assert not editions.add({"a": [1]}, 2.0)
    assert editions.newest.v == 1


def test_who_is_a_little_behind_is_told_each_change_and_who_lags_the_whole() -> None:
    editions, near, far = Editions("e", EMPTY), Reader(), Reader()
    for reader in (near, far):
        reader.read(editions, editions.newest)
    for k in range(MOST_BEHIND + 1):
        editions.add({"k": k}, float(k))
        if k == MOST_BEHIND - 1:
            near.read(editions, editions.newest)
    assert (near.wholes, near.changes) == (1, MOST_BEHIND)
    far.read(editions, editions.newest)
    assert (far.wholes, far.changes) == (2, 0)
    assert far.document == {"k": MOST_BEHIND, "lang": "en"}


def test_what_is_sent_is_made_once_for_all() -> None:
    editions = Editions("e", EMPTY)
    first = editions.newest
    editions.add({"k": 1}, 1.0)
    one, other = (editions.messages(first, editions.newest, "en")[0] for _ in range(2))
    assert one is other
    assert editions.whole(editions.newest, "de") is editions.whole(editions.newest, "de")


def test_a_document_is_told_in_each_language() -> None:
    editions = Editions("e", EMPTY)
    editions.add({"text": say("{some} and {last}", some="A", last="B")}, 1.0)
    german, english = Reader(), Reader()
    german.read(editions, editions.newest, "de")
    english.read(editions, editions.newest, "en")
    assert german.document == {"text": "A und B", "lang": "de"}
    assert english.document == {"text": "A and B", "lang": "en"}


def test_old_editions_are_kept_as_long_as_somebody_may_be_shown_them() -> None:
    editions = Editions("e", EMPTY)
    for second in range(1000):
        editions.add({"k": second}, float(second))
    assert editions.shown(999.0 - MOST_DELAY_S).document == {"k": 999 - MOST_DELAY_S}
    assert editions.shown(0.0).document["k"] >= 999 - MOST_DELAY_S - 1


def test_their_number_is_bounded_and_nobody_is_shown_what_comes_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 64)
    editions = Editions("e", EMPTY)
    for k in range(5000):
        editions.add({"k": k}, k / 20)
        assert len(editions._kept) <= 64
    for moment in (249.0, 200.0, 100.0, 10.0):
        shown = editions.shown(moment)
        assert shown.at <= moment or shown is editions._kept[0]
    # What has just happened is known exactly.
    assert editions.shown(4990 / 20).document == {"k": 4990}


def test_a_server_that_was_started_again_is_another_one() -> None:
    epochs = [json.loads(Editions(name, EMPTY).whole(Editions(name, EMPTY).newest, "en"))["epoch"]
              for name in ("one", "two")]  # fmt: skip
    assert epochs == ["one", "two"]
