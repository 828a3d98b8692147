"""`referee demo`: what it says when it can't start."""

from __future__ import annotations

import socket

from click.testing import CliRunner

from referee.cli import main


def test_a_port_in_use_is_one_clear_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["demo", "--port", str(port)])
    assert result.exit_code == 1
    assert f"Port {port} can't be used" in result.output
    assert "--port" in result.output
    assert "Traceback" not in result.output


def test_too_many_players() -> None:
    result = CliRunner().invoke(main, ["demo", "--players", "5"])
    assert result.exit_code == 2
