"""A real broker is told what is shown: found by Home Assistant, remembered, told again."""

from __future__ import annotations

import json
import logging
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.announcing import announced
from referee.match.commands import Do
from referee.mqtt.announcer import Announcer
from referee.mqtt.broker import Broker
from referee.mqtt.states import OUTCOMES
from referee.web.publish import Audience
from tests.referee.mqtt.documents import NO_MATCH, PLAYING
from tests.referee.mqtt.mosquitto import Listener, Mosquitto, installed, until
from tests.referee.web.stage import Stage

ROOT = Path(__file__).parents[3]
HERE = "cafe/availability"
#: Fields of Home Assistant's documentation for a sensor and a binary sensor.
COMMON = {
    "name", "unique_id", "state_topic", "icon", "device", "origin", "availability_topic",
    "payload_available", "payload_not_available", "json_attributes_topic", "device_class",
}  # fmt: skip
FIELDS = {"sensor": {*COMMON, "options"}, "binary_sensor": COMMON}
CLASSES = {"sensor": {"timestamp", "enum"}, "binary_sensor": {"running", "problem"}}
DEVICE = {"identifiers", "name", "manufacturer", "model", "sw_version"}


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    binary = installed()
    if binary is None:
        pytest.skip("no Mosquitto here: install Debian's package mosquitto")
    broker = Mosquitto(binary, tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def listen(mosquitto: Mosquitto) -> Iterator[Callable[[], Listener]]:
    """Makes listeners, each of whom comes when it is called."""
    listeners: list[Listener] = []

    def one() -> Listener:
        listeners.append(Listener(mosquitto.port))
        return listeners[-1]

    yield one
    for listener in listeners:
        listener.close()


class Shown:
    """What is shown now."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    def __call__(self) -> dict[str, Any]:
        return self.document


@pytest.fixture
def shown() -> Shown:
    return Shown(PLAYING)


@pytest.fixture
def announcer(mosquitto: Mosquitto, shown: Shown) -> Iterator[Announcer]:
    broker = Broker.of(f"mqtt://127.0.0.1:{mosquitto.port}/cafe", {})
    announcer = Announcer(broker, shown, again_s=(1, 1))
    announcer.start()
    yield announcer
    announcer.stop()


def heard(listener: Listener, topic: str, payload: str) -> None:
    until(lambda: listener.heard.get(topic) == payload, f"{topic}: {payload}")


def test_home_assistant_finds_everything(
    announcer: Announcer, listen: Callable[[], Listener]
) -> None:
    heard(listen(), HERE, "online")
    late = listen()
    heard(late, HERE, "online")
    configs = {topic: text for topic, text in late.heard.items() if topic.endswith("/config")}
    told = set(late.heard) - set(configs)
    # Who comes late finds all of it.
    assert late.retained == set(late.heard)
    assert len(configs) == 8
    unique = set()
    for topic, text in configs.items():
        found = re.fullmatch(r"homeassistant/(\w+)/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config", topic)
        assert found is not None
        config = json.loads(text)
        assert set(config) <= FIELDS[found[1]]
        assert {"name", "unique_id", "device", "origin"} <= set(config)
        assert set(config["device"]) == DEVICE
        assert config["device"]["identifiers"] == ["table_referee_cafe"]
        assert config["availability_topic"] == HERE
        assert config["state_topic"] in told
        assert config.get("json_attributes_topic", HERE) in told
        assert config.get("device_class", "enum") in CLASSES[found[1]] | {"enum"}
        state = late.heard[config["state_topic"]]
        if found[1] == "binary_sensor":
            assert state in ("ON", "OFF")
        if "options" in config:
            assert config["options"] == list(OUTCOMES)
            assert state in config["options"]
        unique.add(config["unique_id"])
    assert len(unique) == 8


def test_what_changes_is_told_and_remembered(
    announcer: Announcer, shown: Shown, listen: Callable[[], Listener]
) -> None:
    listener = listen()
    heard(listener, "cafe/match", "ON")
    shown.document = NO_MATCH
    announcer.news()
    heard(listener, "cafe/match", "OFF")
    heard(listener, "cafe/phase", "No match")
    late = listen()
    heard(late, "cafe/phase", "No match")
    assert "cafe/phase" in late.retained


def test_an_end_is_told(mosquitto: Mosquitto, shown: Shown, listen: Callable[[], Listener]) -> None:
    announcer = Announcer(Broker.of(f"mqtt://127.0.0.1:{mosquitto.port}/cafe", {}), shown)
    announcer.start()
    listener = listen()
    heard(listener, HERE, "online")
    announcer.stop()
    heard(listener, HERE, "offline")
    late = listen()
    heard(late, HERE, "offline")
    assert HERE in late.retained


def test_who_is_killed_is_told_to_be_away(
    mosquitto: Mosquitto, listen: Callable[[], Listener]
) -> None:
    command = [sys.executable, "-m", "tests.referee.mqtt.lonely", str(mosquitto.port)]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        listener = listen()
        heard(listener, HERE, "online")
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    heard(listener, HERE, "offline")
    late = listen()
    heard(late, HERE, "offline")
    assert HERE in late.retained
    # The last state stays readable, as one that may be old.
    assert late.heard["cafe/round"] == "2"


def test_a_broker_that_comes_back_is_told_everything_anew(
    mosquitto: Mosquitto, announcer: Announcer, shown: Shown, caplog: pytest.LogCaptureFixture
) -> None:
    first = Listener(mosquitto.port)
    heard(first, HERE, "online")
    first.close()
    with caplog.at_level(logging.WARNING):
        mosquitto.stop()
        for number in range(50):
            shown.document = {**PLAYING, "round": number}
            announcer.news()
        mosquitto.start()
        second = Listener(mosquitto.port)
        heard(second, HERE, "online")
    # The newest state wins; what was between is never told.
    assert second.heard["cafe/round"] == "49"
    assert len([topic for topic in second.heard if topic.endswith("/config")]) == 8
    second.close()
    assert len(caplog.records) <= 1


def test_who_is_not_let_in_says_so_once_and_not_the_password(
    tmp_path: Path, shown: Shown, caplog: pytest.LogCaptureFixture
) -> None:
    binary = installed()
    if binary is None:
        pytest.skip("no Mosquitto here: install Debian's package mosquitto")
    (tmp_path / "locked").mkdir()
    mosquitto = Mosquitto(binary, tmp_path / "locked", password="right-one")
    mosquitto.start()
    url = f"mqtt://referee:%s@127.0.0.1:{mosquitto.port}/cafe"
    with caplog.at_level(logging.DEBUG):
        refused = Announcer(Broker.of(url % "wrong-one", {}), shown)
        refused.start()
        until(lambda: "refuses" in caplog.text)
        refused.stop()
        let_in = Announcer(Broker.of(url % "right-one", {}), shown)
        let_in.start()
        listener = Listener(mosquitto.port, user="referee", password="right-one")
        heard(listener, HERE, "online")
        let_in.stop()
        listener.close()
    mosquitto.stop()
    assert caplog.text.count("refuses") == 1
    assert "-one" not in caplog.text


def test_a_dead_broker_holds_up_nobody(stage: Stage, mosquitto: Mosquitto) -> None:
    """One that takes connections and never answers: the match goes on, and so do the pages."""
    with socket.create_server(("127.0.0.1", 0), backlog=1) as dead:
        url = f"mqtt://127.0.0.1:{dead.getsockname()[1]}/cafe"
        with announced(Broker.of(url, {}), stage.screens, "en"):
            for number in range(20):
                stage.say(Do.NOTE, f"note {number}")
            publisher, seq = stage.screens.publisher, stage.view.seq
            until(lambda: publisher.editions(Audience.TABLE).newest.document["seq"] == seq)
            assert publisher.alive


def test_a_match_is_announced_as_it_goes(
    stage: Stage, mosquitto: Mosquitto, listen: Callable[[], Listener]
) -> None:
    broker = Broker.of(f"mqtt://127.0.0.1:{mosquitto.port}/cafe", {})
    listener = listen()
    with announced(broker, stage.screens, "en"):
        heard(listener, "cafe/phase", "The spin")
        stage.say(Do.ENTER, "spin 2 -")
        heard(listener, "cafe/verdict", "ruled")
        stage.say(Do.START)
        until(lambda: listener.heard["cafe/timer_end"].startswith("20"))
        stage.say(Do.STOP)
        heard(listener, "cafe/timer_end", "None")
        # What the screens hold back during a review is held back here too.
        stage.say(Do.REVIEW, reason="look")
        heard(listener, "cafe/review", "ON")
        stage.say(Do.ENTER, "raid - a")
        stage.say(Do.RESUME, reason="done")
        heard(listener, "cafe/review", "OFF")
        heard(listener, "cafe/phase", "The pay")
    heard(listener, HERE, "offline")
