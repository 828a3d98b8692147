"""`referee match`: lists, shows, exports, replays and deletes what is on record."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli.match import match
from referee.journal import (
    Cause,
    Entry,
    Event,
    Journal,
    Json,
    Pictures,
    canonical,
    evidence_path,
)
from referee.match import gameof
from referee.match import replay as replaying
from tests.referee.journal.conftest import tmp_path
from tests.referee.journal.making import HEADER, note, ticking

__all__ = ["tmp_path"]

ID = "2026-11-30-1905-k7f3"


def entry(kind: str, cause: Cause, state: int, /, **data: Json) -> Entry:
    return Entry(kind, cause, state, data)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a match of a few minutes ago and an older, finished one."""
    monkeypatch.setenv("REFEREE_MATCHES", str(tmp_path / "matches"))
    begun = time.time() - 600
    camera, eve = Cause("camera", "camera"), Cause("person", "Eve")
    path = tmp_path / "matches" / f"{ID}.match"
    with Journal.create(path, HEADER, now=ticking(begun)) as journal:
        journal.append_all(
            [
                entry("begin", Cause("person", "Anna"), 0, position="p", round=1, over=False),
                entry("move", camera, 1, text="m", told=["Anna spins a 3"], round=2, over=False),
                entry("verdict", camera, 1, verdict={"outcome": "inconclusive"}),
                entry("note", eve, 1, text="Anna and Eve agree"),
                entry("surprise", camera, 1, kind="new"),
            ]
        )
    with Pictures(evidence_path(path), create=True) as pictures:
        for number, name in enumerate(("verdict-3", "ring", "teach/3")):
            pictures.keep(name, b"\xff\xd8" + bytes([number]), begun)
        pictures.tie("verdict-3", 3)
        pictures.tie("teach/3", 4)
    old = path.with_name("2026-10-01-2000-bbbb.match")
    with Journal.create(old, {**HEADER, "people": []}, now=ticking(begun - 9e6)) as journal:
        journal.append(entry("move", camera, 1, told=["Blue wins"], round=8, over=True))
    return path.parent


def run(*args: str | Path, **more: Any) -> Result:
    return CliRunner().invoke(match, [*map(str, args)], catch_exceptions=False, **more)


def lines(result: Result) -> list[Any]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_list(folder: Path) -> None:
    result = run("list")
    assert result.exit_code == 0
    first, *rest = result.stdout.splitlines()
    assert first.startswith(f"{ID}  ")
    assert first.endswith("tumult_royale (yellow Anna, blue Bébé O'Neil)")
    assert rest[0] == "    not finished, round 2: Anna spins a 3"
    assert rest[1] == "    its pictures are deleted 30 days after they were taken"
    assert rest[2].startswith("2026-10-01-2000-bbbb  ")
    assert rest[3] == "    finished, round 8: Blue wins"
    told = lines(run("list", "--json"))
    assert [(each["id"], each["finished"], each["round"]) for each in told] == [
        (ID, False, 2), ("2026-10-01-2000-bbbb", True, 8),
    ]  # fmt: skip
    assert [each["pictures_kept_days"] for each in told] == [30, None]
    assert told[0]["path"] == str(folder / f"{ID}.match")


def test_an_empty_folder(tmp_path: Path) -> None:
    assert run("list", "--folder", tmp_path).stdout == f"There are no matches in {tmp_path}.\n"
    assert run("list", "--folder", tmp_path, "--json").stdout == ""
    result = run("show", "latest", "--folder", tmp_path, "--json")
    assert result.exit_code == 1
    assert lines(result)[0]["error"] == f"There are no matches in {tmp_path}."


def test_show() -> None:
    result = run("show", "2026-11")
    assert result.exit_code == 0
    title, *events, last = result.stdout.splitlines()
    assert title.startswith(f"{ID}: tumult_royale, edition kit-1, begun ")
    told = [line.split("  ", 2)[-1].split("  ")[-1] for line in events]
    assert told == [
        "Anna: the match begins",
        "camera: Anna spins a 3",
        "camera: inconclusive",
        "Eve: note: Anna and Eve agree",
        "camera: surprise: kind new",
    ]
    assert last.startswith("All is as it was written, up to hash ")
    shown = lines(run("show", ID, "--json"))
    assert [each["seq"] for each in shown] == [1, 2, 3, 4, 5]
    assert shown[3]["data"] == {"text": "Anna and Eve agree"}
    assert last.split()[-1].rstrip(".") == shown[-1]["hash"][:12]


def test_names_of_matches(folder: Path) -> None:
    for spec in (ID, "2026-11", "latest", folder / f"{ID}.match"):
        assert run("show", spec).stdout.startswith(ID)
    result = run("show", "2026")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[0] == "2 matches begin with '2026'."
    assert result.stderr.splitlines()[1].startswith("-> Take one of: ")


