"""Serves a match's page on this machine until it is stopped."""

from __future__ import annotations

import contextlib
import os
import socket

import click
import uvicorn
from fastapi import FastAPI

HOST = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """The port, taken before anything slow begins; one clear sentence if somebody else has it."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        # Elsewhere this would let two programs share a port rather than outlive a closed one.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise click.ClickException(
            f"Port {port} can't be used ({error.strerror}): "
            f"stop the program that uses it, or choose another one with --port."
        ) from None
    return listening


def serve(app: FastAPI, listening: socket.socket) -> None:
    """Serves until Ctrl-C."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
