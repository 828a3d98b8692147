"""Merges the readings of several frames: what they agree on is kept, the rest is doubtful."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dial import DialReading
from vision.observation import CANDIDATES, NONE, Observation, PieceReadings, TileReadings
from vision.quads import ORDERS
from vision.settle.pairing import Floats, groups
from vision.settle.shown import Shown

#: A tile is the same in two frames if its middle moved by less than this share of its side.
_SAME_TILE = 0.35
#: Positions of one tile that differ by more than this share of its side do not agree.
_STEADY = 0.12
#: A piece is the same in two frames if its foot moved by less than so many mm.
_SAME_PIECE_MM = 9.0


def sides(tiles: TileReadings) -> Floats:
    """The shorter side of each tile in mm."""
    across = np.linalg.norm(tiles.quads_mm - np.roll(tiles.quads_mm, -1, axis=1), axis=2)
    return np.asarray(across.min(axis=1) if len(tiles) else np.zeros(0), np.float32)


@dataclass(frozen=True, eq=False)
class Merged:
    """One Observation out of several, and which of its tiles and pieces every frame shows."""

    observation: Observation
    tiles_steady: NDArray[np.bool_]
    pieces_steady: NDArray[np.bool_]


def merged(frames: Sequence[Observation], known: Floats) -> Merged:
    """What frames with one calibration and vocabulary say together.

    A tile or piece counts if more than half of the frames show it, or fewer but one was there
    before: `known` (n, 2) are the places in mm of all tiles and pieces of the last look. A tile is
    certain only if every frame shows it, more than half are certain of the same, and none is
    certain of anything else; a piece, as in one frame, if it stands on a field that is sure.
    """
    last = frames[-1]
    tiles, pieces = [frame.tiles for frame in frames], [frame.pieces for frame in frames]
    boards = Counter(board for frame in frames for board in frame.boards)
    tile_places = [each.centres_mm for each in tiles]
    seen_tiles = _things(tile_places, [_SAME_TILE * sides(each) for each in tiles], known)
    piece_places = [each.points_mm for each in pieces]
    reaches = [np.full(len(each), _SAME_PIECE_MM, np.float32) for each in pieces]
    seen_pieces = _things(piece_places, reaches, known)
    observation = replace(
        last,
        boards=tuple(b for b in boards if 2 * boards[b] > len(frames)),
        dial=_dial([frame.dial for frame in frames]),
        tiles=_tiles(tiles, seen_tiles),
        pieces=_pieces(pieces, seen_pieces),
    )
    sure = _sure_fields(frames, observation)
    certain = np.isin(observation.pieces.field_ids, [last.fields.index(name) for name in sure])
    observation = replace(
        observation, sure_fields=sure, pieces=replace(observation.pieces, certain=certain)
    )
    return Merged(observation, seen_tiles.everywhere, seen_pieces.everywhere)


def _dial(shown: Sequence[DialReading | None]) -> DialReading | None:
    """The newest reading of the dial: certain only if every frame is certain of the same label."""
    last = shown[-1]
    said = {each.label if each is not None and each.certain else None for each in shown}
    if last is None or not last.certain or said == {last.label}:
        return last
    labels = (each.label for each in shown if each is not None)
    rivals = tuple(dict.fromkeys(label for label in (last.label, *labels) if label is not None))
    return replace(last, certain=False, rivals=rivals, why="the pictures do not agree")


def _sure_fields(frames: Sequence[Observation], together: Observation) -> tuple[str, ...]:
    """The fields of which most frames are sure, and on which all of those show what is said now."""
    sure = [set(frame.sure_fields) for frame in frames]
    shown = [_standing(frame) for frame in frames]
    said = _standing(together)
    return tuple(
        name
        for k, name in enumerate(together.fields)
        if 2 * sum(name in one for one in sure) > len(frames)
        and all(there[k] == said[k] for one, there in zip(sure, shown, strict=True) if name in one)
    )


def _standing(seen: Observation) -> defaultdict[int, Counter[int]]:
    """How many pieces of each colour stand on each field, both as ids."""
    standing: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for field, colour in zip(
        seen.pieces.field_ids.tolist(), seen.pieces.colour_ids.tolist(), strict=True
    ):
        standing[field][colour] += 1
    return standing


def _things(places: list[Floats], reaches: Sequence[NDArray[np.floating]], known: Floats) -> Shown:
    """The things of all frames, without those that hardly show."""
    table = groups(places, [np.asarray(reach, np.float32) for reach in reaches])
    keep = np.zeros(len(table), np.bool_)
    for number, thing in enumerate(table):
        shown = np.flatnonzero(thing != NONE)
        frame, entry = int(shown[-1]), int(thing[shown[-1]])
        apart = np.linalg.norm(known - places[frame][entry], axis=1)
        keep[number] = 2 * len(shown) > len(thing) or bool((apart < reaches[frame][entry]).any())
    return Shown(table[keep])


def _tiles(frames: Sequence[TileReadings], seen: Shown) -> TileReadings:
    """One reading of each tile."""
    quads = seen.of([frame.quads_mm for frame in frames])
    order = _as_in_last(quads, seen)
    quads, quads_px = (
        np.take_along_axis(corners, order[..., None], axis=2)
        for corners in (quads, seen.of([frame.quads_px for frame in frames]))
    )
    labels = seen.of([frame.label_ids for frame in frames])
    facings = seen.of([frame.facings for frame in frames])
    label, facing = seen.vote(labels), seen.vote(facings)
    zone = seen.vote(seen.of([frame.zone_ids for frame in frames]))
    middle = seen.median(quads)
    strays = np.linalg.norm(quads.mean(axis=2) - middle.mean(axis=1)[:, None], axis=2)
    sure = seen.of([frame.certain for frame in frames])
    said = (labels == label.winner[:, None]) & (facings == facing.winner[:, None])
    certain = (
        seen.everywhere
        & (2 * sure.sum(axis=1) > len(frames))
        & (said | ~sure).all(axis=1)
        & facing.unanimous
        & zone.unanimous
        & (strays.max(axis=1) <= _STEADY * np.linalg.norm(middle[:, 0] - middle[:, 1], axis=1))
    )
    ids, scores = _candidates(frames, seen)
    return TileReadings(
        quads_mm=middle,
        quads_px=seen.median(quads_px),
        found_scores=seen.of([frame.found_scores for frame in frames]).mean(axis=1),
        label_ids=label.winner.astype(np.int16),
        facings=np.where(facing.winner == NONE, seen.last(facings), facing.winner).astype(np.int8),
        certain=np.asarray(certain, np.bool_),
        candidate_ids=ids,
        candidate_scores=scores,
        zone_ids=zone.winner.astype(np.int16),
    )


def _as_in_last(quads: Floats, seen: Shown) -> NDArray[np.intp]:
    """Indices (n, frames, 4) of the corners, in the order of those of the last frame that shows."""
    apart = np.abs(quads[:, :, ORDERS] - seen.last(quads)[:, None, None]).sum(axis=(3, 4))
    return np.asarray(ORDERS[apart.argmin(axis=2)], np.intp)


def _candidates(
    frames: Sequence[TileReadings], seen: Shown
) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """The likeliest labels by their mean score over all frames, 0 where one was not named."""
    things, total = seen.mask.shape
    ids = np.where(
        seen.mask[..., None], seen.of([frame.candidate_ids for frame in frames]), NONE
    ).reshape(things, total * CANDIDATES)
    scores = seen.of([frame.candidate_scores for frame in frames]).reshape(ids.shape)
    same = (ids[:, :, None] == ids[:, None]) & (ids != NONE)[:, None]
    together = (same * scores[:, None]).sum(axis=2) / total
    # Of each label the first place counts.
    repeated = np.tril(same, -1).any(axis=2) | (ids == NONE)
    together[repeated] = -1.0
    best = np.argsort(-together, axis=1, kind="stable")[:, :CANDIDATES]
    chosen = np.take_along_axis(together, best, axis=1)
    named = np.where(chosen < 0, NONE, np.take_along_axis(ids, best, axis=1))
    return named.astype(np.int16), chosen.clip(0).astype(np.float32)


def _pieces(frames: Sequence[PieceReadings], seen: Shown) -> PieceReadings:
    """One reading of each piece, none certain yet."""
    colour = seen.vote(seen.of([frame.colour_ids for frame in frames]))
    field = seen.vote(seen.of([frame.field_ids for frame in frames]))
    return PieceReadings(
        points_mm=seen.median(seen.of([frame.points_mm for frame in frames])),
        points_px=seen.median(seen.of([frame.points_px for frame in frames])),
        colour_ids=colour.winner.astype(np.int16),
        field_ids=field.winner.astype(np.int16),
        scores=seen.of([frame.scores for frame in frames]).mean(axis=1),
        certain=np.zeros(len(seen.rows), np.bool_),
    )
