"""Each member of each document is described, for those who write screens."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from referee.match.commands import Do
from referee.web import documents, socket
from referee.web.publish import Audience
from tests.referee.web.stage import Stage
from tests.referee.web.test_state import EITHER, raided

TEXT = (files(documents) / "README.md").read_text(encoding="utf-8")
AUDIENCES = (Audience.TABLE, Audience.OVERLAY, Audience.JUDGE)


def described() -> dict[Audience, set[str]]:
    """The members that each audience's document has, by the table."""
    found: dict[Audience, set[str]] = {audience: set() for audience in AUDIENCES}
    for names, *marks in re.findall(r"^\| (`.*?) \| (x?) ?\| (x?) ?\| (x?) ?\|", TEXT, re.M):
        for audience, mark in zip(AUDIENCES, marks, strict=True):
            if mark:
                found[audience] |= set(re.findall(r"`(\w+)`", names))
    return found


@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_member_is_described(stage: Stage, audience: Audience) -> None:
    members: set[str] = {"waiting", "lang"}
    stage.see(EITHER)
    raided(stage)
    stage.until(lambda: stage.view.verdict is not None)
    members |= stage.shown(audience).keys()
    stage.say(Do.REVIEW, reason="a look")
    members |= stage.shown(audience).keys()
    assert members == described()[audience]


def test_every_close_code_is_described() -> None:
    codes = {
        socket.MALFORMED, socket.LOG_IN, socket.FORBIDDEN, socket.UNKNOWN, socket.SILENT,
        socket.TOO_MANY,
    }  # fmt: skip
    assert {int(code) for code in re.findall(r"^\| (\d{4}) \|", TEXT, re.M)} == codes
