"""`referee run` as its users start it: a process, a page, a file; killed as a power cut does."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from click.testing import CliRunner
from websockets.sync.client import connect

from referee.cli import main
from referee.journal import Journal, latest_matches

#: A process that does not serve its page within this time has failed. (s)
LONG = 90.0
BY_HAND = ("--camera", "none", "--box", "none")
SEATS = ("--seats", "yellow=Ann,blue=Ben")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def running(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The command, once its page is there; and the page's address."""
    port = free_port()
    line = ("run", *BY_HAND, *words, "--folder", str(folder), "--port", str(port))
    code = "from referee.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", code, *line])
    address = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + LONG
        while True:
            try:
                urllib.request.urlopen(f"{address}/healthz", timeout=2.0)
                break
            except HTTPError:
                break
            except OSError:
                assert process.poll() is None, "it ended by itself"
                assert time.monotonic() < end, "its page never came"
                time.sleep(0.1)
        yield process, address
    finally:
        process.kill()
        process.wait()


def state(address: str) -> dict[str, Any]:
    """What the table screen is told of the match, once it is told anything."""
    with connect(f"ws{address[4:]}/ws?audience=table") as socket:
        while True:
            told = json.loads(socket.recv(10.0))
            if told["kind"] == "whole" and "match" in told["doc"]:
                doc: dict[str, Any] = told["doc"]
                return doc
            # Whatever changes is told whole to who comes anew.
            if told["kind"] == "change":
                return state(address)


def command(address: str, **words: object) -> dict[str, Any]:
    session = json.load(urllib.request.urlopen(f"{address}/api/session", timeout=10.0))
    request = urllib.request.Request(
        f"{address}/api/command",
        json.dumps({"id": "one", "by": "Ann", **words}).encode(),
        {"Content-Type": "application/json", "X-Referee": session["token"]},
    )
    answer: dict[str, Any] = json.load(urllib.request.urlopen(request, timeout=10.0))
    return answer


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")
def test_a_match_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    with running(tmp_path, *SEATS) as (process, address):
        before = state(address)
        choice = before["by_hand"]["choices"][0]["text"]
        answer = command(address, do="enter", at=before["state"], text=choice)
        assert answer["accepted"]
        process.send_signal(signal.SIGKILL)
        process.wait()
    with running(tmp_path) as (_, address):
        after = state(address)
        # The same command again, as a browser sends it that never got its answer.
        again = command(address, do="enter", at=before["state"], text=choice)
        assert again["accepted"]
        assert state(address)["state"] == after["state"] == 1
    assert after["match"] == before["match"]
    assert after["last"]["headline"]


def test_the_record_names_who_plays_and_what_runs(tmp_path: Path) -> None:
    with running(tmp_path, *SEATS):
        pass
    (found,) = latest_matches(tmp_path)
    with Journal.read(found.path) as journal:
        people: Any = journal.header["people"]
        assert people == [["yellow", "Ann"], ["blue", "Ben"]]
        assert [event.kind for event in journal.events()] == ["begin", "run"]
        software: Any = journal.header["software"]
        assert {"faces", "tiles"} <= software["models"].keys()


def test_a_camera_that_is_not_there_holds_nothing_up(tmp_path: Path) -> None:
    with running(tmp_path, *SEATS, "--camera", "camera:dead:beef:1") as (_, address):
        end = time.monotonic() + LONG
        while "isn't there" not in str((told := state(address))["troubles"]):
            assert time.monotonic() < end, "nobody was told"
            time.sleep(0.1)
        choice = told["by_hand"]["choices"][0]["text"]
        assert command(address, do="enter", at=told["state"], text=choice)["accepted"]


def test_without_a_match_the_pages_are_there_to_begin_one(tmp_path: Path) -> None:
    with (
        running(tmp_path) as (_, address),
        connect(f"ws{address[4:]}/ws?audience=table") as socket,
    ):
        assert "match" not in json.loads(socket.recv(10.0))["doc"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--pin", "12345"), "6 to 64 characters"),
        (("--port", "0"), "not in the range"),
    ],
)
def test_what_can_not_be_served_is_told_in_a_sentence(words: tuple[str, ...], told: str) -> None:
    result = CliRunner().invoke(main, ["run", *BY_HAND, *words])
    assert result.exit_code in (1, 2)
    assert told in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--new",), "Who plays?"),
        (("--seats", "yellow=Ann"), "1 players can't play"),
        (("--seats", "yellow,yellow"), "twice"),
        (("--seats", "yellow,pink"), "pink"),
        (("--seats", "yellow,blue", "--ranks", "1,1"), "ranks"),
        (("--match", "nothing"), "There are no matches"),
        (("--seats", "yellow,blue", "--edition", "retail"), "values are open"),
    ],
)
def test_what_can_not_be_begun_is_told_in_a_sentence(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    line = ["run", *words, *BY_HAND, "--folder", str(tmp_path), "--port", str(free_port())]
    result = CliRunner().invoke(main, line)
    assert result.exit_code in (1, 2)
    assert told in result.output
    assert "Traceback" not in result.output
    assert not list(tmp_path.glob("*.match"))


def test_an_unfinished_match_is_not_forgotten_by_mistake(tmp_path: Path) -> None:
    with running(tmp_path, *SEATS):
        pass
    line = ["run", *SEATS, *BY_HAND, "--folder", str(tmp_path), "--port", str(free_port())]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 2
    assert "is not finished" in result.output
