"""An Observation as the JSON that other programs rely on, and as a table for people."""

from __future__ import annotations

from collections import Counter
from typing import Any

from vision.observation import Facing, Observation

Json = dict[str, Any]


def observation_json(observation: Observation) -> Json:
    """The reading of one picture; positions are pixels of the file, scores 0 to 1."""
    width, height = observation.size_px
    return {
        "width": width,
        "height": height,
        "plane": {
            "found": bool(observation.calibration_id),
            "markers": [int(marker) for marker in observation.markers],
        },
        "readings": [_tile(observation, tile) for tile in range(len(observation.tiles))],
        "pieces": [_piece(observation, piece) for piece in range(len(observation.pieces))],
        "ms": {part: round(float(ms), 1) for part, ms in observation.ms.items()},
    }


def error_json(image: str, what: str, remedy: str) -> Json:
    """What stands in place of a reading that could not be made."""
    return {"image": image, "error": what, "remedy": remedy}


def rivals_json(candidates: list[tuple[str, float]], label: str | None) -> list[Json]:
    """The candidates other than the chosen label, best first; all of them if none was chosen."""
    return [
        {"label": rival, "score": round(score, 4)} for rival, score in candidates if rival != label
    ]


def summary(observation: Observation) -> list[str]:
    """Lines for people: what lies in each zone, and which pieces stand where."""
    tiles, pieces = observation.tiles, observation.pieces
    found = f"{_number(len(tiles), 'tile')}, {_number(len(pieces), 'piece')}"
    unsure = int((~tiles.certain).sum()) + int((~pieces.certain).sum())
    plane = (
        f"markers {', '.join(map(str, observation.markers))}"
        if observation.markers
        else "corners given by hand"
    )
    lines = [f"{found}{f', {unsure} of them doubtful' if unsure else ''} ({plane})"]
    zones: dict[str, Counter[str]] = {}
    for tile in range(len(tiles)):
        zone = observation.tile_zone(tile) or ("elsewhere" if observation.zones else "on the table")
        zones.setdefault(zone, Counter())[_words(observation, tile)] += 1
    width = max((len(zone) for zone in zones), default=0)
    for zone in sorted(zones, key=lambda name: (*observation.zones, name).index(name)):
        shown = [f"{n} x {what}" if n > 1 else what for what, n in sorted(zones[zone].items())]
        lines.append(f"  {zone:{width}}  {', '.join(shown)}")
    standing: dict[str, list[str]] = {}
    for piece in range(len(pieces)):
        colour = observation.piece_colour(piece) or "unknown colour"
        where = observation.piece_field(piece) or "on no field"
        standing.setdefault(colour, []).append(where + ("" if pieces.certain[piece] else "?"))
    lines += [f"  {colour} pieces: {', '.join(where)}" for colour, where in standing.items()]
    return lines


def _tile(observation: Observation, tile: int) -> Json:
    tiles = observation.tiles
    label = observation.tile_label(tile)
    candidates = observation.tile_candidates(tile)
    scores = dict(candidates)
    best = candidates[0][1] if candidates else 0.0
    return {
        "label": label,
        "certain": bool(tiles.certain[tile]),
        "score": round(best if label is None else scores.get(label, best), 4),
        "rivals": rivals_json(candidates, label),
        "facing": "up" if tiles.facings[tile] == Facing.UP else "down",
        "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in tiles.quads_px[tile]],
        "zone": observation.tile_zone(tile),
    }


def _piece(observation: Observation, piece: int) -> Json:
    pieces = observation.pieces
    x, y = pieces.points_px[piece]
    return {
        "colour": observation.piece_colour(piece),
        "field": observation.piece_field(piece),
        "point": [round(float(x), 2), round(float(y), 2)],
        "certain": bool(pieces.certain[piece]),
        "score": round(float(pieces.scores[piece]), 4),
    }


def _words(observation: Observation, tile: int) -> str:
    if observation.tiles.facings[tile] == Facing.DOWN:
        return "face down" if observation.tiles.certain[tile] else "perhaps face down"
    label = observation.tile_label(tile)
    if label is not None and observation.tiles.certain[tile]:
        return label
    rivals = [rival for rival, _ in observation.tile_candidates(tile)[:2]]
    return f"perhaps {' or '.join(rivals)}" if rivals else "unreadable"


def _number(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
