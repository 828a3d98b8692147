"""Where the fields of the boards are in a picture, to be pointed at."""

from __future__ import annotations

from vision.session import Look


def fields_px(look: Look | None) -> dict[str, list[list[int]]]:
    """The corners of each field in pixels, clockwise, by its name; none while no plane is found."""
    if look is None or look.tracked.plane is None:
        return {}
    plane = look.tracked.plane
    quads = {
        field.name: plane.lift(placed.to_plane(field.quad), placed.board.thickness)
        for placed in look.tracked.boards.placed
        for field in placed.board.fields
    }
    return {
        name: [[round(float(x)), round(float(y))] for x, y in quad] for name, quad in quads.items()
    }
