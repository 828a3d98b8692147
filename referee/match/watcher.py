"""What the camera sees of a match: settled tables are judged, and evidence is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol

from referee.claims import Claims
from referee.games.game import MoveT, RunGlass, StateT
from referee.games.said import joined, say
from referee.journal import Cause, Event
from referee.match.commands import Command, Sight
from referee.match.course import Course
from referee.match.fold import Stage
from referee.match.policy import assess
from referee.match.verdict import Outcome, Reason, Verdict
from referee.match.written import verdict_json

#: A contradiction is told only after a second reading of the table, so many seconds later, has it.
SECOND_LOOK_S = 1.5
#: Seconds after which a table that can't be read says why.
PATIENCE_S = 6.0
#: What is in doubt is read again after so many seconds each: soon at first, then more seldom.
RETRIES_S = (0.3, 0.6, 1.2, 2.4)
#: And any table after so many: what came while the camera stalled may look as if nothing had.
REFRESH_S = 4.0
#: Doubts that other pictures of the same table may settle.
_RETRIED = (
    Reason.PIECE_DOUBTFUL,
    Reason.TILE_DOUBTFUL,
    Reason.TILE_UNREADABLE,
    Reason.TILES_MISSING,
    Reason.DIAL_UNREADABLE,
    Reason.DIAL_DISAGREES,
    Reason.BOARD_NOT_FOUND,
)
#: Older pictures are none of the table as it is.
STALE_S = 3.0
#: Reasons that make the camera unfit, rather than the table.
_UNFIT = (Reason.NO_NEW_PICTURES, Reason.PLANE_NOT_FOUND)
#: Reasons whose pictures people may want to see later.
_EVIDENT = (
    Reason.CONTRADICTS_RECORD,
    Reason.TILES_MISSING,
    Reason.TOO_MANY_TILES,
    Reason.MULTISET_BROKEN,
    Reason.TILE_DOUBTFUL,
    Reason.DIAL_DISAGREES,
)


class Pictures(Protocol):
    """Where evidence is kept; never raises, never waits."""

    def keep(self, name: str, jpeg: bytes, at: float) -> None:
        """Keeps a picture."""

    def tie(self, name: str, seq: int) -> None:
        """Says to which event it belongs."""


@dataclass(frozen=True, slots=True)
class _Corrected:
    """What a person said that a tile shows, and as what it was surely read, if at all."""

    label: str
    was: str | None
    was_down: bool


class Watcher(Generic[StateT, MoveT]):
    """Judges what is seen; says nothing twice."""

    def __init__(
        self, course: Course[StateT, MoveT], pictures: Pictures | None, camera: str
    ) -> None:
        self._course, self._pictures = course, pictures
        self._cause = Cause("camera", camera)
        self._sight: Sight | None = None
        self._read: Sight | None = None
        """The last sight of a table that was read."""
        self._corrections: dict[int, _Corrected] = {}
        self._judged: tuple[Claims | None, int] = (None, 0)
        self._suspicion: tuple[Verdict[MoveT], float] | None = None
        """A contradiction that one reading showed, and when."""
        self._tries: tuple[int, float] = (0, 0.0)
        """How often in a row the table was read in doubt, and when it was read last."""
        self._said: tuple[int, dict[str, Any]] | None = None
        self._busy_since = course.changed_at

    @property
    def second_look(self) -> bool:
        """Whether the table should be read again now, although it seems unchanged."""
        sight, step = self._sight, self._course.step
        if sight is None or sight.claims is None:
            return False
        if self._outdated(sight):
            return True
        if sight.claims is not self._judged[0]:
            return False
        if self._suspicion is not None:
            return sight.at - self._suspicion[1] >= SECOND_LOOK_S
        waited = sight.at - self._tries[1]
        if self._in_doubt() and self._tries[0] <= len(RETRIES_S):
            return waited >= RETRIES_S[max(0, self._tries[0] - 1)]
        return step is not None and step.ask is not None and waited >= REFRESH_S

    def _outdated(self, sight: Sight) -> bool:
        """Whether a table was read before the box had done its part of the step.

        An arrow may turn, and a quick hand take a tile, and nothing else seems to change.
        """
        course = self._course
        waits = course.step is not None and course.step.device is not None
        over = course.fold.device.stage is Stage.OVER
        read_at = sight.at if sight.read_at is None else sight.read_at
        return waits and over and read_at < course.changed_at

    def _in_doubt(self) -> bool:
        """Whether other pictures of the same table may settle what is in doubt."""
        verdict = self._course.verdict
        return verdict is not None and verdict.reason in _RETRIED

    @property
    def corrections(self) -> Mapping[int, str]:
        """What people said that tiles show, by identity; a copy."""
        return {identity: each.label for identity, each in self._corrections.items()}

    def see(self, sight: Sight, now: float) -> None:
        """Takes what a frame gives."""
        course = self._course
        self._sight = sight
        self._buzzer(sight)
        if now - sight.at > STALE_S:
            return
        if sight.claims is not None:
            # Also while nobody asks: what was turned over must not be told any more.
            self._forget(sight, sight.claims)
        if sight.at < course.changed_at or course.step is None or course.step.ask is None:
            return
        if sight.claims is None:
            self._unread(sight, now)
            return
        self._busy_since, self._read = now, sight
        if course.step.device is not None and course.fold.device.stage is not Stage.OVER:
            course.say(None)
            return
        if self._outdated(sight):
            return
        seen, seq = self._judged
        if seen is sight.claims and seq == course.fold.seq:
            return
        # What is judged may be a move: then the same table is judged at the next step too.
        self._judged = (sight.claims, course.fold.seq)
        self._judge(sight, sight.claims, now)
        if seen is not sight.claims:
            tries = self._tries[0] + 1 if self._in_doubt() else 0
            self._tries = (tries, sight.at)

    def tick(self, now: float) -> None:
        """Says so if no new picture comes though the step asks for one."""
        course, sight = self._course, self._sight
        asked = course.step is not None and course.step.ask is not None
        if asked and sight is not None and now - sight.at > PATIENCE_S:
            running = course.fold.device.stage is Stage.RUNNING
            if not running:
                self._say(Verdict(Outcome.DEGRADED, Reason.NO_NEW_PICTURES, 1), None, sight)

    def _judge(self, sight: Sight, seen: Claims, now: float) -> None:
        course = self._course
        assert course.step is not None
        claims = seen.corrected(self._corrected(sight))
        fold = course.fold
        verdict = assess(
            course.step, claims, done=fold.done, behind=fold.behind, motor=fold.device.label
        )
        if verdict is None:
            self._suspicion = None
            self._agrees()
        elif verdict.outcome is Outcome.CONFIRMED and verdict.ruling is not None:
            self._suspicion = None
            names = self._evidence_names()
            event = course.record_move(
                verdict.ruling, verdict, self._cause, now, claims=claims, evidence=names
            )
            course.moved_on = names
            self._file(names, verdict, sight, event)
        elif verdict.outcome is not Outcome.OUT_OF_SYNC or self._seen_twice(verdict, sight):
            self._say(verdict, claims, sight)

    def _seen_twice(self, verdict: Verdict[MoveT], sight: Sight) -> bool:
        """Whether another reading, long enough ago, found the same contradiction."""
        before = self._suspicion
        if before is None or before[0] != verdict or before[1] < self._course.changed_at:
            self._suspicion = (verdict, sight.at)
            return False
        if sight.at - before[1] < SECOND_LOOK_S:
            return False
        self._suspicion = None
        return True

    def _unread(self, sight: Sight, now: float) -> None:
        course = self._course
        self._busy_since = max(self._busy_since, course.changed_at)
        if course.fold.device.stage is Stage.RUNNING or now - self._busy_since < PATIENCE_S:
            return
        reason = sight.why or Reason.LOOKS_DISAGREE
        outcome = Outcome.DEGRADED if reason in _UNFIT else Outcome.INCONCLUSIVE
        self._say(Verdict(outcome, reason, 1), None, sight)

    def _agrees(self) -> None:
        """The table is as it is on record."""
        if self._course.fold.apart or self._course.fold.behind:
            self._course.append("agrees", self._cause, {})
        self._course.say(None)

    def _say(self, verdict: Verdict[MoveT], claims: Claims | None, sight: Sight) -> None:
        """Puts a verdict that changes nothing on record, if it is news, and shows it."""
        course, fold = self._course, self._course.fold
        told = verdict_json(verdict, course.write)
        if self._said != (fold.state_id, told):
            names = self._evidence_names() if verdict.reason in _EVIDENT else ()
            event = course.append(
                "verdict",
                self._cause,
                {
                    "verdict": told,
                    "claims": None if claims is None else claims.to_json(),
                    "done": fold.done,
                    "behind": fold.behind,
                    "motor": fold.device.label,
                    "evidence": list(names),
                },
            )
            self._said = (fold.state_id, told)
            course.said_on = names
            self._file(names, verdict, sight, event)
        known = {tile: number for tile, number in enumerate(sight.identities) if number >= 0}
        course.say(verdict, tuple(known[tile] for tile in verdict.tiles if tile in known))

    def _corrected(self, sight: Sight) -> Mapping[int, str]:
        """What people said of tiles that still lie there, by index of the sight's claims."""
        return {
            tile: self._corrections[identity].label
            for tile, identity in enumerate(sight.identities)
            if identity in self._corrections
        }

    def correct(self, command: Command, cause: Cause, now: float) -> str:
        """Takes a person's word for what a tile shows, as long as it lies there; or why not."""
        course, sight = self._course, self._read
        ask = None if course.step is None or course.step.ask is None else course.step.ask.tiles
        if sight is None or sight.claims is None or command.to not in sight.identities:
            return say("That tile does not lie there any more, or moves: point at it again.")
        if ask is None or command.text not in ask.in_play:
            known = joined(sorted(ask.in_play), ", ") if ask else say("nothing")
            return say(
                "A tile can't be {label} here; it can be: {known}.",
                label=repr(command.text),
                known=known,
            )
        tile = sight.identities.index(command.to)
        name = f"teach-{course.fold.seq + 1}"
        data = {
            "label": command.text,
            "was": sight.claims.labels.get(tile),
            "tile": command.to,
            "frame": command.frame,
            "crop": name,
            "reason": command.reason,
        }
        event = course.append("correction", cause, data, command)
        self._corrections[command.to] = _Corrected(
            command.text, sight.claims.labels.get(tile), tile in sight.claims.face_down
        )
        self._keep(name, sight.crop(tile), event)
        course.changed_at = now
        return ""

    def _forget(self, sight: Sight, claims: Claims) -> None:
        """Drops what people said of tiles that are gone, were turned, or surely are others now."""
        lying = {identity: tile for tile, identity in enumerate(sight.identities)}
        for identity, said in list(self._corrections.items()):
            tile = lying.get(identity)
            label = None if tile is None else claims.labels.get(tile)
            other = label is not None and label not in (said.label, said.was)
            turned = tile in claims.face_down and not said.was_down
            if tile is None or turned or other:
                del self._corrections[identity]

    def _buzzer(self, sight: Sight) -> None:
        """Keeps the first picture after the hourglass has run out."""
        course, fold = self._course, self._course.fold
        if course.step is None or not isinstance(course.step.device, RunGlass):
            return
        if fold.device.stage is not Stage.OVER:
            return
        if sight.at >= course.changed_at and fold.buzzer != f"buzzer-{fold.state_id}":
            name = f"buzzer-{fold.state_id}"
            event = course.append("buzzer", self._cause, {"picture": name})
            self._keep(name, sight.picture(None), event)

    def _evidence_names(self) -> tuple[str, ...]:
        """Names for the pictures of the next event: the table, after the one at the buzzer if new.

        The step after an hourglass compares the two.
        """
        fold = self._course.fold
        recent = {f"buzzer-{fold.state_id}", f"buzzer-{fold.state_id - 1}"}
        buzzer = (fold.buzzer,) if fold.buzzer in recent else ()
        return (*buzzer, f"verdict-{fold.seq + 1}")

    def _file(
        self, names: tuple[str, ...], verdict: Verdict[MoveT], sight: Sight, event: Event
    ) -> None:
        """Keeps the pictures of an event."""
        if not names:
            return
        self._keep(names[-1], sight.picture(verdict), event)
        if self._pictures is not None:
            for name in names[:-1]:
                self._pictures.tie(name, event.seq)

    def _keep(self, name: str, picture: bytes | None, event: Event) -> None:
        if self._pictures is None or picture is None:
            return
        self._pictures.keep(name, picture, event.at)
        self._pictures.tie(name, event.seq)
