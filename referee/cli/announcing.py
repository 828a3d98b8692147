"""`--mqtt`: what the public screens show is announced to a broker."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import click

from referee.mqtt.broker import PASSWORD, USER, Broker
from referee.web.publish import Audience
from referee.web.screens import Screens
from referee.words import LANGUAGES


def _broker(context: click.Context, option: click.Parameter, url: str | None) -> Broker | None:
    if not url:
        return None
    try:
        return Broker.of(url, os.environ)
    except ValueError as error:
        # The value itself is not shown: a password may stand in it.
        raise click.BadParameter(f"That is no broker's address: {error}.") from None


mqtt_option = click.option(
    "--mqtt",
    metavar="URL",
    envvar="REFEREE_MQTT",
    callback=_broker,
    help="Announce phase, verdict and timer to a broker, with Home Assistant's discovery: "
    f"mqtt[s]://HOST[:PORT][/PREFIX]. User and password in ${USER} and ${PASSWORD}.",
)


@contextlib.contextmanager
def announced(broker: Broker | None, screens: Screens, language: str) -> Iterator[None]:
    """Announces what the screens show until the end; nothing without a broker.

    `language` is that of the phases and sentences; empty for the first one.
    """
    if broker is None:
        yield
        return
    # Needs a library that most starts do without.
    from referee.mqtt.announcer import Announcer

    editions = screens.publisher.editions(Audience.TABLE)
    announcer = Announcer(broker, lambda: editions.newest.document, language or LANGUAGES[0])
    screens.publisher.on_news(announcer.news)
    announcer.start()
    try:
        yield
    finally:
        announcer.stop()
