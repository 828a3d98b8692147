"""Recognises sentences that were written down in English, so that they can be told in German.

A record keeps what was said as plain text. Whatever some template of the catalogues gives exactly
is a sentence again; anything else stays the text that it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from referee.games.said import NUMBERS, UPPER, WORD, Argument, Said, has_words, joined, parts_of
from referee.words import LANGUAGES, words

#: Texts that are remembered: a match says most of its sentences many times.
_MOST = 4096
#: Between things in a row; each may be a sentence of its own.
_COMMA = ", "
_COUNTED = {str(word): number for number, word in enumerate(NUMBERS)}


@lru_cache(_MOST)
def heard(text: str) -> str:
    """The text as a sentence that can be told in another language; itself if nobody says that."""
    if isinstance(text, Said) or not any(letter.isalpha() for letter in text):
        return text
    made = [said for template in _templates() if (said := template.heard(text)) is not None]
    if made:
        # The one that leaves least of the text unexplained; the first is the most literal one.
        return min(made, key=_unexplained)
    if _COMMA in text:
        parts = [heard(part) for part in text.split(_COMMA)]
        if any(isinstance(part, Said) for part in parts):
            return joined(parts, _COMMA)
    what, _, number = text.rpartition(" ")
    if number.isdecimal() and isinstance(heard(what), Said):
        return joined([heard(what), number])
    return text


def _unexplained(argument: Argument) -> int:
    """How many letters of it no template says."""
    if isinstance(argument, Said):
        return sum(map(_unexplained, argument.arguments.values()))
    return 0 if isinstance(argument, int) else sum(map(str.isalpha, argument))


@dataclass(frozen=True, slots=True)
class _Template:
    """A template, and how its sentences look. `hint` is its longest literal text."""

    template: str
    hint: str
    pattern: re.Pattern[str]
    how: dict[str, tuple[str, ...]]

    def heard(self, text: str) -> Said | None:
        """The sentence, if this template gives exactly the text."""
        if self.hint not in text:
            return None
        found = self.pattern.fullmatch(text)
        if found is None:
            return None
        arguments = {name: _argument(found[name], how) for name, how in self.how.items()}
        said = Said(self.template, arguments)
        return said if said == text else None


def _argument(text: str, how: tuple[str, ...]) -> Argument:
    if WORD in how and text in _COUNTED:
        return _COUNTED[text]
    if text.isdecimal() and str(int(text)) == text:
        return int(text)
    if UPPER in how:
        lower = heard(text[:1].lower() + text[1:])
        if isinstance(lower, Said):
            return lower
    return heard(text)


@cache
def _templates() -> tuple[_Template, ...]:
    """All of them: those that say most themselves first."""
    found = {
        template
        for language in LANGUAGES[1:]
        for template in words(language).entries
        if has_words(template)
    }
    made = [_Template(*_compiled(template)) for template in found]
    return tuple(sorted(made, key=lambda each: (-_said_by(each.template), each.template)))


def _said_by(template: str) -> int:
    """How many letters of its sentences are the template's own."""
    return sum(len(literal) for literal, _, _ in parts_of(template))


def _compiled(template: str) -> tuple[str, str, re.Pattern[str], dict[str, tuple[str, ...]]]:
    how: dict[str, tuple[str, ...]] = {}
    hint = max((literal for literal, _, _ in parts_of(template)), key=len)

    def parts() -> Iterator[str]:
        for literal, name, ways in parts_of(template):
            yield re.escape(literal)
            if name in how:
                yield f"(?P={name})"
            elif name:
                how[name] = ways
                yield f"(?P<{name}>.+?)"

    return template, hint, re.compile("".join(parts()), re.DOTALL), how
