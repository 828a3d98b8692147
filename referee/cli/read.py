"""`referee read`: what lies on a table, from photographs."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from referee.cli.books import KIT, open_book
from referee.cli.contract import error_json, observation_json, summary
from referee.cli.inputs import Corners, Size, target_files
from referee.cli.kitset import Players, is_kit, kit_layout
from referee.cli.layouts import load_layout
from referee.games.tumult_royale import COLOURS, Colour
from vision.camera import load_image, save_image
from vision.draw import annotate
from vision.errors import UnreadableError
from vision.faces import FaceBook
from vision.layout import Layout
from vision.observation import Observation
from vision.plane import plane_from_corners
from vision.reader import TableReader

#: A tile's shape may differ from that of its face by this factor: sizes are typed in whole mm.
SHAPE_SLACK = 1.15


@click.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--book",
    "book_spec",
    metavar="FILE",
    default=KIT,
    help=f"Faces that `referee teach` wrote, or {KIT!r} for those of the kit.",
    show_default=True,
)
@click.option(
    "--corners",
    type=Corners(),
    help="The plane's four corners in pixels, clockwise from the top left, if it has no markers.",
)
@click.option("--plane-mm", type=Size(), help="Size of the plane, between its corners.")
@click.option("--tile-mm", type=Size(), help="Size of a tile; the kit's are 35x35.")
@click.option(
    "--layout",
    "layout_file",
    type=click.Path(path_type=Path),
    help="A table of your own: a TOML file with the fields of vision.layout.Layout.",
)
@click.option(
    "--players",
    type=Players(),
    default=",".join(COLOURS),
    show_default=True,
    help="Who plays at a kit table.",
)
@click.option(
    "--draw",
    "out",
    type=click.Path(path_type=Path),
    help="Also write the annotated picture; for several images the name of a folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line for each image.")
def read(
    images: tuple[Path, ...],
    book_spec: str,
    corners: NDArray[np.float32] | None,
    plane_mm: tuple[float, float] | None,
    tile_mm: tuple[float, float] | None,
    layout_file: Path | None,
    players: tuple[Colour, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Read the tiles and pieces on photographs of a table.

    Without options the pictures show a table of the kit with its markers. Your own tiles need
    --book and --tile-mm, and either the kit's corner markers or --corners with --plane-mm.
    Pixels count in the picture as it is seen, x to the right and y down. If one picture can't be
    read, the others still are, and the exit code is 1.
    """
    try:
        book = open_book(book_spec)
        layout = (
            load_layout(layout_file)
            if layout_file is not None
            else _layout(book, players, corners is not None, plane_mm, tile_mm)
        )
        if plane_mm is not None:
            layout = replace(layout, size=plane_mm)
        if tile_mm is not None:
            layout = replace(layout, tile=tile_mm)
        _check_shape(book, layout)
        reader = TableReader(layout, book)
        targets = [None] * len(images) if out is None else target_files(out, images)
    except UnreadableError as error:
        for image in images:
            _complain(image, error, as_json)
        sys.exit(1)
    failed = False
    for number, (image, target) in enumerate(zip(images, targets, strict=True)):
        try:
            picture = load_image(image)
            observation = _observe(reader, picture, number, corners)
            if target is not None:
                save_image(target, annotate(picture, observation))
        except UnreadableError as error:
            _complain(image, error, as_json)
            failed = True
            continue
        if as_json:
            click.echo(json.dumps({"image": str(image), **observation_json(observation)}))
        else:
            found, *details = summary(observation)
            click.echo("\n".join([f"{image}: {found}", *details]))
    if failed:
        sys.exit(1)


def _observe(
    reader: TableReader,
    picture: NDArray[np.uint8],
    number: int,
    corners: NDArray[np.float32] | None,
) -> Observation:
    """Reads one picture; if no markers are found, the remedy names the other way too."""
    try:
        plane = None
        if corners is not None:
            size = (picture.shape[1], picture.shape[0])
            plane = plane_from_corners(corners, reader.layout.size, size)
        return reader.read(picture, frame_id=number, plane=plane)
    except UnreadableError as error:
        if corners is not None:
            raise
        by_hand = "Or give the plane's corners by hand, with --corners and --plane-mm."
        raise UnreadableError(error.what, f"{error.remedy} {by_hand}") from None


def _layout(
    book: FaceBook,
    players: tuple[Colour, ...],
    by_hand: bool,
    plane_mm: tuple[float, float] | None,
    tile_mm: tuple[float, float] | None,
) -> Layout:
    """The kit's table, or a bare plane for tiles of another book or on a plane of another size."""
    kit = kit_layout(players)
    if is_kit(book) and plane_mm is None:
        return kit
    if tile_mm is None and not is_kit(book):
        raise UnreadableError(
            "How large the tiles are isn't known.", "Add --tile-mm, such as 38x38."
        )
    if by_hand and plane_mm is None:
        raise UnreadableError(
            "How large the plane between the corners is isn't known.",
            "Add --plane-mm, such as 640x640.",
        )
    if plane_mm is None:
        return Layout(size=kit.size, tile=tile_mm or kit.tile, markers=kit.markers)
    width, height = plane_mm
    places = {0: (0.0, 0.0), 1: (width, 0.0), 2: (width, height), 3: (0.0, height)}
    corners = tuple(
        replace(marker, centre=places[marker.id]) for marker in kit.markers if marker.id in places
    )
    return Layout(size=plane_mm, tile=tile_mm or kit.tile, markers=corners)


def _check_shape(book: FaceBook, layout: Layout) -> None:
    """Raises UnreadableError if no tile of the layout's size can bear a face of the book."""
    width, height = layout.tile
    shapes = (width / height / book.aspect, height / width / book.aspect)
    if all(max(shape, 1 / shape) > SHAPE_SLACK for shape in shapes):
        raise UnreadableError(
            f"A tile of {width:g}x{height:g} mm does not have the shape of the taught faces, "
            f"{book.aspect:.3g} times as wide as high.",
            "Correct --tile-mm, or teach the book with --aspect.",
        )


def _complain(image: Path, error: UnreadableError, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(error_json(str(image), error.what, error.remedy)))
    else:
        click.echo(f"{image}: {error}", err=True)
