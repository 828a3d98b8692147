"""What the README shows is what the commands print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from tests.shared import REAL, need

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def sessions() -> Iterator[str]:
    """Each block of commands and their output."""
    yield from re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def commands(session: str) -> Iterator[tuple[list[str], str]]:
    """Each `$ referee …` of a session, and what is shown to be printed."""
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        program, *words = shlex.split(line)
        assert program == "referee"
        yield words, shown


@pytest.mark.parametrize("session", list(sessions()))
def test_sessions(session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    if "qwirkle/" in session:
        (tmp_path / "qwirkle").symlink_to(need(REAL / "qwirkle_tables"))
    for words, shown in commands(session):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, result.output
        if words[0] == "read":
            # How sure a reading is may differ by a rounding; how many tiles lie there may not.
            assert tiles(result.stdout) == tiles(shown)
        else:
            assert result.stdout == shown


def tiles(summary: str) -> str:
    """The number of tiles in what `referee read` prints."""
    return summary.partition(": ")[2].partition(" tiles")[0]


def test_pictures_and_files_named_exist() -> None:
    named = re.findall(r"!?\[[^\]]*\]\(([^)#:]+)\)", README)
    assert named
    for path in named:
        assert (ROOT / path).exists(), path
