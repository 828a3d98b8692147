"""Observations written by hand, a tile or a piece a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.observation import (
    CANDIDATES,
    NONE,
    Facing,
    Observation,
    PieceReadings,
    TileReadings,
)


@dataclass(frozen=True)
class Tile:
    """A reading; `rivals` are (label, score), best first, and the label itself is one of them."""

    zone: str | None
    label: str | None
    certain: bool = True
    facing: Facing = Facing.UP
    rivals: tuple[tuple[str, float], ...] = ()


def sure(zone: str | None, label: str, times: int = 1) -> list[Tile]:
    return [Tile(zone, label)] * times


def doubtful(zone: str | None, *labels: str, step: float = 0.01) -> Tile:
    """A tile that shows one of `labels`, each `step` less likely than the one before."""
    rivals = tuple((label, 0.9 - step * i) for i, label in enumerate(labels))
    return Tile(zone, None, certain=False, rivals=rivals)


def down(zone: str | None) -> Tile:
    return Tile(zone, None, facing=Facing.DOWN)


def observe(
    tiles: Sequence[Tile],
    labels: Sequence[str],
    zones: Sequence[str],
    boards: Sequence[str] = (),
    pieces: Sequence[tuple[str | None, str | None, bool]] = (),
    colours: Sequence[str] = (),
    fields: Sequence[str] = (),
) -> Observation:
    """`pieces` are (colour, field, certain)."""

    def ids(words: Sequence[str], wanted: Sequence[str | None]) -> np.ndarray:
        return np.array([NONE if w is None else words.index(w) for w in wanted], np.int16)

    n = len(tiles)
    candidate_ids = np.full((n, CANDIDATES), NONE, np.int16)
    candidate_scores = np.zeros((n, CANDIDATES), np.float32)
    for row, tile in enumerate(tiles):
        rivals = tile.rivals or (((tile.label, 0.95),) if tile.label else ())
        for column, (label, score) in enumerate(rivals):
            candidate_ids[row, column] = labels.index(label)
            candidate_scores[row, column] = score
    unit = np.array([[0, 0], [35, 0], [35, 35], [0, 35]], np.float32)
    quads = unit + np.array([40, 0]) * np.arange(n)[:, None, None]
    return Observation(
        frame_id=1,
        captured_at=0.0,
        size_px=(1280, 720),
        calibration_id="by-hand",
        model_hash="by-hand",
        labels=tuple(labels),
        zones=tuple(zones),
        colours=tuple(colours),
        fields=tuple(fields),
        boards=tuple(boards),
        tiles=TileReadings(
            quads_mm=quads.astype(np.float32),
            quads_px=quads.astype(np.float32),
            found_scores=np.ones(n, np.float32),
            label_ids=ids(labels, [t.label for t in tiles]),
            facings=np.array([t.facing for t in tiles], np.int8),
            certain=np.array([t.certain for t in tiles], np.bool_),
            candidate_ids=candidate_ids,
            candidate_scores=candidate_scores,
            zone_ids=ids(zones, [t.zone for t in tiles]),
        ),
        pieces=PieceReadings(
            points_mm=np.zeros((len(pieces), 2), np.float32),
            points_px=np.zeros((len(pieces), 2), np.float32),
            colour_ids=ids(colours, [colour for colour, _, _ in pieces]),
            field_ids=ids(fields, [field for _, field, _ in pieces]),
            scores=np.ones(len(pieces), np.float32),
            certain=np.array([certain for _, _, certain in pieces], np.bool_),
        ),
    )
