"""The document of the overlay of a stream: small, and without any picture."""

from __future__ import annotations

from typing import Any, Generic

from referee.games.game import MoveT, StateT
from referee.games.said import Said, say
from referee.web.documents.moment import Moment
from referee.web.documents.parts import Parts
from referee.web.publish import Audience

Json = dict[str, Any]

#: How each outcome of a verdict, and each cause of a state, is stamped.
STAMPS: dict[str, Said] = {
    "confirmed": say("Confirmed"),
    "inconclusive": say("Not decided yet"),
    "out-of-sync": say("Contradiction"),
    "degraded": say("Camera unfit"),
    "ruled": say("Ruled"),
    "begin": say("Begin"),
    "back": say("Taken back"),
    "set": say("Set by hand"),
}


class OverlayDocument(Generic[StateT, MoveT]):
    """Makes it; all of it may be seen by everybody."""

    def __init__(self, parts: Parts[StateT, MoveT]) -> None:
        self._parts = parts

    def of(self, moment: Moment[StateT, MoveT]) -> Json:
        """The document of a moment."""
        head = self._parts.head(moment, Audience.OVERLAY)
        return {
            **head,
            "timer": self._parts.device(moment.view),
            "verdict": self._verdict(moment),
            "standings": self._parts.lines(moment.view),
            "trouble": bool(moment.troubles),
        }

    def _verdict(self, moment: Moment[StateT, MoveT]) -> Json:
        """The table's open question; if there is none, what led to the position that holds."""
        words, view = self._parts.words, moment.view
        verdict = words.verdict(view)
        if verdict is not None:
            illegal = [each["text"] for each in verdict["findings"]]
            return {
                "outcome": verdict["outcome"],
                "stamp": STAMPS[verdict["outcome"]],
                "headline": verdict["headline"],
                "sentences": [*illegal, *verdict["missing"]],
                "reason": verdict["remedy"],
                "rules": verdict["rules"],
            }
        last = words.last(view)
        said = [each["text"] for each in last["findings"] if each["illegal"]]
        return {
            "outcome": last["kind"],
            "stamp": STAMPS[last["kind"]],
            "headline": last["headline"],
            "sentences": last["sentences"],
            "reason": said[0] if said else None,
            "rules": last["rules"],
        }
