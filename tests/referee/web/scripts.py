"""Finds what a page's script says: its sentences, and the text in its html templates."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_SPOKEN = re.compile(rf"(?<![\w.])t\(\s*({_STRING})")
_COUNTED = re.compile(rf"(?<![\w.])plural\([^\"]*?,\s*({_STRING}),\s*({_STRING})")
#: `base/words.js` itself hands a sentence on that a page wrote out.
_CALL = re.compile(r"(?<![\w.])(t|plural)\((?!n === 1 \? one : many)")
_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_TAG = re.compile(r"<[^>]*>")
_CODE = re.compile(r"<code\b[^>]*>.*?</code>", re.DOTALL)
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
#: Stands for a value in a template.
_VALUE = "\0"


def spoken(source: str) -> list[str]:
    """The English sentences of a script, as its catalogue has them.

    Raises ValueError if one is not written there as it is: then nobody could translate it.
    """
    code = _COMMENT.sub("", source)
    found = _SPOKEN.findall(code)
    counted = _COUNTED.findall(code)
    if len(_CALL.findall(code)) > len(found) + len(counted):
        raise ValueError("t(…) and plural(…) take literal sentences only")
    return [json.loads(text) for text in [*found, *(one for pair in counted for one in pair)]]


def literals(source: str) -> list[str]:
    """All strings of a script, but those in comments."""
    code = _COMMENT.sub("", source)
    return [json.loads(text) for text in re.findall(_STRING, code) if "\\x" not in text]


@dataclass
class Templates:
    """The html templates of a script: texts between tags, and attributes that are written out."""

    source: str
    texts: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._code(0, "")

    def _code(self, at: int, end: str) -> int:
        """Reads script until `end`; gives where it goes on."""
        source, depth = self.source, 0
        while at < len(source):
            sign = source[at]
            if sign == end and depth == 0:
                return at + 1
            if source.startswith("//", at) and source[at - 1] != ":":
                at = source.find("\n", at)
                if at < 0:
                    break
            elif sign in "\"'":
                at = self._quoted(at, sign)
                continue
            elif sign == "`":
                at = self._template(at + 1, source[:at].endswith("html"))
                continue
            elif sign in "{}":
                depth += 1 if sign == "{" else -1
            at += 1
        return len(source)

    def _quoted(self, at: int, sign: str) -> int:
        found = re.compile(rf"{sign}(?:[^{sign}\\\n]|\\.)*{sign}").match(self.source, at)
        return at + 1 if found is None else found.end()

    def _template(self, at: int, html: bool) -> int:
        """Reads a template until its end; gives where the script goes on."""
        source, parts = self.source, []
        start = at
        while source[at] != "`":
            if source.startswith("${", at):
                parts.append(source[start:at])
                at = start = self._code(at + 2, "}")
            else:
                at += 2 if source[at] == "\\" else 1
        parts.append(source[start:at])
        if html:
            # What is typed or copied is the same in every language.
            text = _CODE.sub("<code></code>", _VALUE.join(parts))
            self.texts += [each for each in _TAG.split(text) if each.strip(_VALUE + " \n")]
            for tag in _TAG.findall(text):
                self.attributes += _ATTRIBUTE.findall(tag)
        return at + 1
