"""What a set's boards look like with nothing standing on them, as its drawings have them."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.games.table import Board, PlacedOverlay, Placement, TablePlan

Image = NDArray[np.uint8]

#: Resolution of the faces: cameras show less of a table.
PX_PER_MM = 2.0


class BareBoards:
    """Composes the faces of the boards of one table on which pieces stand."""

    def __init__(self, plan: TablePlan, art: Mapping[str, Image]) -> None:
        """`art` has the drawings by name, BGR or BGRA."""
        self._boards = [board for board in plan.boards if board.fields]
        self._art = art
        self._last: tuple[tuple[PlacedOverlay, ...], Mapping[str, Image]] | None = None

    def faces(self, placement: Placement) -> Mapping[str, Image]:
        """The faces by the boards' names, BGR; the same object as long as they are the same."""
        if self._last is None or self._last[0] != placement.overlays:
            faces = {board.name: self._face(board, placement.overlays) for board in self._boards}
            self._last = placement.overlays, faces
        return self._last[1]

    def _face(self, board: Board, overlays: tuple[PlacedOverlay, ...]) -> Image:
        face = _sized(self._art[board.drawing], _pixels(board.size))
        for overlay in overlays:
            if overlay.board != board.name:
                continue
            turned = np.rot90(self._art[overlay.drawing], -overlay.turn)
            left, top = _pixels(overlay.corner)
            part = _sized(turned, _pixels(overlay.size))
            face[top : top + part.shape[0], left : left + part.shape[1]] = part
        return face


def _pixels(lengths: tuple[float, float]) -> tuple[int, int]:
    return round(lengths[0] * PX_PER_MM), round(lengths[1] * PX_PER_MM)


def _sized(drawing: Image, size: tuple[int, int]) -> Image:
    return np.array(cv2.resize(drawing[..., :3], size, interpolation=cv2.INTER_AREA), np.uint8)
