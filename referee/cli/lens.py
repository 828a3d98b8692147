"""`referee lens`: a camera's lens from views of the calibration board."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from referee.cli.contract import error_json
from referee.kit.markers import charuco_board
from vision.camera import EndOfFramesError, Image, identity_of, is_live, open_source
from vision.errors import UnreadableError
from vision.plane.charuco import Views, calibrate, see_sheet
from vision.plane.lens_file import CameraLens


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE|PICTURES...")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("lens.json"),
    show_default=True,
    help="The file to write.",
)
@click.option(
    "--camera",
    metavar="KEY",
    help="Which camera took the pictures, as `referee camera list` names it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def lens(sources: tuple[str, ...], out: Path, camera: str | None, as_json: bool) -> None:
    """Calibrate a camera's lens with the sheet that `referee kit --charuco` prints.

    Hold the sheet into the picture of a camera: near, far, tilted to all sides, and in every part
    of the picture. A view is taken whenever it lies still; the command says what is missing and
    ends by itself. Or name pictures, or a folder of them, that one camera took at one resolution.
    The lens is kept with the camera's name and resolution: it holds for no other.
    """
    views = Views()
    try:
        if any(is_live(source) for source in sources):
            if len(sources) > 1:
                raise UnreadableError(
                    f"{len(sources)} sources were named.", "Name one camera, or pictures only."
                )
            camera = camera or identity_of(sources[0])
            _watch(sources[0], views, quiet=as_json)
        else:
            _gather(sources, views, quiet=as_json)
        found = calibrate(views.kept)
        made = CameraLens.of(found, camera)
        made.save(out)
    except UnreadableError as error:
        if as_json:
            click.echo(json.dumps(error_json(", ".join(sources), error.what, error.remedy)))
        else:
            click.echo(f"No lens: {error.what}\n-> {error.remedy}", err=True)
        sys.exit(1)
    told = {
        "file": str(out),
        "camera": camera,
        "size": list(found.size),
        "views": found.views,
        "error_px": round(found.error_px, 3),
        "focal_px": round(float(found.lens.matrix[0, 0]), 1),
        "focal_sigma": round(found.focal_sigma, 5),
    }
    if as_json:
        click.echo(json.dumps(told))
        return
    click.echo(
        f"{out}: the lens of {camera or 'the camera that took the pictures'} at "
        f"{found.size[0]} x {found.size[1]}, from {found.views} views in all parts of the "
        f"picture; corners are where it says to {found.error_px:.2f} pixels."
    )


def _gather(sources: tuple[str, ...], views: Views, *, quiet: bool) -> None:
    """Takes every picture that shows the sheet, and says why the others do not count."""
    for source in sources:
        for name, image in _pictures(source):
            try:
                taken = views.add(see_sheet(image, charuco_board()))
                told = "taken" if taken else "left out: too much like another one"
            except UnreadableError as error:
                told = f"left out: {error.what}"
            if not quiet:
                click.echo(f"{name}: {told}")


def _pictures(source: str) -> Iterator[tuple[str, Image]]:
    camera = open_source(source)
    try:
        while True:
            frame = camera.read()
            yield f"{source}, picture {frame.id + 1}", frame.image
    except EndOfFramesError:
        return
    finally:
        camera.close()


def _watch(source: str, views: Views, *, quiet: bool) -> None:
    """Takes views of a sheet that is held into a camera's picture, until there are enough."""
    camera = open_source(source)
    try:
        while views.missing:
            image = camera.read().image
            try:
                view = see_sheet(image, charuco_board())
            except UnreadableError:
                # Between two views the sheet is on its way.
                continue
            if views.add_if_still(view) and not quiet:
                wanted = "; ".join(views.missing) or "nothing more"
                click.echo(f"View {len(views.kept)} taken. Still needed: {wanted}.")
    finally:
        camera.close()
