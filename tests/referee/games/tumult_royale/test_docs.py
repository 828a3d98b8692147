"""What the package's page promises."""

from __future__ import annotations

import ast
import doctest
import sys
from pathlib import Path

import pytest

from referee.games import said, tumult_royale

#: The pure rules, with their words; the folder holds art, table and steps of the game too.
CORE = (
    *("adjudication", "board", "checks", "edition", "faults", "legal", "moves", "notation"),
    *("payments", "play", "players", "possible", "record", "schema", "sections", "state", "tiles"),
    "words",
)


def test_the_example_of_the_package_runs() -> None:
    results = doctest.testmod(tumult_royale)
    assert results.attempted > 0
    assert results.failed == 0


def test_everything_public_is_there() -> None:
    assert all(hasattr(tumult_royale, name) for name in tumult_royale.__all__)


@pytest.mark.parametrize("module", CORE)
def test_the_rules_need_the_standard_library_alone_and_no_clock(module: str) -> None:
    path = Path(tumult_royale.__file__).parent / f"{module}.py"
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    own = {name for name in imported if name.startswith("referee.games.tumult_royale.")}
    assert {name.rsplit(".", 1)[1] for name in own} <= set(CORE)
    outside = {name.split(".")[0] for name in imported - own - {said.__name__}}
    assert outside <= set(sys.stdlib_module_names)
    assert not outside & {"time", "datetime", "os", "socket", "threading", "subprocess"}
