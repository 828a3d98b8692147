"""Sentences that remember how they were made, so that they can be told in another language.

`say("{name} pays {n} too much.", name=…, n=2)` is a `str` in English, and also its template with
its arguments, some of which may be such sentences themselves. It can be told again with a lookup
that gives another template for the English one. Formatting it, adding to it and `str.join` make a
plain string of it: `joined`, `listed` and `either` don't.

A placeholder may say how its argument is put in, with commas between:

- `word`: a whole number in words, as far as they go: "six";
- `upper` or `lower`: with a capital or a small letter at its beginning;
- `comma`: with a decimal comma;
- anything else is the name of a form that the other language has of the argument, such as a case:
  `{who} verliert {what:acc}.`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Any, NoReturn, SupportsIndex

#: What a sentence keeps of its arguments: of anything else but these its text.
Argument = str | int
#: Gives the other language's template for an English one in a form ("" is the usual one).
Lookup = Callable[[str, str], str]

WORD, UPPER, LOWER, COMMA = HOW = "word", "upper", "lower", "comma"


class Said(str):
    """A sentence, or a part of one. As a string it is the English text; it never changes."""

    __slots__ = ("arguments", "template")

    template: str
    arguments: Mapping[str, Argument]
    """Not to be changed."""

    def __new__(cls, template: str, arguments: Mapping[str, object]) -> Said:
        """Raises KeyError if the template wants an argument that is not given."""
        kept = {
            name: value if isinstance(value, str | int) else str(value)
            for name, value in arguments.items()
        }
        said = super().__new__(cls, _filled(template, kept, _english, ""))
        object.__setattr__(said, "template", template)
        object.__setattr__(said, "arguments", kept)
        return said

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} of a sentence can't be changed")

    def __str__(self) -> str:
        """Itself: what an exception says is still a sentence that can be told again."""
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return Said, (self.template, dict(self.arguments))


def say(template: str, /, **arguments: object) -> Said:
    """A sentence; the template must be literal, since a catalogue is looked up by it."""
    return Said(template, arguments)


def say_n(n: int, one: str, many: str, /, **arguments: object) -> Said:
    """The sentence for one, or the one for any other number, which is the argument `n` of both."""
    return Said(one if n == 1 else many, {**arguments, "n": n})


def joined(parts: Sequence[str], separator: str = " ") -> str:
    """Sentences or words one behind another; the separator is the same in each language."""
    if len(parts) == 1:
        return parts[0]
    names = [f"part{index}" for index in range(len(parts))]
    template = separator.join(f"{{{name}}}" for name in names)
    return Said(template, dict(zip(names, parts, strict=True)))


def listed(parts: Sequence[str]) -> str:
    """Words in a row: "bread, marble and tools"; empty for none."""
    if len(parts) < 2:
        return joined(parts)
    return say("{some} and {last}", some=joined(parts[:-1], ", "), last=parts[-1])


def either(parts: Sequence[str]) -> str:
    """Words to choose from: "bread, marble or tools"; empty for none."""
    if len(parts) < 2:
        return joined(parts)
    return say("{some} or {last}", some=joined(parts[:-1], ", "), last=parts[-1])


def told(text: str, lookup: Lookup, form: str = "") -> str:
    """The text as another language has it; one that is no sentence stays as it is."""
    if not isinstance(text, Said):
        return text
    if not has_words(text.template):
        return _filled(text.template, text.arguments, lookup, form)
    return _filled(lookup(text.template, form), text.arguments, lookup, "")


@cache
def has_words(template: str) -> bool:
    """Whether a template says anything itself; if not it is the same in each language."""
    return any(character.isalpha() for literal, _, _ in parts_of(template) for character in literal)


@cache
def parts_of(template: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Each literal text of a template, the placeholder behind it, and how that is put in.

    The last placeholder may be empty. Raises ValueError for one without a name.
    """
    parts = []
    for literal, name, how, conversion in Formatter().parse(template):
        if name is not None and (not name.isidentifier() or conversion):
            raise ValueError(f"{template!r} has a placeholder without a plain name: {name!r}")
        parts.append((literal, name or "", tuple(filter(None, (how or "").split(",")))))
    return tuple(parts)


def _filled(
    template: str, arguments: Mapping[str, Argument], lookup: Lookup, inherited: str
) -> str:
    """A template with its arguments; `inherited` is the form of those that say none themselves."""
    filled = []
    for literal, name, how in parts_of(template):
        filled.append(literal)
        if not name:
            continue
        value = arguments[name]
        if WORD in how and isinstance(value, int) and 0 <= value < len(NUMBERS):
            value = NUMBERS[value]
        form = next((each for each in how if each not in HOW), inherited)
        text = str(value) if isinstance(value, int) else told(value, lookup, form)
        if UPPER in how:
            text = text[:1].upper() + text[1:]
        elif LOWER in how:
            text = text[:1].lower() + text[1:]
        elif COMMA in how:
            text = text.replace(".", ",")
        filled.append(text)
    return "".join(filled)


def _english(template: str, form: str) -> str:
    return template


#: Numbers in words, from 0 on; "no" stands before what there is none of.
NUMBERS: tuple[str, ...] = (
    *(say("no"), say("one"), say("two"), say("three"), say("four"), say("five"), say("six")),
    *(say("seven"), say("eight"), say("nine"), say("ten")),
)
