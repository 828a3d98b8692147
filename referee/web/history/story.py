"""What happened in a match, round by round, in words: moves, verdicts, and what people decided."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from referee.games.game import Finding, Game, MoveT, StateT
from referee.games.said import say
from referee.heard import heard
from referee.journal import Cause, Event
from referee.journal.telling import cause_words, told
from referee.match.fold import Fold
from referee.web.pictures import evidence_words

Json = dict[str, Any]

#: Events that are told; the others say nothing to those who were not there.
_TOLD = frozenset(
    {"move", "undo", "position", "verdict", "decision", "correction", "review", "resume", "end"}
    | {"note", "check"}
)
#: Those that lead to another state.
_MOVING = frozenset({"move", "undo", "position"})


@dataclass
class Story(Generic[StateT, MoveT]):
    """Tells one match event by event."""

    game: Game[StateT, MoveT]
    names: Sequence[str]
    """Of those who play, by seat."""
    _rounds: dict[int, list[tuple[int, Json]]] = field(default_factory=dict)
    """The entries of each round, each with the state that it belongs to."""

    def add(self, event: Event, before: Fold[StateT], after: Fold[StateT], round_: int) -> None:
        """The next event, and the match before and after it."""
        if event.kind not in _TOLD:
            return
        data: Any = event.data
        verdict = data.get("verdict") or {}
        entry: Json = {
            "seq": event.seq,
            "at": event.at,
            "kind": event.kind,
            "by": _who(event.cause),
            "ruled": event.cause.kind == "person",
            "outcome": verdict.get("outcome"),
            "words": "" if event.kind == "move" else told(event),
            "sentences": [],
            "findings": [],
            "missing": [],
            "rules": list(verdict.get("rules") or ()),
            "reason": str(data.get("reason") or ""),
            "evidence": list(map(str, data.get("evidence") or ())),
        }
        if event.kind == "move":
            entry["words"], *entry["sentences"] = after.told or (data["text"],)
            move = self.game.read_move(data["text"], before.position)
            findings = self.game.check(before.position, move)
            entry["findings"] = [self._finding(each) for each in findings]
        elif event.kind == "verdict":
            entry["words"] = heard(str(verdict.get("sentence") or say("The table was judged.")))
            entry["findings"] = [self._read(each) for each in verdict.get("findings") or ()]
            entry["missing"] = [heard(str(each)) for each in verdict.get("missing") or ()]
        elif event.kind in _PLAIN:
            entry["words"] = _PLAIN[event.kind]
        self._rounds.setdefault(round_, []).append((event.state, entry))

    def told(self, holding: Collection[int], kept: Collection[str]) -> list[Json]:
        """The rounds, first to last.

        holding: the states that still count. kept: names of pictures that are still there.
        """
        return [
            {
                "round": number,
                "begun": entries[0][1]["at"],
                "entries": [self._whole(state, entry, holding, kept) for state, entry in entries],
            }
            for number, entries in sorted(self._rounds.items())
        ]

    def _whole(
        self, state: int, entry: Json, holding: Collection[int], kept: Collection[str]
    ) -> Json:
        names = [name for name in entry["evidence"] if name in kept]
        evidence = [{"name": name, "words": evidence_words(name)} for name in names]
        gone = entry["kind"] in ("move", "position") and state not in holding
        return {**entry, "evidence": evidence, "gone": gone}

    def _finding(self, finding: Finding) -> Json:
        return {
            "illegal": finding.illegal,
            "rule": finding.rule,
            "text": finding.text,
            "seats": self._seats(finding.seats),
        }

    def _read(self, finding: Json) -> Json:
        """A finding as a journal has it."""
        return {
            "illegal": finding.get("illegal") is True,
            "rule": str(finding.get("rule") or ""),
            "text": heard(str(finding.get("text") or "")),
            "seats": self._seats(finding.get("seats") or ()),
        }

    def _seats(self, seats: Iterable[int]) -> list[str]:
        return [self.names[seat] for seat in seats if 0 <= seat < len(self.names)]


def _who(cause: Cause) -> str:
    """Who caused something: by name if it was a person."""
    return cause_words(cause if cause.kind == "person" else Cause(cause.kind))


_PLAIN = {
    "undo": say("Taken back to an earlier state."),
    "position": say("The position was set by hand."),
    "decision": say("The record is right."),
    "review": say("A review began."),
    "resume": say("The review was over."),
    "end": say("The match was ended before its end."),
}
