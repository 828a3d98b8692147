"""Merges the readings of several frames: what they agree on is kept, the rest is doubtful."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.dial import DialReading
from vision.observation import CANDIDATES, NONE, Observation, PieceReadings, TileReadings
from vision.settle.pairing import Floats, groups

R = TypeVar("R")

#: A tile is the same in two frames if its middle moved by less than this share of its side.
_SAME_TILE = 0.35
#: Positions of one tile that differ by more than this share of its side do not agree.
_STEADY = 0.12
#: A piece is the same in two frames if its foot moved by less than so many mm.
_SAME_PIECE_MM = 9.0


@dataclass(frozen=True, slots=True)
class _Vote:
    winner: int
    """What most frames say, NONE if no more than half say one thing."""
    count: int
    unanimous: bool


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
    before: `known` (n, 2) are the places in mm of all tiles and pieces of the last look. It is
    certain only if every frame shows it, more than half are certain of the same, and none is
    certain of anything else.
    """
    last = frames[-1]
    tiles, pieces = [frame.tiles for frame in frames], [frame.pieces for frame in frames]
    boards = Counter(board for frame in frames for board in frame.boards)
    tile_places = [each.centres_mm for each in tiles]
    tile_rows = _things(tile_places, [_SAME_TILE * sides(each) for each in tiles], known)
    piece_places = [each.points_mm for each in pieces]
    reaches = [np.full(len(each), _SAME_PIECE_MM, np.float32) for each in pieces]
    piece_rows = _things(piece_places, reaches, known)
    observation = replace(
        last,
        boards=tuple(b for b in boards if 2 * boards[b] > len(frames)),
        dial=_dial([frame.dial for frame in frames]),
        tiles=TileReadings.empty()
        if not len(tile_rows)
        else TileReadings(*_columns(_tile(_entries(tiles, row), len(frames)) for row in tile_rows)),
        pieces=PieceReadings.empty()
        if not len(piece_rows)
        else PieceReadings(
            *_columns(_piece(_entries(pieces, row), len(frames)) for row in piece_rows)
        ),
    )
    observation = replace(observation, sure_fields=_sure_fields(frames, observation))
    return Merged(observation, (tile_rows != NONE).all(axis=1), (piece_rows != NONE).all(axis=1))


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


def _things(
    places: list[Floats], reaches: Sequence[NDArray[np.floating]], known: Floats
) -> NDArray[np.intp]:
    """Entry of each thing in each frame, (things, frames), without those that hardly show."""
    table = groups(places, [np.asarray(reach, np.float32) for reach in reaches])
    keep = np.zeros(len(table), np.bool_)
    for number, thing in enumerate(table):
        shown = np.flatnonzero(thing != NONE)
        frame, entry = int(shown[-1]), int(thing[shown[-1]])
        apart = np.linalg.norm(known - places[frame][entry], axis=1)
        keep[number] = 2 * len(shown) > len(thing) or bool((apart < reaches[frame][entry]).any())
    return table[keep]


def _entries(frames: Sequence[R], thing: NDArray[np.intp]) -> list[tuple[R, int]]:
    return [(frames[k], int(i)) for k, i in enumerate(thing) if i != NONE]


def _columns(rows: Iterable[tuple[NDArray[Any], ...]]) -> list[NDArray[Any]]:
    return [np.stack(column) for column in zip(*rows, strict=True)]


def _tile(seen: list[tuple[TileReadings, int]], total: int) -> tuple[NDArray[Any], ...]:
    """The columns of one tile, in the order of TileReadings."""
    lead, at = seen[-1]
    shifts = [_shift(t.quads_mm[i], lead.quads_mm[at]) for t, i in seen]
    turned = list(zip(seen, shifts, strict=True))
    quads = np.stack([np.roll(t.quads_mm[i], k, axis=0) for (t, i), k in turned])
    quads_px = np.stack([np.roll(t.quads_px[i], k, axis=0) for (t, i), k in turned])
    label = _vote([int(t.label_ids[i]) for t, i in seen], total)
    facing = _vote([int(t.facings[i]) for t, i in seen], total)
    zone = _vote([int(t.zone_ids[i]) for t, i in seen], total)
    sure = [(int(t.label_ids[i]), int(t.facings[i])) for t, i in seen if t.certain[i]]
    middle = np.median(quads, axis=0)
    spread = np.linalg.norm(quads.mean(axis=1) - middle.mean(axis=0), axis=1).max()
    side = float(np.linalg.norm(middle[0] - middle[1]))
    certain = (
        len(seen) == total
        and 2 * len(sure) > total
        and len(set(sure)) == 1
        and sure[0][0] == label.winner
        and facing.unanimous
        and zone.unanimous
        and spread <= _STEADY * side
    )
    ids, scores = _candidates(seen, total)
    return (
        np.asarray(middle, np.float32),
        np.asarray(np.median(quads_px, axis=0), np.float32),
        np.array(sum(float(t.found_scores[i]) for t, i in seen) / total, np.float32),
        np.array(label.winner, np.int16),
        np.array(facing.winner if facing.winner != NONE else lead.facings[at], np.int8),
        np.array(certain, np.bool_),
        ids,
        scores,
        np.array(zone.winner, np.int16),
    )


def _candidates(
    seen: list[tuple[TileReadings, int]], total: int
) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """The likeliest labels by their mean score over all frames, 0 where one was not named."""
    score: dict[int, float] = {}
    for tiles, i in seen:
        for label, likeness in zip(tiles.candidate_ids[i], tiles.candidate_scores[i], strict=True):
            if label != NONE:
                score[int(label)] = score.get(int(label), 0.0) + float(likeness) / total
    ids = np.full(CANDIDATES, NONE, np.int16)
    scores = np.zeros(CANDIDATES, np.float32)
    best = sorted(score, key=lambda label: -score[label])[:CANDIDATES]
    ids[: len(best)], scores[: len(best)] = best, [score[label] for label in best]
    return ids, scores


def _shift(quad: Floats, lead: Floats) -> int:
    """By how many corners a quad must be shifted to have them in the order of `lead`'s."""
    return int(np.argmin([np.abs(np.roll(quad, k, axis=0) - lead).sum() for k in range(4)]))


def _piece(seen: list[tuple[PieceReadings, int]], total: int) -> tuple[NDArray[Any], ...]:
    """The columns of one piece, in the order of PieceReadings."""
    colour = _vote([int(p.colour_ids[i]) for p, i in seen], total)
    field = _vote([int(p.field_ids[i]) for p, i in seen], total)
    sure = sum(bool(p.certain[i]) for p, i in seen)
    certain = len(seen) == total and 2 * sure > total and colour.unanimous and field.unanimous
    return (
        np.median(np.stack([p.points_mm[i] for p, i in seen]), axis=0).astype(np.float32),
        np.median(np.stack([p.points_px[i] for p, i in seen]), axis=0).astype(np.float32),
        np.array(colour.winner, np.int16),
        np.array(field.winner, np.int16),
        np.array(sum(float(p.scores[i]) for p, i in seen) / total, np.float32),
        np.array(certain, np.bool_),
    )


def _vote(votes: Sequence[int], total: int) -> _Vote:
    """What more than half of `total` frames say, and whether all that show the thing do."""
    winner, count = Counter(votes).most_common(1)[0]
    majority = 2 * count > total
    return _Vote(winner if majority else NONE, count, majority and count == len(votes))
