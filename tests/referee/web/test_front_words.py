"""Everything that the pages say is in both languages, and nothing is kept that they do not say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.referee.web.scripts import Templates, literals, spoken

STATIC = Path(__file__).parents[3] / "referee" / "web" / "static"
SCRIPTS = sorted(path for path in STATIC.glob("*/**/*.js") if "vendor" not in path.parts)
#: Attributes whose value people read or hear.
READ_ALOUD = ("alt", "aria-label", "placeholder", "title", "aria-description")


def german() -> dict[str, str]:
    words = json.loads((STATIC / "words.de.json").read_text(encoding="utf-8"))
    assert isinstance(words, dict)
    return words


def said() -> dict[str, str]:
    """Every sentence that a page may say, and the script that says it."""
    return {
        text: path.relative_to(STATIC).as_posix()
        for path in SCRIPTS
        for text in spoken(path.read_text(encoding="utf-8"))
    }


def test_every_sentence_is_there_in_german() -> None:
    missing = {text: script for text, script in said().items() if not german().get(text)}
    assert not missing


def test_no_german_sentence_is_left_over() -> None:
    assert not set(german()) - set(said())


def test_german_names_the_same_values() -> None:
    def values(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    wrong = {text: words for text, words in german().items() if values(text) != values(words)}
    # What is said of exactly one thing may name the number or not.
    assert all(values(text) ^ values(words) == {"n"} for text, words in wrong.items()), wrong


def test_the_catalogue_is_sorted() -> None:
    """So that several people can add to it without getting in each other's way."""
    assert list(german()) == sorted(german())


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_nothing_is_said_in_one_language_only(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    templates = Templates(source)
    assert [text for text in templates.texts if re.search(r"[^\W\d_]{2}", text)] == []
    for name, value in templates.attributes:
        assert name not in READ_ALOUD or not re.search(r"[^\W\d_]{2}", value), (name, value)
    sentences = [text for text in literals(source) if re.match(r"[A-Z][^\W\d]+ [a-z]", text)]
    assert sorted(set(sentences) - set(spoken(source))) == []
