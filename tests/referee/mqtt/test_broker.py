"""Which broker a URL means."""

from __future__ import annotations

import socket

import click
import pytest
from click.testing import CliRunner

from referee.cli.announcing import mqtt_option
from referee.mqtt.broker import Broker


def test_a_url_names_the_broker() -> None:
    broker = Broker.of("mqtts://ann:s%2Fcret@broker.example/Caf%C3%A9/table%202", {})
    assert (broker.host, broker.port, broker.encrypted) == ("broker.example", 8883, True)
    assert (broker.user, broker.password) == ("ann", "s/cret")
    assert broker.prefix == "Café/table 2"
    assert broker.slug == "caf_table_2"


def test_without_more_it_is_this_computer_at_the_usual_port(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Café-PC.fritz.box")
    broker = Broker.of("mqtt://10.0.0.2", {})
    assert (broker.port, broker.prefix, broker.user) == (1883, "referee/caf-pc", None)


def test_a_password_is_found_in_the_environment_and_never_shown() -> None:
    environment = {"REFEREE_MQTT_USER": "ann", "REFEREE_MQTT_PASSWORD": "hidden"}
    broker = Broker.of("mqtt://host", environment)
    assert (broker.user, broker.password) == ("ann", "hidden")
    assert "hidden" not in repr(broker)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://host", "must begin with mqtt"),
        ("mqtt://", "names no host"),
        ("mqtt://host:99999", "from 1 to 65535"),
        ("mqtt://host/a/+", "prefix"),
        ("mqtt://host/a//b", "prefix"),
        ("mqtt://host/$SYS", "prefix"),
        ("mqtt://host/a?b", "may follow"),
        ("mqtt://:secret@host", "no user"),
    ],
)
def test_a_wrong_one_says_what_is_wrong_without_repeating_it(url: str, says: str) -> None:
    @click.command()
    @mqtt_option
    def command(mqtt: Broker | None) -> None:
        raise AssertionError

    told = CliRunner().invoke(command, ["--mqtt", url])
    assert told.exit_code == 2
    assert says in told.output
    assert "secret" not in told.output


def test_without_it_nothing_is_announced() -> None:
    @click.command()
    @mqtt_option
    def command(mqtt: Broker | None) -> None:
        click.echo(repr(mqtt))

    assert CliRunner().invoke(command, [], env={"REFEREE_MQTT": ""}).output == "None\n"
