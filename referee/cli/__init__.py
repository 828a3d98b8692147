"""The command `referee`."""

from __future__ import annotations

from importlib import import_module

import click

#: Each command is the function of that name in the module of that name in this package.
COMMANDS = (
    "adopt",
    "box",
    "camera",
    "check",
    "demo",
    "doctor",
    "face",
    "judge",
    "kit",
    "lens",
    "match",
    "read",
    "run",
    "teach",
    "watch",
)


class _LazyGroup(click.Group):
    """Imports a command's module only when it is asked for: `--version` needs no OpenCV."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"{__name__}.{cmd_name}"), cmd_name)
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="table-referee", prog_name="referee")
def main() -> None:
    """Watches a board-game table through a camera and rules on what it sees."""
