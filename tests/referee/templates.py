"""Finds every template of a sentence in the program's sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import referee
import vision

ROOT = Path(referee.__file__).parent
EYES = Path(vision.__file__).parent

#: Functions that make sentences, and how many of their first arguments before and with templates.
_MAKERS = {"say": (0, 1), "say_n": (1, 3)}
#: What vision's troubles are made with, and which argument is the first sentence.
_TROUBLES = {"UnreadableError": 0, "ModelMissingError": 0, "Complaint": 1}


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
        others = set(_shadowed(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) in makers and node not in others:
                yield from _of(node, f"{path.relative_to(ROOT.parent)}:{node.lineno}")


def _shadowed(tree: ast.Module) -> Iterator[ast.AST]:
    """What stands in functions that are given another one by the same name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            arguments = (*node.args.args, *node.args.kwonlyargs)
            if any(argument.arg in _MAKERS for argument in arguments):
                yield from ast.walk(node)


def troubles() -> Iterator[Template]:
    """Every sentence of vision on what is wrong: see `vision.errors.Trouble`."""
    for path in sorted(EYES.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) in _TROUBLES:
                where = f"{path.relative_to(EYES.parent)}:{node.lineno}"
                given = frozenset(each.arg for each in node.keywords if each.arg)
                first = _TROUBLES[_name(node.func)]
                for argument in node.args[first : first + 2]:
                    for text in _texts(argument, tree):
                        yield Template(text, given, where)


def _texts(argument: ast.expr, tree: ast.Module) -> Iterator[str | None]:
    """What an argument can be: itself, or what is assigned to its name anywhere in the source."""
    if not isinstance(argument, ast.Name):
        yield _literal(argument)
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and argument.id in map(_name, node.targets):
            yield _literal(node.value)


def _literal(node: ast.expr) -> str | None:
    literal = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if literal else None  # type: ignore[attr-defined]


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
        yield Template(_literal(node), frozenset(names), where)


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""
