"""Whatever happens in a match, what people read of it is a sentence that can be told in German."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from referee.cli.kitset import kit_edition
from referee.games.said import Said
from referee.games.tumult_royale import deal
from referee.games.tumult_royale.game import TumultRoyale
from referee.games.tumult_royale.moves import Move
from referee.games.tumult_royale.state import State
from referee.journal import told
from referee.match.commands import Answer, Command
from referee.web.documents.judge import JudgeDocument
from referee.web.documents.moment import Moment
from referee.web.documents.overlay import OverlayDocument
from referee.web.documents.parts import Parts
from referee.web.documents.table import TableDocument
from referee.web.words import Words
from referee.words import in_language, localised, words
from tests.referee.simulation.random_match import Hail, Memory, header
from tests.referee.test_words import english, two_letters

#: Members of documents that are nobody's words: names, notation, addresses, codes.
TECHNICAL = frozenset(
    {
        *(
            "art",
            "audience",
            "by",
            "code",
            "colour",
            "do",
            "example",
            "faces",
            "key",
            "kind",
            "lang",
        ),
        *(
            "label",
            "match",
            "move",
            "outcome",
            "part",
            "phase",
            "piece",
            "player",
            "position",
            "rule",
        ),
        *("rules", "since", "stage", "title", "url", "worth", "zone"),
    }
)
#: Members that are notation only inside of others.
WITHIN = {
    "text": {"choices", "rivals", "due"},
    "name": {"evidence"},
    "reason": {"review", "verdict"},
}


def texts(document: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text of a document that people read, with the members that lead to it."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from texts(value, (*path, key))
    elif isinstance(document, list | tuple):
        for value in document:
            yield from texts(value, path)
    elif isinstance(document, str) and path[-1] not in TECHNICAL:
        within = WITHIN.get(path[-1], set())
        if not within & set(path) and any(map(str.isalpha, document)):
            yield path, document


class Reader:
    """Reads everything that a hail of commands and sights makes a match say."""

    def __init__(self, hail: Hail) -> None:
        self.hail = hail
        words: Words[State, Move] = Words(hail.game)
        parts = Parts(hail.game, words, hail.view.position, {"yellow": "Ann"})
        table = TableDocument(parts, str)
        self.documents = table, OverlayDocument(parts), JudgeDocument(parts, table)
        self.plain: set[tuple[str, str]] = set()
        self.sentences: set[Said] = set()
        self.answers: set[str] = set()

    def read(self) -> None:
        """All documents as they are now."""
        view = self.hail.view
        troubles = (("box", view.trouble),) if view.trouble else ()
        moment: Moment[State, Move] = Moment(view, None, troubles, True, None)
        for document in self.documents:
            for path, text in texts(document.of(moment)):
                self.heard(".".join(path), text)

    def heard(self, where: str, text: str) -> None:
        """One text."""
        if isinstance(text, Said):
            self.sentences.add(text)
        else:
            self.plain.add((where, text))


@pytest.fixture(scope="module", params=[2, 3, 4])
def reader(request: pytest.FixtureRequest) -> Reader:
    game, rng = TumultRoyale(kit_edition()), Random(request.param)
    hail = Hail(game, deal(kit_edition(), request.param, rng), Memory(header(game)), rng)
    reader = Reader(hail)
    ask = hail.match.command

    def command(command: Command, now: float) -> Answer:
        answer = ask(command, now)
        if answer.text:
            reader.heard("answer", answer.text)
        return answer

    hail.match.command = command  # type: ignore[method-assign]
    for _ in range(160):
        hail.throw()
        reader.read()
    return reader


def ours(text: str) -> bool:
    """Whether a text is the program's own, and quotes nobody."""
    return "'" not in text and "It is gone. Plug it in." not in text


def test_all_that_people_read_can_be_told_again(reader: Reader) -> None:
    assert len(reader.sentences) > 100
    assert reader.plain == set()


def test_all_of_it_is_german(reader: Reader) -> None:
    missing = words("de").missing.copy()
    german = {sentence: in_language(sentence, "de") for sentence in reader.sentences}
    wrong = [
        (english(text) or two_letters(text), sentence, text)
        for sentence, text in german.items()
        if ours(sentence) and (english(text) or two_letters(text))
    ]
    assert wrong == []
    assert words("de").missing == missing


def test_the_record_is_told_in_german(reader: Reader) -> None:
    told_in_german = {
        localised(told(event), "de"): told(event) for event in reader.hail.journal.events()
    }
    wrong = [
        (english(german) or two_letters(german), german)
        for german, line in told_in_german.items()
        if ours(line) and (english(german) or two_letters(german))
    ]
    assert wrong == []
