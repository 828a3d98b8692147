"""What people read, in their language.

Each room keeps its German in a `words.de.json` beside its code: English template -> German one, or
forms of the latter by name, where "" is the usual one. `referee/games/said.py` says how sentences
are made.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from referee.games.said import Said, told
from vision.errors import Trouble

#: The first one is what the program itself speaks.
LANGUAGES = ("en", "de")

#: The forms of a template by their name; "" is the usual one.
Forms = Mapping[str, str]

_log = logging.getLogger(__name__)


def in_language(text: str, language: str) -> str:
    """A sentence in one of `LANGUAGES`, as a plain string; any other text as it is."""
    if not isinstance(text, Said):
        return text
    if language == LANGUAGES[0]:
        return str.__str__(text)
    return told(text, words(language).template)


def localised(document: Any, language: str) -> Any:
    """A document of dicts, lists and tuples with all its sentences in one of `LANGUAGES`."""
    if isinstance(document, Said):
        return in_language(document, language)
    if isinstance(document, Mapping):
        return {key: localised(value, language) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [localised(value, language) for value in document]
    return document


def said(trouble: Trouble) -> tuple[str, str]:
    """What vision says is wrong, and what to do about it, as sentences."""
    what, remedy = (
        text
        if isinstance(text, Said) or _is_plain(text, trouble)
        else Said(text, trouble.arguments)
        for text in trouble.templates
    )
    return what, remedy


def _is_plain(text: str, trouble: Trouble) -> bool:
    """Whether braces in a text stand for themselves: it was made without arguments."""
    return not trouble.arguments and not {"{", "}"}.isdisjoint(text)


class Words:
    """All that the rooms say, in one language."""

    def __init__(self, entries: Mapping[str, Forms]) -> None:
        self.entries = entries
        self.missing: Counter[str] = Counter()
        """Templates that were asked for and are not there, which are told in English."""

    def template(self, template: str, form: str) -> str:
        """The template of an English one; in the usual form if it does not have the one asked."""
        forms = self.entries.get(template)
        if forms is None:
            if not self.missing[template]:
                _log.warning("No words for %r: it is told in English", template)
            self.missing[template] += 1
            return template
        return forms[form] if form in forms else forms[""]


@cache
def words(language: str) -> Words:
    """The words of a language that is not the first of `LANGUAGES`.

    What two rooms say differently is told as the first of them does.
    """
    entries: dict[str, Forms] = {}
    for path in catalogues(language):
        for template, forms in read_catalogue(path).items():
            if entries.setdefault(template, forms) != forms:
                _log.warning("%s: another room says %r differently", path, template)
    return Words(entries)


def catalogues(language: str) -> Iterator[Path]:
    """The files of words in the package's rooms; those of the pages are read by the pages."""
    for path in sorted(Path(__file__).parent.rglob(f"words.{language}.json")):
        if (path.parent / "__init__.py").exists():
            yield path


def read_catalogue(path: Path) -> dict[str, Forms]:
    """The entries of a file; raises ValueError if a template stands in it twice."""
    entries: dict[str, Forms] = {}

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = sorted({key for key, _ in pairs if [k for k, _ in pairs].count(key) > 1})
            raise ValueError(f"{path}: {', '.join(map(repr, twice))}: more than once")
        return found

    raw = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=unique)
    for template, forms in raw.items():
        entries[template] = {"": forms} if isinstance(forms, str) else forms
    return entries
