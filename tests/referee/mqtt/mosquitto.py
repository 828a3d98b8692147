"""A real Mosquitto on a free port of this machine, and somebody who listens to it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

#: Seconds that anything may take.
PATIENCE_S = 15.0


def installed() -> str | None:
    """Debian has it where only root looks."""
    return shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def until(holds: Callable[[], object], what: str = "it") -> None:
    """Waits for something to become true."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.02)


class Mosquitto:
    """It keeps nothing over a restart."""

    def __init__(self, binary: str, folder: Path, password: str = "") -> None:
        self._binary, self._folder = binary, folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "user root"]
        if password:
            users = folder / "users"
            users.write_text(f"referee:{password}\n")
            users.chmod(0o600)
            subprocess.run([self._tool(), "-U", str(users)], check=True, capture_output=True)
            lines += ["allow_anonymous false", f"password_file {users}"]
        else:
            lines.append("allow_anonymous true")
        self._config = folder / "mosquitto.conf"
        self._config.write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def _tool(self) -> str:
        tool = shutil.which("mosquitto_passwd")
        assert tool is not None
        return tool

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._binary, "-c", str(self._config)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._listens, "the broker's start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _listens(self) -> bool:
        with socket.socket() as knock:
            return knock.connect_ex(("127.0.0.1", self.port)) == 0


class Listener:
    """Whoever hears everything that is told to a broker: the newest payload of each topic."""

    def __init__(self, port: int, topics: str = "#", user: str = "", password: str = "") -> None:
        self.heard: dict[str, str] = {}
        self.retained: set[str] = set()
        """Topics that the broker remembered for us."""
        self.there = False
        self._topics = topics
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_connect, self._client.on_message = self._connected, self._message
        self._client.on_subscribe = self._subscribed
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        until(lambda: self.there, "listening")

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: paho.Client, *_: Any) -> None:
        client.subscribe(self._topics)

    def _subscribed(self, *_: Any) -> None:
        self.there = True

    def _message(self, client: paho.Client, data: Any, message: paho.MQTTMessage) -> None:
        self.heard[message.topic] = message.payload.decode()
        if message.retain:
            self.retained.add(message.topic)
