"""Everything that the program says, in every language."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from referee.games.said import listed, say
from referee.words import Words, in_language, localised, read_catalogue


def test_documents_are_localised_through_and_through() -> None:
    both = listed([say("one"), say("two")])
    document = {"a": [both, {"b": (say("three"), 4, None)}], "name": "two"}
    german = localised(document, "de")
    assert german == {"a": ["eins und zwei", {"b": ["drei", 4, None]}], "name": "two"}
    english = localised(document, "en")
    assert english == {"a": ["one and two", {"b": ["three", 4, None]}], "name": "two"}
    assert type(english["a"][0]) is type(german["a"][0]) is str
    assert in_language("anything", "de") == "anything"


def test_what_has_no_german_is_told_in_english_and_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    words = Words({})
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert words.template("{who} passes.", "") == "{who} passes."
    assert words.missing == {"{who} passes.": 3}
    assert [record.getMessage() for record in caplog.records] == [
        "No words for '{who} passes.': it is told in English"
    ]


def test_a_template_stands_in_a_catalogue_once(tmp_path: Path) -> None:
    path = tmp_path / "words.de.json"
    path.write_text('{"one": "eins", "one": "eine"}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"'one'.*more than once"):
        read_catalogue(path)
