"""A review: the public screens stand still while the judge looks into what happened."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from referee.games.game import Game
from referee.journal import Journal
from referee.journal.telling import told
from referee.match.commands import Answer, Command, Do
from referee.match.live import Live
from referee.match.match import Match
from referee.match.replay import replay
from referee.web.page import MatchPage
from referee.web.publish import PUBLIC, Audience
from tests.referee.match.toy import Move, Toy
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN
from tests.referee.web.stage import ShownToy, Stage
from tests.referee.web.test_state import table


def begin(stage: Stage) -> None:
    stage.say(Do.REVIEW, reason="who took it?")


def in_review(document: dict[str, Any]) -> dict[str, Any]:
    """The document of the moment before; that the review began is the newest that it tells."""
    return {**document, "review": True, "seq": document["seq"] + 1}


def test_the_public_see_what_was_and_the_judge_what_is(stage: Stage) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    before = {each: stage.shown(each) for each in PUBLIC}
    begin(stage)
    stage.say(Do.ENTER, "raid - a")
    for audience in PUBLIC:
        held = stage.shown(audience)
        assert held == in_review(before[audience])
    judges = stage.shown(Audience.JUDGE)
    assert judges["state"] == 2
    assert (judges["review"]["by"], judges["review"]["reason"]) == ("Ann", "who took it?")
    assert abs(judges["review"]["since"] - time.time()) < 60
    stage.say(Do.RESUME)
    for audience in PUBLIC:
        assert (stage.shown(audience)["state"], stage.shown(audience)["review"]) == (2, False)
    assert "review" not in stage.shown(Audience.JUDGE)


def test_what_the_camera_sees_in_a_review_is_not_shown(stage: Stage) -> None:
    stage.see(table("a"))
    stage.until(lambda: bool(stage.shown().get("current")))
    before = stage.shown()
    begin(stage)
    stage.see(table("a", "b", "c"))
    goods = [1, 1, 1]
    stage.until(lambda: stage.shown(Audience.JUDGE)["lines"][0]["castle"]["goods"] == goods)
    assert stage.shown() == in_review(before)


def test_each_review_shows_its_own_beginning(stage: Stage) -> None:
    begin(stage)
    stage.say(Do.ENTER, "spin 2 -")
    assert stage.shown()["state"] == 0
    stage.say(Do.RESUME, reason="settled")
    begin(stage)
    stage.say(Do.ENTER, "raid - a")
    assert stage.shown()["state"] == 1


def command(stage: Stage, do: Do, reason: str = "", number: str = "r", at: int = -1) -> Answer:
    return stage.live.command(Command(do, at, number, "Bea", reason=reason))


def test_what_makes_no_sense_is_refused_and_changes_nothing(stage: Stage) -> None:
    assert "no review" in command(stage, Do.RESUME).text
    assert "why" in command(stage, Do.REVIEW).text
    assert stage.view.review is None
    assert command(stage, Do.REVIEW, "a look", "1").accepted
    seq = stage.view.seq
    again = command(stage, Do.REVIEW, "another", "2")
    assert (again.accepted, again.text) == (False, "Bea has begun a review already.")
    # The same command once more, as after a lost answer, is no error.
    assert command(stage, Do.REVIEW, "a look", "1").accepted
    assert stage.view.seq == seq


def test_a_review_does_not_wait_for_the_newest_state(stage: Stage) -> None:
    """Whoever stops the screens has no time to look again."""
    stage.say(Do.ENTER, "spin 2 -")
    assert command(stage, Do.REVIEW, "stop", at=0).accepted


def test_players_wait_and_the_judge_does_not(stage: Stage, client: Client) -> None:
    begin(stage)
    body = {"do": "enter", "at": 0, "id": "1", "by": "Cy", "text": "spin 2 -"}
    answer = client.send(body).json()
    assert not answer["accepted"]
    assert "Ann" in answer["text"]
    assert stage.view.state_id == 0
    client.log_in(PIN)
    assert client.send(body).json()["accepted"]


def test_it_is_on_record_with_who_and_why(stage: Stage) -> None:
    begin(stage)
    stage.say(Do.RESUME, reason="settled")
    events = {event.kind: event for event in stage.journal.events()}
    assert events["review"].cause.who == "Ann"
    assert "(why: who took it?)" in told(events["review"])
    assert "(why: settled)" in told(events["resume"])


class Restarted:
    """The same journal, taken up by a program that was started again."""

    def __init__(self, path: Path) -> None:
        game: Game[Toy, Move] = ShownToy()
        self.journal = Journal.open(path, now=time.time)
        match = Match(game, self.journal, now=time.monotonic(), wall=time.time)
        self.live = Live(match, None, None)
        self.page = MatchPage(game, self.live, None, None, lambda name: None)
        self.live.start()

    def stop(self) -> None:
        self.live.stop()
        self.journal.close()


@pytest.fixture
def reviewed(tmp_path: Path) -> tuple[Path, dict[Audience, Any]]:
    """A journal in which a review goes on, and what was shown when it began."""
    stage = Stage(tmp_path, camera=False)
    stage.start()
    stage.say(Do.ENTER, "spin 2 -")
    stage.say(Do.START)
    before = {each: stage.shown(each) for each in PUBLIC}
    begin(stage)
    stage.say(Do.STOP)
    stage.say(Do.ENTER, "raid - a")
    stage.say(Do.UNDO)
    stage.stop()
    return stage.journal.path, before


def test_it_survives_a_restart(reviewed: tuple[Path, dict[Audience, Any]]) -> None:
    """What is on record of that moment is shown again: what the table looked like is not."""
    path, before = reviewed
    again = Restarted(path)
    try:
        documents = again.page.documents()
        for audience in PUBLIC:
            held = documents[audience]
            for key in ("match", "state", "seq", "round", "demand", "step", "review"):
                assert held[key] == in_review(before[audience])[key], key
        glass = documents[Audience.TABLE]["device"]
        assert (glass["stage"], glass["end"]) == (
            "running",
            before[Audience.TABLE]["device"]["end"],
        )
        assert documents[Audience.TABLE]["last"]["headline"] == "spin 2"
        assert documents[Audience.JUDGE]["state"] == 3
        again.live.command(Command(Do.RESUME, 3, "x", "Ann"))
        assert again.page.documents()[Audience.TABLE]["state"] == 3
    finally:
        again.stop()


def test_a_replay_knows_it(reviewed: tuple[Path, dict[Audience, Any]]) -> None:
    with Journal.read(reviewed[0]) as journal:
        assert all(each.same for each in replay(ShownToy(), journal))


def test_an_undo_does_not_end_it(stage: Stage) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    begin(stage)
    stage.say(Do.UNDO)
    assert stage.view.review is not None
    assert stage.shown()["state"] == 1
