"""By which names a server answers, and who sits at its own computer."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from referee.web.reach import Reach, address_of, at_own_computer, host_of, port_of

LAN = Reach(8000, lan=True, addresses=("192.168.1.5", "10.0.0.7"), names=("table.local", "table"))


def asked(
    host: str, peer: str = "192.168.1.9", server: str = "192.168.1.5", **more: Any
) -> dict[str, Any]:
    headers = [(b"host", host.encode()), *more.pop("headers", ())]
    return {
        "type": "http",
        "headers": headers,
        "client": (peer, 1),
        "server": (server, 8000),
        **more,
    }


@pytest.mark.parametrize(
    ("host", "name", "port"),
    [
        ("table.local", "table.local", None),
        ("Table.Local.:8000", "table.local", 8000),
        ("192.168.1.5:80", "192.168.1.5", 80),
        ("[::1]:8000", "::1", 8000),
        ("[::1]", "::1", None),
        ("", "", None),
        ("a b", "", None),
        ("user@host", "", None),
        ("host:65536", "", None),
        ("host:", "", None),
        ("host/path", "", None),
        ("[::1", "", None),
        ("h\u00f6st", "", None),
    ],
)
def test_a_host_is_a_name_and_a_port(host: str, name: str, port: int | None) -> None:
    headers = Headers({"host": host})
    assert host_of(headers) == name
    assert port_of(headers) == port


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("192.168.1.5:8000", True),
        ("10.0.0.7:8000", True),
        ("table.local:8000", True),
        ("TABLE", True),
        ("localhost:8000", True),
        ("192.168.1.6:8000", False),
        ("evil.example:8000", False),
        ("table.local.evil.example", False),
        ("", False),
    ],
)
def test_it_answers_to_its_own_names_alone(host: str, answered: bool) -> None:
    assert LAN.answers(asked(host)) is answered


def test_it_answers_to_the_address_of_a_network_that_was_joined_later() -> None:
    assert LAN.answers(asked("172.16.3.4:8000", server="172.16.3.4"))
    assert not LAN.answers(asked("evil.example", server="evil.example"))
    assert not Reach(8000).answers(asked("172.16.3.4:8000", server="172.16.3.4"))


def test_without_a_network_only_this_computer_is_named() -> None:
    alone = Reach(8000)
    assert alone.links() == []
    assert alone.answers(asked("127.0.0.1:8000", "127.0.0.1", "127.0.0.1"))
    assert not alone.answers(asked("table.local:8000", "127.0.0.1", "127.0.0.1"))


def test_addresses_are_told_before_names() -> None:
    assert LAN.links("/kit") == [
        "http://192.168.1.5:8000/kit",
        "http://10.0.0.7:8000/kit",
        "http://table.local:8000/kit",
        "http://table:8000/kit",
    ]


def test_the_network_of_this_machine() -> None:
    found = Reach.network(8123)
    assert found.lan
    assert found.port == 8123
    assert not [each for each in found.addresses if each.startswith(("127.", "169.254."))]
    assert "localhost" not in found.names
    assert all(name == name.lower() for name in found.names)


@pytest.mark.parametrize(
    ("peer", "host", "more", "own"),
    [
        ("127.0.0.1", "127.0.0.1:8000", {}, True),
        ("127.8.9.1", "localhost", {}, True),
        ("::1", "[::1]:8000", {}, True),
        ("::ffff:127.0.0.1", "localhost:8000", {}, True),
        ("192.168.1.9", "127.0.0.1:8000", {}, False),
        ("127.0.0.1", "192.168.1.5:8000", {}, False),
        ("127.0.0.1", "localhost", {"http_version": "1.0"}, False),
        ("127.0.0.1", "localhost", {"headers": [(b"x-forwarded-for", b"127.0.0.1")]}, False),
        ("127.0.0.1", "localhost", {"headers": [(b"x-forwarded-host", b"x")]}, False),
        ("127.0.0.1", "localhost", {"headers": [(b"forwarded", b"for=1.2.3.4")]}, False),
        ("127.0.0.1", "localhost", {"headers": [(b"via", b"1.1 proxy")]}, False),
        ("127.0.0.1", "localhost", {"headers": [(b"x-real-ip", b"127.0.0.1")]}, False),
        ("unix", "localhost", {}, False),
    ],
)
def test_who_sits_at_the_own_computer(
    peer: str, host: str, more: dict[str, Any], own: bool
) -> None:
    assert at_own_computer(HTTPConnection(asked(host, peer, **more))) is own


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("192.168.1.9", "192.168.1.9"),
        ("::ffff:192.168.1.9", "192.168.1.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("::1", "::"),
        ("unix", "unix"),
    ],
)
def test_one_network_of_ipv6_counts_as_one_address(peer: str, address: str) -> None:
    assert address_of(HTTPConnection(asked("localhost", peer))) == address
