"""How a server can be reached: by which names, from where, and who sits at its own computer."""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections.abc import Iterable
from dataclasses import dataclass

import ifaddr
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Scope

#: Names by which this computer calls itself.
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
#: A request with one of these, or with any X-Forwarded header, was handed on by another program:
#: it may come from anywhere.
_HANDED_ON = frozenset({"forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip"})
_PREFIX = "x-forwarded-"
#: The network is asked for this computer's name for so long (s).
NAMING_S = 1.0
#: What a Host header may be: a name or an address, and a port.
_HOST = re.compile(
    r"(?:(?P<name>[\w.-]+)|\[(?P<six>[0-9a-fA-F:.]+)\])(?::(?P<port>[0-9]{1,5}))?", re.A
)


@dataclass(frozen=True)
class Reach:
    """Where the server listens.

    port: Its port.
    lan: Whether others on the network may see the public screens.
    addresses: This computer's addresses on the network, the likeliest first.
    names: Its names there.
    """

    port: int = 8000
    lan: bool = False
    addresses: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @classmethod
    def network(cls, port: int) -> Reach:
        """A server that others on the network may use, under all of this computer's addresses."""
        return cls(port, lan=True, addresses=tuple(_addresses()), names=tuple(_names()))

    def links(self, path: str = "/") -> list[str]:
        """Where others on the network find a page: addresses first, which every tablet can open."""
        return [f"http://{name}:{self.port}{path}" for name in (*self.addresses, *self.names)]

    def answers(self, scope: Scope) -> bool:
        """Whether a request asks for this computer by a name of its own.

        A page from elsewhere whose name was made to point here asks for its own name.
        """
        host = host_of(Headers(scope=scope))
        if not host:
            return False
        if host in LOOPBACK or host in self.names or host in self.addresses:
            return True
        # The address of a network that was joined since the start: that on which this came in.
        server = scope.get("server")
        return self.lan and server is not None and host == server[0] and _address(host) is not None


def host_of(headers: Headers) -> str:
    """The name that is asked for, in lower case, without its port; empty if there is none."""
    return (_asked(headers) or ("", None))[0]


def port_of(headers: Headers) -> int | None:
    """The port that is asked for; None if it is not named."""
    return (_asked(headers) or ("", None))[1]


def _asked(headers: Headers) -> tuple[str, int | None] | None:
    """The name and the port that are asked for; None if it is not exactly these."""
    found = _HOST.fullmatch(headers.get("host", ""))
    if found is None:
        return None
    port = None if found["port"] is None else int(found["port"])
    if port is not None and port > 65535:
        return None
    return (found["name"] or found["six"]).lower().rstrip("."), port


def address_of(connection: HTTPConnection) -> str:
    """The address at the other end of the connection; one network of IPv6 counts as one."""
    if connection.client is None:
        return ""
    address = _address(connection.client.host)
    if address is None:
        return connection.client.host
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


def at_own_computer(connection: HTTPConnection) -> bool:
    """Whether somebody sits at the computer that the server runs on.

    Not so if another program handed the request on, as far as it says so: HTTP/1.0 is what such
    programs speak, and no browser.
    """
    address = None if connection.client is None else _address(connection.client.host)
    if address is None or not address.is_loopback:
        return False
    if connection.scope.get("http_version") == "1.0" or handed_on(connection.headers):
        return False
    return host_of(connection.headers) in LOOPBACK


def handed_on(headers: Headers) -> bool:
    """Whether another program says that it handed this request on."""
    return any(name in _HANDED_ON or name.startswith(_PREFIX) for name in headers)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, of IPv4 if it is one in the clothes of IPv6; None if it is none."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _addresses() -> Iterable[str]:
    """IPv4 addresses of this computer, home and office networks before others."""
    found = {
        ipaddress.IPv4Address(each.ip)
        for adapter in ifaddr.get_adapters()
        for each in adapter.ips
        if isinstance(each.ip, str)
    }
    usable = [each for each in found if not each.is_loopback and not each.is_link_local]
    way_out = _way_out()
    for each in sorted(usable, key=lambda each: (str(each) != way_out, not each.is_private, each)):
        yield str(each)


def _way_out() -> str:
    """The address that this computer uses to reach others; empty if it knows no way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            # Nothing is sent: only the way is looked up. The address is one kept for documents.
            asking.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(asking.getsockname()[0])


def _names() -> Iterable[str]:
    """What this computer is called: with `.local`, as it calls itself, as its network does."""
    name = _plain(socket.gethostname())
    short = name.partition(".")[0]
    yield from dict.fromkeys(
        each
        for each in (f"{short}.local", name, short, _plain(_asked_of_network()))
        if short and each and each.partition(".")[0] not in LOOPBACK
    )


def _plain(name: str) -> str:
    return name.lower().rstrip(".")


def _asked_of_network() -> str:
    """Such as `name.fritz.box`; empty if the network does not say so at once."""
    told: list[str] = []
    asking = threading.Thread(target=lambda: told.append(socket.getfqdn()), daemon=True)
    asking.start()
    asking.join(NAMING_S)
    return told[0] if told else ""
