"""Finds every template of a sentence in the program's sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import referee

ROOT = Path(referee.__file__).parent

#: Functions that make sentences, and how many of their first arguments before and with templates.
_MAKERS = {"say": (0, 1), "say_n": (1, 3)}


@dataclass(frozen=True, slots=True)
class Template:
    """A template as it stands in a source: `text` is None if it is not literal."""

    text: str | None
    arguments: frozenset[str]
    """The names that are given; `n` is of any number."""
    where: str


def templates() -> Iterator[Template]:
    """Every template of every source of the package."""
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        makers = _made(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) in makers:
                yield from _of(node, f"{path.relative_to(ROOT.parent)}:{node.lineno}")


def _made(tree: ast.Module) -> set[str]:
    """The functions that a source knows by these names: others may have the same."""
    if any(isinstance(node, ast.FunctionDef) and node.name in _MAKERS for node in tree.body):
        return set(_MAKERS)
    return {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "referee.games.said"
        for alias in node.names
        if alias.name in _MAKERS
    }


def _of(call: ast.Call, where: str) -> Iterator[Template]:
    name = _name(call.func)
    first, last = _MAKERS[name]
    given = {keyword.arg for keyword in call.keywords}
    names = frozenset(each for each in given if each) | ({"n"} if name == "say_n" else set())
    for node in call.args[first:last]:
        literal = isinstance(node, ast.Constant) and isinstance(node.value, str)
        yield Template(node.value if literal else None, frozenset(names), where)  # type: ignore[attr-defined]


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""
