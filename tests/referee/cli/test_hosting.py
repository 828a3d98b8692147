"""How the pages are served: where, to whom, and what is said at the start."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click import ClickException
from click.testing import CliRunner
from fastapi import FastAPI

from referee.cli import main
from referee.cli.hosting import MOST_MESSAGE, Server, Serving, config, hosting
from referee.web.reach import Reach
from referee.web.screens import Screens
from referee.web.setup.settings import HERE, NETWORK, Settings
from referee.web.site import Site
from tests.referee.cli.test_run import free_port

REACH = Reach(8000, lan=True, addresses=("192.168.1.5", "10.0.0.7"), names=("table.local",))


def serving(**more: Any) -> Serving:
    return Serving(**{"port": free_port(), "lan": False, "pin": None, "log_json": False, **more})


def served(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as what is said before."""
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    screens = Screens(lambda: None)
    server.serve(Site(screens, sessions=server.sessions, reach=server.reach))
    screens.film.close()


def test_the_pin_is_new_each_time_and_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pins = set()
    for _ in range(2):
        with hosting(serving()) as server:
            served(server, monkeypatch)
            told = capsys.readouterr().out
            pin = told.rpartition("The judge's PIN is ")[2][:6]
            assert server.sessions.log_in(pin, "", own=True).session
            assert f"http://127.0.0.1:{server.reach.port}/" in told
            assert "network" not in told
            pins.add(pin)
    assert len(pins) == 2


def test_a_pin_that_was_chosen_is_not_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with hosting(serving(pin="correct horse")) as server:
        served(server, monkeypatch)
        assert "horse" not in capsys.readouterr().out
        assert server.sessions.log_in("correct horse", "", own=True).session


def test_the_pin_may_come_from_the_environment(tmp_path: Path) -> None:
    line = ["run", "--camera", "none", "--box", "none", "--folder", str(tmp_path)]
    result = CliRunner().invoke(main, line, env={"REFEREE_PIN": "1"})
    assert result.exit_code == 1
    assert "6 to 64 characters" in result.output


def test_addresses_are_printed_before_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Reach, "network", lambda port: REACH)
    with hosting(serving(lan=True)) as server:
        served(server, monkeypatch)
        code = server.sessions.code
    told = capsys.readouterr().out
    network = ["http://192.168.1.5:8000/", "http://10.0.0.7:8000/", "http://table.local:8000/"]
    places = [told.index(f"{link}\n") for link in network]
    assert places == sorted(places)
    assert f"http://192.168.1.5:8000/join?code={code}" in told


@pytest.mark.parametrize(
    ("lan", "watchers", "others"),
    [
        (None, HERE, False),
        (None, NETWORK, True),
        (False, NETWORK, False),
        (True, HERE, True),
    ],
)
def test_what_was_set_up_holds_unless_something_else_is_asked_for(
    lan: bool | None, watchers: str, others: bool
) -> None:
    asked = serving(lan=lan).as_set_up(Settings(watchers=watchers))
    assert asked.lan is others


@pytest.mark.parametrize(("lan", "address"), [(False, "127.0.0.1"), (True, "0.0.0.0")])
def test_only_this_computer_is_listened_to_unless_others_may(lan: bool, address: str) -> None:
    with hosting(serving(lan=lan)) as server:
        assert server._listening.getsockname()[0] == address


def test_a_site_with_other_sessions_is_not_served() -> None:
    with hosting(serving()) as server, pytest.raises(ValueError, match="the server's sessions"):
        server.serve(Site(Screens(lambda: None), reach=server.reach))


def test_a_port_in_use_leaves_the_log_as_it_was() -> None:
    before = list(logging.getLogger().handlers)
    with hosting(serving()) as server:
        with (
            pytest.raises(ClickException, match="can't be used"),
            hosting(serving(port=server.reach.port)),
        ):
            pass
        assert len(logging.getLogger().handlers) == len(before) + 1
    assert logging.getLogger().handlers == before


def test_nobody_is_believed_to_be_somebody_else() -> None:
    """Not even a program on this computer, unless it is one that people log in through."""
    chosen = config(FastAPI())
    assert not chosen.proxy_headers
    assert chosen.ws_max_size == MOST_MESSAGE
    assert chosen.limit_concurrency
    assert not chosen.access_log
