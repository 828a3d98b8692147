"""What is told of matches on record."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from referee.games.tumult_royale import Phase
from referee.journal import Cause, Entry, EvidenceStore, Journal, evidence_path
from referee.match.commands import Do
from referee.web.app import create_app
from referee.web.history import shelf as module
from referee.web.history.records import read
from referee.web.history.shelf import Shelf
from referee.web.pin import Pin
from referee.web.reach import Reach
from referee.web.screens import Screens
from referee.web.sessions import Sessions
from referee.web.site import Site
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN
from tests.referee.web.records import JPEG, MOVE_S, Recorded
from tests.referee.web.stage import Stage

THREE = {"yellow": "Ann", "blue": "Ben", "grey": "Zoë"}
TWO = {"grey": "ann", "purple": "purple"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "matches"


@pytest.fixture
def client(folder: Path, pin: Pin) -> Client:
    """A browser at a server without an open match."""
    site = Site(Screens(lambda: None), folder=folder, sessions=Sessions(pin))
    return Client(create_app(site))


def listed(client: Client, **headers: str) -> dict[str, Any]:
    """The list, once all has been read."""
    deadline = time.monotonic() + 20.0
    while True:
        told = client.get("/api/history", **headers).json()
        if told["read"] == told["of"]:
            assert isinstance(told, dict)
            return told
        assert time.monotonic() < deadline
        time.sleep(0.05)


def measure(whole: dict[str, Any], key: str) -> dict[str, Any]:
    (found,) = (each for each in whole["measures"] if each["key"] == key)
    assert isinstance(found, dict)
    return found


# One match.


def test_a_whole_game_is_told(folder: Path) -> None:
    made = Recorded(folder, "evening", THREE)
    state = made.view.position
    assert state.phase is Phase.OVER
    assert state.outcome is not None
    whole = read(made.path).whole
    assert (whole["trouble"], whole["finished"], whole["ended"]) == ("", True, False)
    assert [player["player"] for player in whole["players"]] == ["Ann", "Ben", "Zoë"]
    assert [player["name"] for player in whole["players"]] == ["Yellow", "Blue", "Grey"]
    assert [player["won"] for player in whole["players"]] == [
        seat == state.outcome.winner for seat in range(3)
    ]
    # Each move took as long as people take, and nothing else happened.
    moves = len(made.view.moves) - 1
    assert whole["lasted"] == pytest.approx(moves * MOVE_S)
    assert sum(each["times"] for each in whole["steps"]) == moves
    assert {each["median"] for each in whole["steps"]} == {MOVE_S}
    outcomes = {each["outcome"]: each["times"] for each in whole["outcomes"]}
    assert outcomes == {
        "confirmed": 0, "ruled": moves, "inconclusive": 0, "out-of-sync": 0, "degraded": 0,
        "corrected": 0,
    }  # fmt: skip
    assert [each["round"] for each in whole["rounds"]] == [*range(state.round + 1)]
    assert sum(len(each["entries"]) for each in whole["rounds"]) == moves


def test_statistics_end_where_the_match_does(folder: Path) -> None:
    made = Recorded(folder, "evening", THREE)
    seats, whole = made.view.position.seats, read(made.path).whole
    for key, value in (("supporters", "supporters"), ("statues", "built")):
        told = measure(whole, key)
        assert [seat["total"] for seat in told["seats"]] == [getattr(each, value) for each in seats]
        assert all(len(seat["rounds"]) == len(told["rounds"]) for seat in told["seats"])
    placed = measure(whole, "placed")
    for seat in placed["seats"]:
        assert sum(seat["parts"]) == sum(seat["rounds"]) == seat["total"]


def test_what_was_taken_back_counts_nowhere_and_stays_to_be_read(folder: Path) -> None:
    made = Recorded(folder, "evening", THREE, moves=20)
    before = read(made.path).whole
    state = max(k for k, move in enumerate(made.view.moves) if " build " in move)
    with made.going_on() as match:
        match.say(Do.UNDO, to=state - 1, reason="it stood elsewhere")
    whole = read(made.path).whole
    gone = [each for told in whole["rounds"] for each in told["entries"] if each["gone"]]
    assert [each["kind"] for each in gone] == ["move"] * (20 - state + 1)
    paid = [seat["total"] for seat in measure(whole, "paid")["seats"]]
    assert sum(paid) < sum(seat["total"] for seat in measure(before, "paid")["seats"])
    (undo,) = (e for told in whole["rounds"] for e in told["entries"] if e["kind"] == "undo")
    assert undo["reason"] == "it stood elsewhere"


def test_a_break_is_not_played(folder: Path) -> None:
    made = Recorded(folder, "evening", THREE, moves=5)
    played = read(made.path).summary["lasted"]
    made.now += 86400.0
    with made.going_on() as match:
        match.started()
    assert read(made.path).summary["lasted"] == played


def test_a_match_is_read_as_far_as_is_asked(folder: Path) -> None:
    made = Recorded(folder, "evening", THREE)
    part = read(made.path, until=12).whole
    assert (part["events"], part["finished"]) == (12, False)
    assert max(e["seq"] for told in part["rounds"] for e in told["entries"]) <= 12


# Files that are no matches, or not any more.


def spoilt(folder: Path, kind: str) -> Path:
    path = Recorded(folder, kind, THREE, moves=12).path
    if kind == "foreign":
        path.write_bytes(b"Dear diary, " * 99)
    elif kind == "cut":
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
    elif kind == "empty":
        path.write_bytes(b"")
    else:
        with sqlite3.connect(path, isolation_level=None) as db:
            db.execute("PRAGMA writable_schema=ON")
            if kind == "newer":
                db.execute("PRAGMA user_version=99")
            else:
                db.execute("DROP TRIGGER events_stay")
                db.execute("UPDATE events SET data = '{}' WHERE seq = 7")
        db.close()
    return path


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("foreign", "not the journal of a match"),
        ("empty", "not the journal of a match"),
        ("cut", "damaged"),
        ("newer", "newer version"),
        ("changed", "whole up to event 6"),
    ],
)
def test_a_file_that_can_not_be_read_says_why(
    folder: Path, client: Client, kind: str, says: str
) -> None:
    spoilt(folder, kind)
    Recorded(folder, "sound", THREE, moves=2)
    told = listed(client)
    trouble = {each["id"]: each["trouble"] for each in told["matches"]}
    assert trouble["sound"] == ""
    assert says in trouble[kind]
    assert str(folder) not in trouble[kind]
    assert client.get(f"/api/history/{kind}").status_code == 200
    german = client.get(f"/api/history/{kind}?lang=de").json()["trouble"]
    assert german
    assert german != trouble[kind]


def test_a_game_that_is_not_known_is_listed_by_its_events(folder: Path, client: Client) -> None:
    folder.mkdir()
    with Journal.create(folder / "chess.match", {"game": "chess"}, now=time.time) as journal:
        journal.append(Entry("move", Cause("person", "Ann"), 1, {"text": "e4"}))
    told = client.get("/api/history/chess").json()
    assert "can't follow the game" in told["trouble"]
    assert [line["by"] for line in told["plain"]] == ["Ann"]
    assert listed(client)["matches"][0]["events"] == 1


def test_events_that_make_no_sense_end_the_story_there(folder: Path) -> None:
    made = Recorded(folder, "odd", THREE, moves=6)
    with Journal.open(made.path, now=lambda: made.now) as journal:
        journal.append(Entry("move", Cause("camera"), 7, {"text": "no such move"}))
    whole = read(made.path).whole
    assert "From event 8" in whole["trouble"]
    assert len(whole["rounds"][0]["entries"]) == 3


@pytest.mark.parametrize("name", ["..", "a/b", "%2e%2e%2fsecret", "none", "a%00b", "x" * 200])
def test_names_lead_nowhere_else(folder: Path, client: Client, name: str) -> None:
    folder.mkdir()
    shutil.copy(Recorded(folder, "here", THREE, moves=1).path, folder.parent / "secret.match")
    assert client.get(f"/api/history/{name}").status_code in (404, 422)


def test_a_file_may_have_any_name(folder: Path, client: Client) -> None:
    path = Recorded(folder, "here", THREE, moves=1).path
    path.rename(path.with_name("Käse (1).match"))
    assert listed(client)["matches"][0]["id"] == "Käse (1)"
    assert client.get("/api/history/K%C3%A4se%20(1)").json()["events"] == 2
    client.log_in(PIN)
    told = client.get("/api/history/K%C3%A4se%20(1)/export?form=csv")
    assert told.headers["content-disposition"].endswith("K%C3%A4se%20%281%29.csv")


@pytest.mark.skipif(os.name != "posix", reason="names are text elsewhere")
def test_a_name_that_is_no_text_is_listed(folder: Path, client: Client) -> None:
    path = Recorded(folder, "here", THREE, moves=1).path
    path.rename(path.with_name(os.fsdecode(b"k\xe4se.match")))
    assert [each["id"] for each in listed(client)["matches"]] == ["k?se"]


# All of them.


def test_people_are_added_up_by_name(folder: Path, client: Client) -> None:
    first = Recorded(folder, "a", THREE, seed=1)
    second = Recorded(folder, "b", TWO, seed=2, at=first.now)
    Recorded(folder, "c", TWO, seed=3, moves=9, at=second.now)
    told = listed(client)
    assert [each["id"] for each in told["matches"]] == ["c", "b", "a"]
    (game,) = told["games"]
    people = {each["name"]: each for each in game["people"]}
    # A seat without a name is nobody; capital letters make no other person.
    assert set(people) == {"ann", "Ben", "Zoë"}
    ann = people["ann"]
    assert (ann["games"], ann["finished"]) == (3, 2)
    ends = [each.view.position.outcome for each in (first, second)]
    assert ann["wins"] == sum(end is not None and end.winner == 0 for end in ends)
    keys = [each["key"] for each in game["measures"]]
    built = first.view.position.seats[0].built + second.view.position.seats[0].built
    assert ann["averages"][keys.index("statues")] == round(built / 2, 1)


def test_what_was_read_is_read_again_only_when_it_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, shelf, times = Recorded(folder, "a", THREE, moves=4), Shelf(folder), []

    def counted(path: Path, **more: Any) -> Any:
        times.append(path)
        return read(path, **more)

    monkeypatch.setattr(module, "read", counted)
    monkeypatch.setattr(module, "TICK_S", 0.0)
    first = shelf.match("a")
    assert first is not None
    assert shelf.match("a") is first
    with made.going_on() as match:
        match.say(Do.NOTE, "a word")
        assert shelf.match("a") is not first
    assert len(times) == 2


def test_long_work_shows_how_far_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        Recorded(folder, name, THREE, moves=1)
    may_go_on, shelf = threading.Event(), Shelf(folder)

    def slowly(path: Path, **more: Any) -> Any:
        may_go_on.wait(10.0)
        return read(path, **more)

    monkeypatch.setattr(module, "read", slowly)
    told = shelf.listed()
    assert (told["read"], told["of"], told["matches"]) == (0, 2, [])
    may_go_on.set()
    deadline = time.monotonic() + 10.0
    while (told := shelf.listed())["read"] < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert [each["id"] for each in told["matches"]] == ["a", "b"]


def test_only_so_many_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WHOLE", 2)
    shelf = Shelf(folder)
    for name in "abc":
        Recorded(folder, name, THREE, moves=1)
        assert shelf.match(name) is not None
    assert len(shelf._whole) == 2


def test_reading_does_not_hold_up_the_writer(folder: Path) -> None:
    made = Recorded(folder, "a", THREE, moves=30)
    with made.going_on() as match:
        for number in range(5):
            told = read(made.path).whole
            assert told["events"] == 31 + number
            match.say(Do.NOTE, f"note {number}")


# Evidence, export, deletion.


def test_evidence_is_shown_as_long_as_it_is_kept(folder: Path, client: Client) -> None:
    made = Recorded(folder, "a", THREE, moves=9)
    finding = {"illegal": True, "reason": "x", "rule": "3.4", "text": "Too little.", "seats": [1]}
    verdict = {"outcome": "out-of-sync", "sentence": "It differs.", "findings": [finding]}
    made.saw({**verdict, "rules": ["3.4"]}, "verdict-9")
    entry = client.get("/api/history/a").json()["rounds"][-1]["entries"][-1]
    assert (entry["words"], entry["outcome"]) == ("It differs.", "out-of-sync")
    assert entry["findings"][0]["seats"] == ["Ben"]
    assert entry["evidence"] == [{"name": "verdict-9", "words": "as it was judged"}]
    assert client.get("/api/history/a/evidence/verdict-9.jpg").content == JPEG
    assert client.get("/api/history/a/evidence/verdict-8.jpg").status_code == 404
    store = EvidenceStore(evidence_path(made.path))
    store.sweep(made.now + 365 * 86400.0)
    store.close()
    assert client.get("/api/history/a/evidence/verdict-9.jpg").status_code == 404


def test_whoever_judges_may_export(folder: Path, client: Client) -> None:
    Recorded(folder, "a", THREE, moves=4)
    url = "/api/history/a/export?form="
    assert client.get(f"{url}json").status_code == 401
    client.log_in(PIN)
    plain = client.get(f"{url}json")
    assert plain.headers["content-disposition"] == "attachment; filename*=UTF-8''a.json"
    assert "Zoë" not in plain.text
    assert "player 3" in plain.text
    assert "Zoë" in client.get(f"{url}json&names=true").text
    assert client.get(f"{url}csv").content.startswith(b"\xef\xbb\xbfseq,time,")


def test_whoever_judges_may_delete_with_all_pictures(folder: Path, client: Client) -> None:
    made = Recorded(folder, "a", THREE, moves=9)
    made.saw({"outcome": "out-of-sync"}, "verdict-9")
    assert client.post("/api/history/a/delete", {"match": "a"}).status_code == 401
    client.log_in(PIN)
    assert not client.post("/api/history/a/delete", {"match": "b"}).json()["deleted"]
    assert client.post("/api/history/a/delete", {"match": "a"}).json() == {
        "deleted": True,
        "text": "",
    }
    assert list(folder.iterdir()) == []
    assert listed(client)["matches"] == []
    assert client.get("/api/history/a").status_code == 404


# The match that is open.


def test_others_see_a_match_under_review_as_it_was(stage: Stage, tmp_path: Path, pin: Pin) -> None:
    reach = Reach(8000, lan=True, addresses=("192.168.1.5",))
    site = Site(stage.screens, folder=tmp_path, sessions=Sessions(pin), reach=reach)
    app = create_app(site)
    judge = Client(app)
    judge.log_in(PIN)
    guest = Client(app, peer="192.168.1.9", base="http://192.168.1.5:8000")
    stage.say(Do.NOTE, "before")
    stage.say(Do.REVIEW, reason="look")
    stage.say(Do.NOTE, "secret")
    for who, events in ((judge, 4), (guest, 3)):
        told = who.get("/api/history/toy").json()
        assert told["open"] is True
        assert told["events"] == events
        assert ("secret" in str(told)) == (who is judge)
        assert listed(who)["open"] == "toy"
    assert "open" in judge.post("/api/history/toy/delete", {"match": "toy"}).json()["text"]
    assert stage.journal.path.exists()
