"""Which broker is told, and under which name: what `--mqtt URL` says."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

#: Schemes, whether they are encrypted, and their usual port.
_SCHEMES = {"mqtt": (False, 1883), "mqtts": (True, 8883)}
#: Where user and password are looked for if the URL has none: others can't see them there.
USER, PASSWORD = "REFEREE_MQTT_USER", "REFEREE_MQTT_PASSWORD"
#: What a topic can't be part of, or is the broker's own.
_NO_TOPIC = re.compile(r"[+#\x00-\x1f\x7f]|^\$|//")
_HOST = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker, and the prefix of all topics there: one for each venue."""

    host: str
    port: int
    encrypted: bool
    prefix: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, url: str, environment: Mapping[str, str]) -> Broker:
        """The broker of a URL: `mqtt[s]://[USER[:PASSWORD]@]HOST[:PORT][/PREFIX]`.

        Without a prefix it is `referee/` with this computer's name. Raises ValueError saying what
        is wrong, without the URL: a password may stand in it.
        """
        parts = urlsplit(url)
        if parts.scheme not in _SCHEMES:
            raise ValueError("it must begin with mqtt:// or mqtts://")
        encrypted, usual = _SCHEMES[parts.scheme]
        try:
            port = usual if parts.port is None else parts.port
        except ValueError:
            raise ValueError("the port must be a number from 1 to 65535") from None
        if not parts.hostname or not port:
            raise ValueError("it names no host")
        if parts.query or parts.fragment:
            raise ValueError("nothing may follow the prefix; write ? and # as %3F and %23")
        prefix = unquote(parts.path).strip("/") or f"referee/{_own_name()}"
        if _NO_TOPIC.search(prefix):
            raise ValueError("the prefix can't have +, #, an empty part, or $ at its start")
        user = unquote(parts.username) if parts.username else environment.get(USER)
        password = unquote(parts.password) if parts.password else environment.get(PASSWORD)
        if password is not None and not user:
            raise ValueError("there is a password, but no user")
        return cls(parts.hostname, port, encrypted, prefix, user or None, password)

    @property
    def slug(self) -> str:
        """The prefix as a word: what tells two venues apart."""
        return _HOST.sub("_", self.prefix.lower()).strip("_") or "referee"


def _own_name() -> str:
    return _HOST.sub("-", socket.gethostname().partition(".")[0].lower()).strip("-") or "table"
