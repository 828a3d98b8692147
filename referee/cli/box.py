"""`referee box`: the hourglass, buzzer and spinner at the end of a USB cable."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import click

from referee.box.box import Box
from referee.box.draw import Dial, draw_sector
from referee.box.driver import oddity
from referee.box.errors import BoxError
from referee.box.flash import SPEEDS, flash
from referee.box.happenings import Disconnected, StateLost, Told
from referee.box.ports import find_port, found_ports
from referee.box.protocol import Board, GlassEnded, Parts, Profile
from referee.box.results import Drawn, RunningGlass
from referee.cli.boxtest import walk

_PORT = click.option(
    "--port",
    metavar="PORT",
    help="Device, USB ids or serial number as `referee box list` shows them, or fake:// for a box "
    "in this program. Without it: the only board that is plugged in.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_BOARDS = {
    Board.ATMEGA328P: "ATmega328P",
    Board.HOST_BUILD: "firmware built for this computer",
    Board.FAKE: "a box in this program, not a real one",
}


@click.group()
def box() -> None:
    """Try, test or flash the box: hourglass, buzzer and spinner.

    All works without a box too, entered by hand; `--port fake://` shows what a box would do.
    """


@box.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line for each port.")
def list_ports(as_json: bool) -> None:
    """List the USB ports that may be the box; opens none.

    The first word of a line is what `--port` takes. The exit code is 1 if there is none.
    """
    found = found_ports()
    for each in found:
        told = {"port": each.spec, "device": each.device, "name": each.name}
        told["usb"] = f"{each.vid:04x}:{each.pid:04x}"
        line = f"{each.spec}\n    {each.name} ({told['usb']}), now at {each.device}"
        click.echo(json.dumps(told) if as_json else line)
    if not found:
        if not as_json:
            click.echo(
                "No box found. Plug it in with a USB cable that carries data. "
                "To try all without a box, take --port fake://"
            )
        sys.exit(1)


@box.command()
@_PORT
@_JSON
def hello(port: str | None, as_json: bool) -> None:
    """Greet the box: who it is, whether its firmware is the right one, how its clock runs."""
    with _connected(port, as_json) as opened:
        told = opened.hello
        assert told is not None
        _say(as_json, "Measuring its clock (3 s)")
        ppm = opened.measure_clock()
        trip = opened.quickest_trip
        warning = oddity(told)
        answer = {
            "device": opened.device,
            "board": told.board.name,
            "protocol": told.protocol,
            "firmware": f"{told.source_hash:08x}",
            "warning": warning or None,
            "boot": told.boot_id,
            "started_by": told.reset_cause.name,
            "uptime_s": told.uptime_ms / 1000,
            "clock_ppm": ppm,
            "round_trip_ms": None if trip is None else round(max(trip, 0.0) * 1000, 2),
        }
    if as_json:
        click.echo(json.dumps(answer))
        return
    click.echo(f"{answer['device']}: {_BOARDS[told.board]}")
    click.echo(f"firmware {answer['firmware']}, protocol {told.protocol}")
    cause = told.reset_cause.name.lower().replace("_", " ")
    click.echo(f"running for {told.uptime_ms / 1000:.0f} s, started by {cause}")
    click.echo(f"its clock is {ppm or 0:+d} ppm off, which is allowed for")
    if warning:
        click.echo(f"warning: {warning}")


@box.command()
@click.option("--sector", type=int, help="Turn to this sector, from 0, instead of drawing one.")
@click.option("--edition", default="kit", show_default=True, help="Whose dial it is.")
@click.option("--turns", type=click.IntRange(1, 10), default=3, show_default=True)
@_PORT
@_JSON
def spin(sector: int | None, edition: str, turns: int, port: str | None, as_json: bool) -> None:
    """Draw a sector of the edition's dial, and turn the arrow to it.

    The draw is the system's, written down before the arrow moves. What the arrow really points to
    is what counts: look at it.
    """
    from referee.games.tumult_royale import load_edition

    try:
        dial = Dial.equal(load_edition(edition).spinner)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if sector is not None and not 0 <= sector < len(dial):
        raise click.UsageError(f"The dial has sectors 0 to {len(dial) - 1}.")
    with _connected(port, as_json) as opened:
        how = "drawn" if sector is None else "asked"
        sector = draw_sector(dial) if sector is None else sector
        drawn = Drawn(sector, dial.labels[sector])
        _told(as_json, {how: drawn.sector, "label": drawn.label}, f"{how}: {drawn.label}")
        _say(as_json, "The arrow turns")
        result = opened.spin(dial, sector, turns=turns, profile=Profile.LONG)
    _told(
        as_json,
        {"believed": result.sector, "label": result.label, "steps_lost": result.steps_lost},
        f"The motor believes that the arrow points to {result.label}"
        + (f" ({result.steps_lost} steps were lost, and made up for)" if result.steps_lost else "")
        + ". What counts is what it points to.",
    )


@box.command()
@click.argument("seconds", type=click.FloatRange(0.1, 1800))
@click.option(
    "--warn", type=click.IntRange(0, 30), default=3, show_default=True, help="Last ticks."
)
@click.option("--volume", type=click.IntRange(1, 4), default=3, show_default=True)
@_PORT
@_JSON
def glass(seconds: float, warn: int, volume: int, port: str | None, as_json: bool) -> None:
    """Run an hourglass of so many SECONDS. Ctrl-C stops it.

    If the cable is pulled it runs on and sounds; this command waits and takes it up again.
    """
    with _connected(port, as_json) as opened, opened.events() as inbox:
        _say(as_json, "Measuring the box's clock (3 s)")
        opened.measure_clock()
        running = opened.hourglass(seconds, warn_s=warn, volume=volume)
        _told(as_json, {"started": running.glass_id, "seconds": seconds}, "The sand runs")
        try:
            ended = _wait_for_end(opened, inbox.get, running, as_json)
        except KeyboardInterrupt:
            opened.cancel(Parts.GLASS)
            _told(as_json, {"cancelled": running.glass_id}, "Stopped")
            sys.exit(130)
    lasted = ended.at - (running.ends_at - seconds)
    interrupted = isinstance(ended.event, GlassEnded) and ended.event.interrupted
    _told(
        as_json,
        {"ended": running.glass_id, "lasted_s": round(lasted, 3), "interrupted": interrupted},
        f"Ended after {lasted:.3f} s"
        + (": the box was reset meanwhile, so up to two seconds off" if interrupted else ""),
    )


@box.command()
@_PORT
@_JSON
def test(port: str | None, as_json: bool) -> None:
    """Try each output and button with a person who looks, listens and presses."""
    with _connected(port, as_json) as opened:
        results = list(walk(opened))
    wrong = [name for name, ok in results if not ok]
    _told(
        as_json,
        {"ok": not wrong, "parts": dict(results)},
        f"Not right: {', '.join(wrong)}. See the wiring in firmware/README.md."
        if wrong
        else "All is right.",
    )
    if wrong:
        sys.exit(1)


@box.command("flash")
@click.option("--speed", type=int, help="Of the bootloader, in baud. Without it: all known ones.")
@_PORT
@_JSON
def flash_box(speed: int | None, port: str | None, as_json: bool) -> None:
    """Write the firmware that belongs to this program to the box, and greet it.

    Needs the program avrdude. A capacitor at RST must be out meanwhile.
    """
    with _explained(as_json):
        device = find_port(port)
        if "://" in device:
            raise click.UsageError("Only a real board can be flashed.")
        speeds = SPEEDS if speed is None else (speed,)
        speed = flash(device, speeds, say=lambda line: _say(as_json, line))
    with _connected(device, as_json) as opened:
        told = opened.hello
        assert told is not None
        right = not oddity(told)
    _told(
        as_json,
        {"device": device, "speed": speed, "firmware": f"{told.source_hash:08x}", "ok": right},
        f"Flashed, and it answers: firmware {told.source_hash:08x}.",
    )
    if not right:
        sys.exit(1)


def _wait_for_end(
    opened: Box, get: Callable[[float], object], running: RunningGlass, as_json: bool
) -> Told:
    """Shows what is left until the end is told, by this link or by the next one."""
    length = round(running.seconds * 10)
    shown = io.StringIO() if as_json else sys.stderr
    with click.progressbar(length=length, show_eta=False, show_percent=False, file=shown) as bar:
        while True:
            happening = get(0.1)
            seconds = max(running.ends_at - time.monotonic(), 0.0)
            bar.label = f"{seconds:4.0f} s left"
            bar.update(max(length - round(seconds * 10) - bar.pos, 0))
            match happening:
                case Told(GlassEnded(glass_id=ended)) if ended == running.glass_id:
                    return happening
                case Disconnected(error):
                    _say(as_json, f"{error} The hourglass runs on.")
                case StateLost() if opened.glass() is None:
                    raise BoxError("The box was switched off.", "Start the hourglass again.")


@contextlib.contextmanager
def _connected(port: str | None, as_json: bool) -> Iterator[Box]:
    """A connected box; a BoxError within ends the command, and is told."""
    with _explained(as_json), Box(port) as opened:
        yield opened


@contextlib.contextmanager
def _explained(as_json: bool) -> Iterator[None]:
    try:
        yield
    except BoxError as error:
        if as_json:
            click.echo(json.dumps({"error": error.what, "remedy": error.remedy}))
        else:
            click.echo(f"{error.what}\n-> {error.remedy}", err=True)
        sys.exit(1)


def _told(as_json: bool, answer: dict[str, Any], line: str) -> None:
    click.echo(json.dumps(answer) if as_json else line)


def _say(as_json: bool, line: str) -> None:
    """Tells a person what is going on; not part of the answer."""
    if not as_json:
        click.echo(line, err=True)
