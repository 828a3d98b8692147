"""`referee camera`: which cameras are there, what they can, and whether one is fit for a match."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from referee.cli.contract import error_json
from vision.camera import Camera, Frame, Held, Live, Settings, found_cameras, open_source
from vision.camera.v4l2 import V4l2
from vision.errors import UnreadableError
from vision.fitness import Complaint, complaints

#: So many pictures a camera may need to settle: half a minute at 30 a second.
_MOST_PICTURES = 900
_WORDS = {
    "mains": "mains frequency",
    "auto_exposure": "automatic exposure",
    "exposure": "exposure",
    "gain": "gain",
    "auto_white_balance": "automatic white balance",
    "white_balance": "white balance",
    "auto_focus": "automatic focus",
    "focus": "focus",
}


@click.group()
def camera() -> None:
    """List cameras, or check one before a match."""


@camera.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line for each camera.")
def list_cameras(as_json: bool) -> None:
    """List the cameras by names that stay after a restart or another plug.

    A camera is named by its serial number, or by its USB port if it has none. `SPEC` is what every
    command takes. The exit code is 1 if there is none.
    """
    found = found_cameras()
    for each in found:
        dials = V4l2(each.device) if each.device is not None else None
        told: dict[str, Any] = {
            "spec": each.spec,
            "name": each.name,
            "number": each.place,
            "stable": bool(each.keys),
            "formats": dials.formats() if dials else None,
            "settings": list(dials.names()) if dials else None,
        }
        click.echo(json.dumps(told) if as_json else "\n".join(_lines(told)))
    if not found:
        if not as_json:
            click.echo(
                "No camera found. Plug in a USB camera, and close other programs that use it."
            )
        sys.exit(1)


@camera.command()
@click.argument("source")
@click.option(
    "--mains",
    type=click.Choice(["50", "60"]),
    help="Frequency of the lamps' flicker in Hz: 50 in most of the world, 60 in the Americas.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def check(source: str, mains: str | None, as_json: bool) -> None:
    """Let a camera settle, hold its settings, and say whether its picture is fit to be read.

    SOURCE is a camera of `referee camera list`, an address, or a picture. The exit code is 1 if
    there is no picture, or something is wrong with it.
    """
    try:
        opened = open_source(source, settings=Settings(mains=None if mains is None else int(mains)))
        try:
            frame = _settled(opened)
        finally:
            opened.close()
    except UnreadableError as error:
        if as_json:
            click.echo(json.dumps(error_json(source, error.what, error.remedy)))
        else:
            click.echo(f"{error.what}\n-> {error.remedy}", err=True)
        sys.exit(1)
    report = opened.report if isinstance(opened, Live) else ()
    wrong = complaints(frame.image)
    if as_json:
        click.echo(json.dumps(_check_json(source, frame, report, wrong)))
    else:
        click.echo("\n".join(_check_lines(source, frame, report, wrong)))
    if wrong:
        sys.exit(1)


def _settled(source: Camera) -> Frame:
    """A picture after all has settled."""
    frame = source.read()
    for _ in range(_MOST_PICTURES):
        if not isinstance(source, Live) or source.settled:
            break
        frame = source.read()
    return frame


def _lines(told: dict[str, Any]) -> list[str]:
    lines = [told["spec"], f"    {told['name']}, now number {told['number']}"]
    if not told["stable"]:
        lines.append("    this system tells nothing of it that stays: its number may change")
    if told["formats"]:
        lines.append(f"    sends {', '.join(told['formats'])}")
    if told["settings"] is not None:
        can = [_WORDS[name] for name in _WORDS if name in told["settings"]]
        lines.append(f"    can set {', '.join(can) or 'nothing'}")
    return lines


def _check_json(
    source: str, frame: Frame, report: tuple[Held, ...], wrong: tuple[Complaint, ...]
) -> dict[str, Any]:
    height, width = frame.image.shape[:2]
    return {
        "source": source,
        "width": width,
        "height": height,
        "settings": [
            {"name": each.name, "asked": each.asked, "got": each.got, "held": each.held}
            for each in report
        ],
        "fit": not wrong,
        "complaints": [
            {"flaw": each.flaw.value, "zone": each.zone, "what": each.what, "remedy": each.remedy}
            for each in wrong
        ],
    }


def _check_lines(
    source: str, frame: Frame, report: tuple[Held, ...], wrong: tuple[Complaint, ...]
) -> list[str]:
    height, width = frame.image.shape[:2]
    lines = [f"{source}: {width} x {height}"]
    for each in report:
        got = "the camera has no such setting" if each.got is None else f"it stands at {each.got}"
        state = f"holds at {each.got}" if each.held else f"asked {each.asked}, but {got}"
        lines.append(f"  {_WORDS.get(each.name, each.name)}: {state}")
    if not wrong:
        lines.append("  The picture is fit to be read.")
    for complaint in wrong:
        lines += [f"  {complaint.what}", f"  -> {complaint.remedy}"]
    return lines
