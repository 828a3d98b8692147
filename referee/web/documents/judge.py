"""The document of the judge: all that is known now, with scores and rivals."""

from __future__ import annotations

from typing import Any, Generic

from referee.games.game import MoveT, StateT
from referee.match.match import View
from referee.web.documents.moment import Moment
from referee.web.documents.parts import Parts
from referee.web.documents.table import TableDocument
from referee.web.fields import fields_px
from referee.web.publish import Audience
from referee.web.reading import Reading
from vision.observation import NONE, Facing, Observation
from vision.session import Look

Json = dict[str, Any]


class JudgeDocument(Generic[StateT, MoveT]):
    """Makes it; for whoever gave the PIN."""

    def __init__(self, parts: Parts[StateT, MoveT], table: TableDocument[StateT, MoveT]) -> None:
        self._parts, self._table = parts, table

    def of(self, moment: Moment[StateT, MoveT]) -> Json:
        """The document of a moment."""
        view, reading = moment.view, moment.reading
        review, table = view.review, self._table.of(moment, Audience.JUDGE)
        document = {
            **table,
            "lines": [
                {**line, "zone": seat.zone}
                for line, seat in zip(table["lines"], view.sheet.lines, strict=True)
            ],
            "review": None
            if review is None
            else {"by": review.by, "reason": review.reason, "since": review.at},
            "position": self._parts.game.write_state(view.position),
            "readings": None if reading is None else self._readings(reading, moment.look),
        }
        if document["verdict"] is not None:
            document["verdict"] |= self._verdict(view)
        return document

    def _verdict(self, view: View[StateT, MoveT]) -> Json:
        """What players need not know of the verdict: its code, its tiles, what move it means."""
        verdict = view.verdict
        assert verdict is not None
        told = verdict.ruling and self._parts.game.tell(view.position, verdict.ruling)
        return {
            "reason": None if verdict.reason is None else verdict.reason.code,
            "tiles": list(view.marks),
            "move": list(told) if told else None,
        }

    def _readings(self, reading: Reading, look: Look | None) -> Json:
        """Everything that was read, as vision says it; people's corrections are beside it."""
        settled, seen = reading.settled, reading.settled.observation
        return {
            "frame": seen.frame_id,
            "size": seen.size_px,
            "tiles": [
                _tile(seen, tile, int(identity), reading.corrected.get(tile))
                for tile, identity in enumerate(settled.tile_identities)
            ],
            "pieces": [
                self._piece(seen, piece, int(identity))
                for piece, identity in enumerate(settled.piece_identities)
            ],
            "fields": {"sure": sorted(seen.sure_fields), "quads": fields_px(look)},
            "dial": _dial(seen),
        }

    def _piece(self, seen: Observation, piece: int, identity: int) -> Json:
        colour = seen.piece_colour(piece)
        return {
            "piece": identity,
            "point": [round(float(part)) for part in seen.pieces.points_px[piece]],
            "colour": colour,
            "rgb": None if colour is None else self._parts.colour(colour),
            "field": seen.piece_field(piece),
            "certain": bool(seen.pieces.certain[piece]),
            "score": _score(seen.pieces.scores[piece]),
        }


def _tile(seen: Observation, tile: int, identity: int, corrected: str | None) -> Json:
    tiles = seen.tiles
    return {
        "tile": None if identity == NONE else identity,
        "quad": [[round(float(x)), round(float(y))] for x, y in tiles.quads_px[tile]],
        "label": seen.tile_label(tile),
        "zone": seen.tile_zone(tile),
        "down": bool(tiles.facings[tile] == Facing.DOWN),
        "certain": bool(tiles.certain[tile]),
        "corrected": corrected,
        "found": _score(tiles.found_scores[tile]),
        "rivals": [[label, _score(score)] for label, score in seen.tile_candidates(tile)],
    }


def _dial(seen: Observation) -> Json | None:
    dial = seen.dial
    if dial is None:
        return None
    return {
        "label": dial.label,
        "rivals": list(dial.rivals),
        "certain": dial.certain,
        "why": dial.why,
    }


def _score(score: Any) -> float:
    return round(float(score), 3)
