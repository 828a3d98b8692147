"""Keeps a broker told of what the public screens show, for as long as it runs.

It reads what the publisher has made for the table screen, in a thread of its own, and tells only
what holds now: while the broker is away nothing queues up, and once it is back all is told anew.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from referee.mqtt.broker import Broker
from referee.mqtt.entities import OFFLINE, ONLINE, availability, discovery
from referee.mqtt.states import states

Json = dict[str, Any]

log = logging.getLogger(__name__)

#: Seconds of silence after which a broker is asked whether it is there; it then tells others of
#: our end, if it comes, after half as much more.
KEEPALIVE_S = 10
#: A connection that is not made by then is tried again (s).
CONNECT_S = 3.0
#: The shortest and the longest pause between two tries (s).
AGAIN_S = (1, 15)
#: How long the end waits for its last words to be sent (s).
GOODBYE_S = 1.0


class Announcer:
    """One broker and what it is told; `start` and `stop` return at once, broker or not."""

    def __init__(
        self,
        broker: Broker,
        shown: Callable[[], Json],
        language: str = "en",
        again_s: tuple[int, int] = AGAIN_S,
    ) -> None:
        """`shown` gives the newest document of the table screen; for any thread, at once."""
        self._broker, self._shown, self._language = broker, shown, language
        self._news = threading.Event()
        self._stopped = False
        self._connections = 0
        """How often the broker has let us in."""
        self._failing = False
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._client = client = paho.Client(CallbackAPIVersion.VERSION2)
        if broker.user is not None:
            client.username_pw_set(broker.user, broker.password)
        if broker.encrypted:
            client.tls_set()
        client.will_set(availability(broker), OFFLINE, qos=1, retain=True)
        client.reconnect_delay_set(*again_s)
        client.connect_timeout = CONNECT_S
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_connect_fail = self._unreachable

    def start(self) -> None:
        """Begins to look for the broker, and tells it as soon as it is there."""
        self._client.connect_async(self._broker.host, self._broker.port, KEEPALIVE_S)
        self._client.loop_start()
        self._thread.start()

    def news(self) -> None:
        """Something is shown that was not before; returns at once."""
        self._news.set()

    def stop(self) -> None:
        """Says good-bye if the broker is there."""
        self._stopped = True
        self._news.set()
        self._thread.join()
        if self._client.is_connected():
            last = self._client.publish(availability(self._broker), OFFLINE, qos=1, retain=True)
            try:
                last.wait_for_publish(GOODBYE_S)
            except (RuntimeError, ValueError) as error:
                log.info("The broker did not hear the end: %s", error)
        # Its thread is a daemon: one that just tries to connect needs no waiting for.
        self._client.disconnect()

    def _run(self) -> None:
        told: dict[str, str] = {}
        known = 0
        while True:
            self._news.wait()
            self._news.clear()
            if self._stopped:
                return
            connections = self._connections
            if not connections or not self._client.is_connected():
                continue
            if connections != known:
                # A broker that has forgotten everything is told everything.
                known, told = connections, {}
                self._tell(discovery(self._broker, self._language))
            try:
                now = states(self._shown(), self._language)
            except Exception:
                log.exception("What is shown could not be announced.")
                continue
            prefix = self._broker.prefix
            new = {topic: payload for topic, payload in now.items() if told.get(topic) != payload}
            self._tell({f"{prefix}/{topic}": payload for topic, payload in new.items()})
            if not told:
                # Who sees that we are here finds everything there already.
                self._tell({availability(self._broker): ONLINE})
            told = now

    def _tell(self, payloads: dict[str, str]) -> None:
        for topic, payload in payloads.items():
            # Not repeated by the client: after a break, what held before it must not come last.
            self._client.publish(topic, payload, qos=0, retain=True)

    def _connected(
        self, client: Any, data: Any, flags: Any, reason: ReasonCode, properties: Any
    ) -> None:
        if reason.is_failure:
            self._trouble(f"refuses: {reason}")
            return
        self._failing = False
        log.info("The broker %s is there.", self._broker.host)
        self._connections += 1
        self._news.set()

    def _disconnected(
        self, client: Any, data: Any, flags: Any, reason: ReasonCode, properties: Any
    ) -> None:
        if not self._stopped and reason.is_failure:
            self._trouble(f"is gone: {reason}")

    def _unreachable(self, client: Any, data: Any) -> None:
        self._trouble("can't be reached")

    def _trouble(self, what: str) -> None:
        """Said once until it is there again."""
        if not self._failing:
            log.warning("The broker %s %s; trying again for ever.", self._broker.host, what)
        self._failing = True