def test_export_leaves_names_out(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    result = run("export", ID, "-o", out)
    assert (result.exit_code, result.stdout) == (0, "")
    text = out.read_text(encoding="utf-8")
    assert not {name for name in ("Anna", "Eve", "O'Neil") if name in text}
    whole = json.loads(text)
    assert whole["header"]["people"] == [["yellow", "player 1"], ["blue", "player 2"]]
    assert whole["events"][3]["data"]["text"] == "player 1 and judge 1 agree"
    assert whole["events"][3]["cause"]["who"] == "judge 1"
    assert (whole["named"], whole["damage"]) == (False, None)
    named = json.loads(run("export", ID, "--names").stdout)
    assert named["events"][3]["data"]["text"] == "Anna and Eve agree"
    assert len(named["events"][3]["hash"]) == 64


def test_export_for_spreadsheets(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    result = run("export", "latest", "--format", "csv", "-o", out, "--names", "--json")
    assert lines(result) == [{"events": 5, "out": str(out), "pictures": []}]
    content = out.read_bytes()
    assert content.startswith(b"\xef\xbb\xbfseq,")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert [row["words"] for row in rows][3] == "note: Anna and Eve agree"


def test_export_pictures(tmp_path: Path) -> None:
    result = run("export", ID, "-o", tmp_path / "out.json", "--pictures", tmp_path / "shots")
    assert result.stderr == "5 events and 2 pictures written.\n"
    assert {file.name: file.read_bytes() for file in (tmp_path / "shots").iterdir()} == {
        "00003-verdict-3.jpg": b"\xff\xd8\x00",
        "00004-teach-3.jpg": b"\xff\xd8\x02",
    }


def test_export_says_what_can_not_be_written(folder: Path, tmp_path: Path) -> None:
    result = run("export", ID, "-o", folder / f"{ID}.match")
    assert result.exit_code == 2
    assert "is named like a match itself" in result.stderr
    result = run("export", ID, "-o", tmp_path / "none" / "out.json")
    assert result.exit_code == 1
    assert "can't be written (No such file or directory)." in result.stderr


def test_a_damaged_match_is_exported_as_far_as_it_is_whole(folder: Path, tmp_path: Path) -> None:
    db = sqlite3.connect(folder / f"{ID}.match", isolation_level=None)
    db.execute("DROP TRIGGER events_stay")
    db.execute("UPDATE events SET data = '{}' WHERE seq = 4")
    db.close()
    out = tmp_path / "out.json"
    result = run("export", ID, "-o", out)
    assert result.exit_code == 1
    assert "(event 4 was changed); it is whole up to event 3." in result.stderr
    whole = json.loads(out.read_text(encoding="utf-8"))
    assert [event["seq"] for event in whole["events"]] == [1, 2, 3]
    assert "event 4 was changed" in whole["damage"]
    shown = run("show", ID)
    assert shown.exit_code == 1
    assert len(shown.stdout.splitlines()) == 4
    listed = lines(run("list", "--json"))[0]
    assert (listed["id"], listed["events"]) == (ID, 3)
    assert "whole up to event 3" in listed["trouble"]


def test_old_pictures_go_when_matches_are_looked_at(folder: Path) -> None:
    path = folder / f"{ID}.evidence"
    with Pictures(path, keep_for=60) as pictures:
        assert pictures.get("ring")
    run("list")
    with Pictures(path) as pictures:
        assert pictures.tied() == ()
        assert pictures.get("ring") is None


def test_replay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each verdict is judged again by the game that the header names."""

    def judged(game: object, journal: Journal) -> Iterator[replaying.Replayed]:
        assert game is royale
        for event in journal.events():
            if event.kind == "verdict":
                text = canonical(event.data["verdict"])
                yield replaying.Replayed(event, text, again(event, text))

    def again(event: Event, text: str) -> str:
        return text if same else "{}"

    royale = object()
    monkeypatch.setattr(gameof, "game_of", lambda _: royale)
    monkeypatch.setattr(replaying, "replay", judged)
    same = True
    result = run("replay", ID)
    assert (result.exit_code, result.stdout) == (
        0,
        "1 verdicts judged again, 0 came out differently.\n",
    )
    same = False
    result = run("replay", ID, "--json")
    assert result.exit_code == 1
    assert lines(result) == [
        {"seq": 3, "recorded": '{"outcome":"inconclusive"}', "again": "{}"},
        {"verdicts": 1, "different": 1},
    ]


def test_an_event_that_can_not_follow_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def judged(game: object, journal: Journal) -> Iterator[replaying.Replayed]:
        yield replaying.Replayed(next(journal.events()), "{}", "{}")
        raise ValueError("Blue has no statue left.")

    monkeypatch.setattr(gameof, "game_of", lambda _: None)
    monkeypatch.setattr(replaying, "replay", judged)
    result = run("replay", ID)
    assert result.exit_code == 1
    assert result.stderr.startswith("The match can't be replayed: Blue has no statue left.\n-> ")


def test_a_game_that_is_not_known_here(folder: Path) -> None:
    path = folder / "other.match"
    Journal.create(path, {"game": "chess", "edition": "x"}, now=ticking()).close()
    result = run("replay", "other")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[0] == (
        "The game of other.match can't be loaded: There is no game 'chess'; there is tumult_royale."
    )


def test_delete_asks(folder: Path) -> None:
    result = run("delete", ID, input="n\n")
    assert result.exit_code == 1
    assert (folder / f"{ID}.match").exists()
    result = run("delete", ID, input="y\n")
    assert (result.exit_code, result.stdout) == (0, f"{ID} is deleted.\n")
    assert {file.stem for file in folder.iterdir()} == {"2026-10-01-2000-bbbb"}
    assert lines(run("delete", "latest", "--yes", "--json")) == [
        {"deleted": "2026-10-01-2000-bbbb"}
    ]
    assert not list(folder.iterdir())


def test_a_match_that_is_played_is_shown_but_not_deleted(folder: Path) -> None:
    with Journal.open(folder / f"{ID}.match", now=ticking()) as journal:
        result = run("delete", ID, "--yes")
        assert result.exit_code == 1
        assert "is being played by another program" in result.stderr
        journal.append(note("still here"))
        assert "note: still here" in run("show", ID).stdout


def test_it_starts_without_the_vision(folder: Path) -> None:
    """Looking at matches must not take the seconds that networks need."""
    script = (
        "import sys; from referee.cli.match import match\n"
        "try: match(['list'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('cv2', 'onnxruntime', 'numpy') if name in sys.modules])"
    )
    other = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ
    )
    assert other.stdout.splitlines()[-1] == "[]"
