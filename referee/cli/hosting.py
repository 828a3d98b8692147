"""Serves the pages until somebody stops it: on this computer alone, or to its network."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import click
import uvicorn
from fastapi import FastAPI

from referee.web.app import create_app
from referee.web.logs import written
from referee.web.pin import Pin, new_pin
from referee.web.reach import Reach
from referee.web.sessions import Sessions
from referee.web.setup.settings import NETWORK, Settings
from referee.web.site import Site

#: Where the server listens: on this computer alone, and to everybody who reaches it.
OWN, EVERYBODY = "127.0.0.1", "0.0.0.0"
#: The longest message of a WebSocket (bytes), and so many connections of all kinds.
MOST_MESSAGE, MOST_CONNECTIONS = 4096, 1000

_OPTIONS = (
    click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True),
    click.option(
        "--lan/--no-lan",
        default=None,
        help="Let others on the network see the public screens, and join by a code. Without "
        "either: as it was set up, else not.",
    ),
    click.option(
        "--pin",
        envvar="REFEREE_PIN",
        metavar="PIN",
        help="The judge's PIN, at least 6 characters; better in $REFEREE_PIN, which others on this "
        "computer can't see. Without it: a new one each time.",
    ),
    click.option("--log-json", is_flag=True, help="Write the log as JSON, one line an event."),
)


@dataclass(frozen=True)
class Serving:
    """What `serving_options` ask for, each under its option's name."""

    port: int
    lan: bool | None
    pin: str | None
    log_json: bool

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Serving:
        """Takes its options out of all that were given to a command."""
        return cls(**{name: options.pop(name) for name in ("port", "lan", "pin", "log_json")})

    def as_set_up(self, settings: Settings) -> Serving:
        """With what was set up where nothing else is asked for."""
        return self if self.lan is not None else replace(self, lan=settings.watchers == NETWORK)


def serving_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of `Serving`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@contextlib.contextmanager
def hosting(serving: Serving) -> Iterator[Server]:
    """A server until the end, and a log of what happens; raises as `Server` does."""
    with written(as_json=serving.log_json), contextlib.closing(Server(serving)) as server:
        yield server


class Server:
    """A port that is taken before anything slow begins, and who may use it."""

    def __init__(self, serving: Serving) -> None:
        """Raises ClickException, in one sentence, if the port or the PIN can't be used."""
        self._pin = new_pin() if serving.pin is None else ""
        try:
            self.sessions = Sessions(Pin(serving.pin or self._pin))
        except ValueError as error:
            raise click.ClickException(str(error)) from None
        self.reach = Reach.network(serving.port) if serving.lan else Reach(serving.port)
        self._listening = listen(serving.port, EVERYBODY if serving.lan else OWN)

    def close(self) -> None:
        """Gives the port back."""
        self._listening.close()

    def serve(self, site: Site) -> None:
        """Says where the pages are, and serves them until Ctrl-C.

        Raises ValueError unless the site has this server's sessions and reach.
        """
        if site.sessions is not self.sessions or site.reach is not self.reach:
            raise ValueError("the site must have the server's sessions and reach")
        app = create_app(site)
        for line in self._told(site):
            click.echo(line)
        server = uvicorn.Server(config(app))
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[self._listening])

    def _told(self, site: Site) -> list[str]:
        told = [f"On this computer:  http://{OWN}:{self.reach.port}/"]
        if self.reach.lan:
            links = self.reach.links() or ["no network was found"]
            told.append(f"On the network:    {links[0]}")
            # Many tablets can't find a computer by its name.
            told += [f"                   {link}" for link in links[1:]]
            told += [f"Players join with  {link}" for link in site.join_links()[:1]]
        chosen = f"is {self._pin}" if self._pin else "is the one that was chosen"
        return [*told, f"The judge's PIN {chosen}. Stop with Ctrl-C."]


def listen(port: int, host: str = OWN) -> socket.socket:
    """The port; one clear sentence if somebody else has it."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        # Elsewhere this would let two programs share a port rather than outlive a closed one.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # Before that, another program could take it too.
        listening.listen()
    except OSError as error:
        listening.close()
        raise click.ClickException(
            f"Port {port} can't be used ({error.strerror}): "
            f"stop the program that uses it, or choose another one with --port."
        ) from None
    return listening


def config(app: FastAPI) -> uvicorn.Config:
    """How it is served: whoever connects is who they are, whatever they say of others."""
    return uvicorn.Config(
        app,
        access_log=False,
        limit_concurrency=MOST_CONNECTIONS,
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        ws="websockets-sansio",
        ws_max_size=MOST_MESSAGE,
        # Pictures don't get smaller by it, and documents would be packed anew for each client.
        ws_per_message_deflate=False,
        # They have a heartbeat of their own.
        ws_ping_interval=None,
    )
