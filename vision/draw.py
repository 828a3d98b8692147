"""Draws what was read into the picture it was read from, for people to check.

What is certain has a solid outline. What is doubtful has a dashed outline and a question mark, so
that nobody has to tell colours apart. A short bar marks the top of the print; a tile that lies
face down is crossed out.
"""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.observation import Facing, Observation

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

#: BGR, told apart with any colour vision and in grey.
CERTAIN: Colour = (255, 230, 80)
DOUBTFUL: Colour = (60, 170, 255)
CASING: Colour = (20, 20, 20)
TEXT: Colour = (255, 255, 255)

#: Coordinates are given to OpenCV in 1/16 of a pixel.
_SHIFT = 4
_FONT = cv2.FONT_HERSHEY_SIMPLEX
#: Height of a capital letter of the font at scale 1, in pixels.
_CAPITAL = 21.0
#: Candidates shown of a doubtful tile.
_SHOWN = 2


def annotate(image: Image, observation: Observation) -> Image:
    """A copy of the BGR picture with the readings of `observation` drawn into it.

    Raises ValueError if the picture is not of the size that was read.
    """
    height, width = image.shape[:2]
    if (width, height) != observation.size_px:
        raise ValueError(
            f"expected the picture that was read, {observation.size_px} pixels, "
            f"got one of {(width, height)}"
        )
    pen = _Pen(image.copy())
    for tile in range(len(observation.tiles)):
        _draw_tile(pen, observation, tile)
    for piece in range(len(observation.pieces)):
        _draw_piece(pen, observation, piece)
    # Words come last, so that no outline runs through them.
    for tile in range(len(observation.tiles)):
        quad = observation.tiles.quads_px[tile]
        side = float(np.linalg.norm(quad[0] - quad[2])) / np.sqrt(2)
        middle = quad.mean(axis=0) + np.array([0, 0.4 * side])
        pen.words(_tile_words(observation, tile), middle, side)
    for piece in range(len(observation.pieces)):
        colour = observation.piece_colour(piece)
        sure = observation.pieces.certain[piece]
        words = (colour[0].upper() if colour else "") + ("" if sure else "?")
        below = observation.pieces.points_px[piece] + np.array([0, 12 * pen.width])
        pen.words([words], below, np.inf)
    return pen.image


def _draw_tile(pen: _Pen, observation: Observation, tile: int) -> None:
    tiles = observation.tiles
    quad = tiles.quads_px[tile]
    sure = bool(tiles.certain[tile])
    down = tiles.facings[tile] == Facing.DOWN
    colour = CERTAIN if sure else DOUBTFUL
    pen.closed_line(quad, colour, dashed=not sure)
    if down:
        pen.line(quad[[0, 2]], colour, dashed=not sure)
        pen.line(quad[[1, 3]], colour, dashed=not sure)
    elif observation.tile_label(tile) is not None:
        top_left, top_right = quad[0], quad[1]
        inward = 0.12 * (quad[3] - quad[0])
        bar = np.stack([0.65 * top_left + 0.35 * top_right, 0.35 * top_left + 0.65 * top_right])
        pen.line(bar + inward, colour, dashed=False)


def _tile_words(observation: Observation, tile: int) -> list[str]:
    """What stands on a tile, in lines: its label, or between what it is doubtful."""
    tiles = observation.tiles
    sure = bool(tiles.certain[tile])
    if tiles.facings[tile] == Facing.DOWN:
        return ["down"] if sure else ["down?"]
    label = observation.tile_label(tile)
    if sure and label is not None:
        return [label]
    rivals = [name for name, _ in observation.tile_candidates(tile)[:_SHOWN]]
    return [f"{name}?" for name in rivals] if label is not None and rivals else ["?"]


def _draw_piece(pen: _Pen, observation: Observation, piece: int) -> None:
    sure = bool(observation.pieces.certain[piece])
    radius = 5 * pen.width
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = observation.pieces.points_px[piece] + radius * np.stack(
        [np.cos(turns), np.sin(turns)], axis=1
    )
    pen.closed_line(ring, CERTAIN if sure else DOUBTFUL, dashed=not sure)


class _Pen:
    """Draws lines and words that are seen on any ground: bright, within a dark casing."""

    def __init__(self, image: Image) -> None:
        self.image = image
        longer = max(image.shape[:2])
        self.width = max(1, round(longer / 960))
        """Width of a line in pixels."""
        self._letter = max(8.0, longer / 240)
        """Height of a capital letter in pixels: below 8 nobody can read it."""

    def closed_line(self, corners: NDArray[np.floating], colour: Colour, *, dashed: bool) -> None:
        """A line around a polygon (k, 2)."""
        self.line(np.concatenate([corners, corners[:1]]), colour, dashed=dashed)

    def line(self, points: NDArray[np.floating], colour: Colour, *, dashed: bool) -> None:
        """A line through points (k, 2), solid or in dashes."""
        parts = _dashes(points, 8.0 + 4.0 * self.width) if dashed else [points]
        fixed = [np.rint(part * 2**_SHIFT).astype(np.int32) for part in parts]
        for ink, width in ((CASING, 2 * self.width + 1), (colour, self.width)):
            cv2.polylines(self.image, fixed, False, ink, width, cv2.LINE_AA, _SHIFT)

    def words(self, lines: list[str], middle: NDArray[np.floating], room: float) -> None:
        """Lines of words around a point, broken at hyphens where `room` pixels are too few."""
        scale = self._letter / _CAPITAL
        broken = []
        for line in lines:
            wide = self._wide(line, scale) > room
            broken += line.replace("-", "-\n").split("\n") if wide else [line]
        step = 1.6 * self._letter
        for k, line in enumerate(broken):
            x = middle[0] - self._wide(line, scale) / 2
            # The last line stands on the middle, the others over it.
            y = middle[1] + self._letter / 2 - (len(broken) - 1 - k) * step
            corner = (round(float(x)), round(float(y)))
            length, high = self._wide(line, scale), self._letter
            plate = (
                (corner[0] - 2, corner[1] + 3),
                (corner[0] + round(length) + 2, corner[1] - round(high) - 3),
            )
            cv2.rectangle(self.image, *plate, CASING, cv2.FILLED)
            cv2.putText(self.image, line, corner, _FONT, scale, TEXT, 1, cv2.LINE_AA)

    @staticmethod
    def _wide(line: str, scale: float) -> float:
        return float(cv2.getTextSize(line, _FONT, scale, 1)[0][0])


def _dashes(points: NDArray[np.floating], length: float) -> list[NDArray[np.floating]]:
    """Pieces of about `length` of a line through points (k, 2), with gaps as long."""
    dashes = []
    for start, end in pairwise(points):
        # An odd number of parts, so that every corner is drawn.
        parts = 2 * int(np.linalg.norm(end - start) / (2 * length)) + 1
        share = np.linspace(0, 1, parts + 1)[:, None]
        marks = start * (1 - share) + end * share
        dashes += [marks[k : k + 2] for k in range(0, parts, 2)]
    return dashes
