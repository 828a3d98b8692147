"""What people type: sizes, corners, names of files; each fault in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from vision.errors import UnreadableError


class Size(click.ParamType[tuple[float, float]]):
    """WxH in millimetres, both above 0."""

    name = "WxH"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """Parses the text; click shows the message of a failure."""
        try:
            width, height = (float(part) for part in str(value).lower().split("x"))
        except ValueError:
            width = height = 0.0
        if not (0 < width < float("inf") and 0 < height < float("inf")):
            self.fail(
                f"{value!r} is no size: give width x height in mm, such as 35x35.", param, ctx
            )
        return width, height


class Corners(click.ParamType[NDArray[np.float32]]):
    """x1,y1,x2,y2,… in pixels; how many there must be is for the plane to say."""

    name = "x1,y1,…,x4,y4"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> NDArray[np.float32]:
        """Parses the text into shape (n, 2); click shows the message of a failure."""
        try:
            numbers = [float(part) for part in str(value).split(",")]
            return np.array(numbers, np.float32).reshape(-1, 2)
        except ValueError:
            self.fail(
                f"{value!r} are no corners: give x,y of the plane's four corners in pixels, "
                "clockwise from the top left, all separated by commas.",
                param,
                ctx,
            )


def target_files(out: Path, images: Sequence[Path]) -> list[Path]:
    """Where the annotated pictures go: `out` for one image, else files in the folder `out`.

    In a folder a picture is called after its image, with a number if the name is taken. Raises
    UnreadableError if several pictures would go into one file.
    """
    if len(images) == 1 and not out.is_dir():
        return [out]
    if out.suffix and not out.is_dir():
        raise UnreadableError(
            f"{len(images)} pictures don't fit into one file {out}.", "Name a folder instead."
        )
    out.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    for image in images:
        number, file = 1, out / f"{image.stem}.png"
        while file in files:
            number += 1
            file = out / f"{image.stem}-{number}.png"
        files.append(file)
    return files
