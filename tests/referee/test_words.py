"""Everything that the program says, in every language."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from referee.games.said import HOW, has_words, listed, parts_of, say
from referee.words import (
    LANGUAGES,
    Words,
    catalogues,
    in_language,
    localised,
    read_catalogue,
    said,
    words,
)
from tests.referee.templates import Template, templates, troubles
from vision.errors import UnreadableError

OTHERS = LANGUAGES[1:]

#: English words that no German sentence of ours has, but in commands and names of programs.
ENGLISH = re.compile(
    r"\b(the|and|not|with|is|are|were|that|this|but|for|from|its|has|have|by|be|or|of|to|"
    r"tile|tiles|castle|statue|statues|table|board|record|press|turn|turns|please)\b"
)
#: What is typed, or is a name: it stands between backquotes, or begins with "referee" or "--".
TYPED = re.compile(
    r"`[^`]*`|referee [a-z ]+(-o \w+)?|--[a-z]+|sudo [^;]*|[\w./]+\.(md|match|com)|/\w+|"
    r"Content-Type: application/json"
)
#: Umlauts written as two letters.
TWO_LETTERS = re.compile(r"ae|oe|(?<![aeäq])ue", re.IGNORECASE)
#: Words that have them all the same.
RIGHT = re.compile(
    r"aktuell|manuell|zuerst|zueinander|statue|duell",
    re.IGNORECASE,
)


@cache
def said_in_sources() -> tuple[Template, ...]:
    """Each template of the sources, those of vision's troubles too."""
    return (*templates(), *troubles())


@cache
def needed() -> Mapping[str, str]:
    """Each template that says something, and where it stands."""
    return {
        each.text: each.where
        for each in said_in_sources()
        if each.text is not None and has_words(each.text)
    }


def forms(language: str) -> Iterator[tuple[str, str]]:
    """Each template with each of its forms in another language."""
    for template, told in words(language).entries.items():
        for form in told.values():
            yield template, form


def test_templates_are_literal() -> None:
    assert [each.where for each in said_in_sources() if each.text is None] == []


def test_templates_have_what_they_put_in() -> None:
    wrong = [
        f"{each.where}: {each.text}"
        for each in said_in_sources()
        if each.text is not None and not names(each.text) <= each.arguments
    ]
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_template_has_its_words_in_every_language(language: str) -> None:
    entries = words(language).entries
    assert [f"{where}: {text}" for text, where in needed().items() if text not in entries] == []


@pytest.mark.parametrize("language", OTHERS)
def test_there_are_no_words_that_nobody_says(language: str) -> None:
    assert [text for text in words(language).entries if text not in needed()] == []


@pytest.mark.parametrize("language", OTHERS)
def test_rooms_say_the_same_alike(language: str) -> None:
    entries = words(language).entries
    for path in catalogues(language):
        for template, told in read_catalogue(path).items():
            assert told == entries[template], path


@pytest.mark.parametrize("language", OTHERS)
def test_words_put_in_the_same(language: str) -> None:
    wrong = [(text, form) for text, form in forms(language) if names(form) != names(text)]
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_forms_that_are_asked_for_are_some_words_forms(language: str) -> None:
    known = {form for told in words(language).entries.values() for form in told}
    asked = {
        form
        for _, text in forms(language)
        for _, _, how in parts_of(text)
        for form in how
        if form not in HOW
    }
    assert asked <= known
    assert all("" in told for told in words(language).entries.values())


@pytest.mark.parametrize("language", OTHERS)
def test_catalogues_are_sorted_a_line_each(language: str) -> None:
    for path in catalogues(language):
        keys = list(read_catalogue(path))
        assert keys == sorted(keys), path
        assert len(path.read_text(encoding="utf-8").splitlines()) == len(keys) + 2, path


def test_german_has_its_umlauts_and_no_english() -> None:
    wrong = []
    for template, text in forms("de"):
        plain = TYPED.sub("", "".join(literal + "{}" for literal, _, _ in parts_of(text)))
        if found := english(plain) or two_letters(plain):
            wrong.append((found, template, text))
    assert wrong == []


def test_nobody_is_addressed_in_german() -> None:
    # "Sie" in the middle of a sentence is nobody's but the reader's.
    address = re.compile(r"[a-zäöüß,] (Sie|Ihr|Ihre|Ihren|Ihnen)\b|\b(du|dein|deine|euch|euer)\b")
    assert [text for _, text in forms("de") if address.search(text)] == []


def names(template: str) -> set[str]:
    """What a template puts in."""
    return {name for _, name, _ in parts_of(template) if name}


def english(text: str) -> str:
    """An English word in a German text; empty if there is none."""
    found = ENGLISH.search(text)
    return "" if found is None else found[0]


def two_letters(text: str) -> str:
    """A word of a German text in which an umlaut is written as two letters; empty if none is."""
    for word in re.findall(r"\w+", text):
        if TWO_LETTERS.search(RIGHT.sub("", word)):
            return str(word)
    return ""


def test_the_eye_for_german() -> None:
    for word in ("Plaettchen", "fuer", "Bloecke", "schoene", "Uebrige", "genuegt"):
        assert two_letters(f"Ein {word} Wort") == word
    for word in ("Statuen", "neue", "Quelle", "zuerst", "genauer", "Steuern", "blaue", "aktuell"):
        assert two_letters(f"Ein {word} Wort") == ""
    assert english("Das Plättchen is hier") == "is"
    assert english("Das Plättchen ist hier") == ""


def test_documents_are_localised_through_and_through() -> None:
    both = listed([say("one"), say("two")])
    document = {"a": [both, {"b": (say("three"), 4, None)}], "name": "two"}
    german = localised(document, "de")
    assert german == {"a": ["eins und zwei", {"b": ["drei", 4, None]}], "name": "two"}
    plain = localised(document, "en")
    assert plain == {"a": ["one and two", {"b": ["three", 4, None]}], "name": "two"}
    assert type(plain["a"][0]) is type(german["a"][0]) is str
    assert in_language("anything", "de") == "anything"


def test_what_vision_says_is_told_in_german() -> None:
    error = UnreadableError(
        "There is no file {path}.", "Check the name and folder.", path=Path("a{b}.png")
    )
    what, remedy = said(error)
    assert (
        str(error) == f"{what} {remedy}" == "There is no file a{b}.png. Check the name and folder."
    )
    assert in_language(what, "de") == "Es gibt keine Datei a{b}.png."
    assert in_language(remedy, "de") == "Bitte Namen und Ordner prüfen."
    plain = UnreadableError("A } is one.", say("one"))
    assert said(plain) == ("A } is one.", "one")
    assert in_language(said(plain)[1], "de") == "eins"


def test_what_has_no_german_is_told_in_english_and_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    nothing = Words({})
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert nothing.template("{who} passes.", "") == "{who} passes."
    assert nothing.missing == {"{who} passes.": 3}
    assert [record.getMessage() for record in caplog.records] == [
        "No words for '{who} passes.': it is told in English"
    ]


def test_a_template_stands_in_a_catalogue_once(tmp_path: Path) -> None:
    path = tmp_path / "words.de.json"
    path.write_text('{"one": "eins", "one": "eine"}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"'one'.*more than once"):
        read_catalogue(path)


def test_the_pages_words_are_german_too() -> None:
    path = Path(__file__).parents[2] / "referee/web/static/words.de.json"
    wrong = []
    for key, text in json.loads(path.read_text(encoding="utf-8")).items():
        plain = TYPED.sub("", re.sub(r"{\w+}", "{}", text))
        if found := english(plain) or two_letters(plain):
            wrong.append((found, key, text))
    assert wrong == []
