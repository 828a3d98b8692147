"""A live match: commands of people, what the camera settles and what the box tells make its record.

Single-threaded; time is injected. Nothing is shown before it is in the journal, and after a restart
the journal alone says where the match is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic

from referee.games.game import Game, MoveT, Sheet, StateT, Step
from referee.games.said import joined, say
from referee.journal import Cause, Entry, Journal
from referee.match.commands import Answer, Checked, Command, Ended, News, Order, Sight
from referee.match.course import Course
from referee.match.device import Device
from referee.match.fold import DeviceRun, Review
from referee.match.lineage import Origins
from referee.match.people import People
from referee.match.verdict import Verdict
from referee.match.watcher import Pictures, Watcher


@dataclass(frozen=True)
class View(Generic[StateT, MoveT]):
    """What is known and shown at one moment; never changed, only replaced."""

    match: str
    state_id: int
    seq: int
    """Number of the last event on record."""
    positions: tuple[StateT, ...]
    """All positions by state id; the last one holds."""
    cause: Cause
    """Who led to it."""
    step: Step[MoveT] | None
    """What must happen next; None if the game is over."""
    sheet: Sheet
    verdict: Verdict[MoveT] | None
    """What the referee says of the table now; None: nothing to say yet."""
    marks: tuple[int, ...]
    """Identities of the tiles that it concerns, as long as they lie there."""
    corrections: Mapping[int, str]
    """What people said that tiles show, by identity."""
    told: tuple[str, ...]
    """The last move in words."""
    moves: tuple[str, ...]
    """The move that led to each state; empty where it was no move."""
    origins: Origins
    """The state that each was first: an earlier one where somebody went back to it."""
    device: DeviceRun
    trouble: str
    """Why the box can't do its part, and what to do; empty if it can."""
    behind: bool
    """Whether the table does not yet show what was entered by hand."""
    apart: bool
    """Whether verdicts pause, because the table contradicts the record."""
    evidence: tuple[str, ...]
    """Names of the pictures that the verdict rests on, or the last move if there is none."""
    moved_on: tuple[str, ...]
    """Names of the pictures that the last move rests on; empty if it was entered by hand."""
    review: Review[StateT] | None
    """The review that is going on; None if there is none."""

    @property
    def position(self) -> StateT:
        """The position that holds."""
        return self.positions[-1]


class Match(Generic[StateT, MoveT]):
    """One match of one game; not for use by several threads."""

    def __init__(
        self,
        game: Game[StateT, MoveT],
        journal: Journal,
        *,
        now: float,
        wall: Callable[[], float],
        pictures: Pictures | None = None,
        camera: str = "camera",
    ) -> None:
        """Takes up the match of a journal that has begun: see `begin`.

        `now` is the time of the clock that `see` and `tick` are told, `wall` gives UTC seconds.
        Raises ValueError if the journal is not of this game and edition, or has not begun.
        """
        self._course: Course[StateT, MoveT] = Course(game, journal, now, wall)
        self._watcher = Watcher(self._course, pictures, camera)
        self._people = People(self._course, self._watcher)
        self._device = Device(self._course, self._people.command)

    @staticmethod
    def begin(game: Game[StateT, MoveT], journal: Journal, position: StateT, by: str) -> None:
        """Writes the start of a match into a new journal."""
        journal.append(
            Entry(
                "begin",
                Cause("person", by),
                0,
                {
                    "position": game.write_state(position),
                    "round": game.sheet(position).round,
                    "over": False,
                },
            )
        )

    def note_run(self, software: Mapping[str, Any], why_changed: str = "") -> None:
        """Notes that the program was started for this match, and with which parts.

        Nothing changes during a match: raises ValueError if a part is not what it was at the last
        start, unless `why_changed` says why it is to go on all the same.
        """
        course = self._course
        differ = changed_parts(course.software, software)
        if differ and not why_changed:
            raise ValueError(
                say(
                    "Since this match began these have changed: {parts}. Nothing may change during "
                    "a match: go on with the program as it was, or say why with --changed.",
                    parts=joined(differ, ", "),
                )
            )
        data = {"software": dict(software), "changed": list(differ), "reason": why_changed}
        # A match that was ended, and is taken up all the same, is not finished any more.
        going_on = course.place(course.fold.position) if course.fold.ended else {}
        course.append("run", Cause("referee"), {**data, **going_on})

    @property
    def view(self) -> View[StateT, MoveT]:
        """The match as it is now."""
        course, fold = self._course, self._course.fold
        return View(
            match=course.id,
            state_id=fold.state_id,
            seq=fold.seq,
            positions=fold.positions,
            cause=fold.cause,
            step=course.step,
            sheet=course.game.sheet(fold.position),
            verdict=course.verdict,
            marks=course.marks,
            corrections=self._watcher.corrections,
            told=fold.told,
            moves=fold.moves,
            origins=fold.origins,
            device=fold.device,
            trouble=course.trouble,
            behind=fold.behind,
            apart=fold.apart,
            evidence=course.moved_on if course.verdict is None else course.said_on,
            moved_on=course.moved_on,
            review=fold.review,
        )

    @property
    def unwritten(self) -> str:
        """Why the last event could not be put on record; empty if it could."""
        return self._course.unwritten

    @property
    def second_look(self) -> bool:
        """Whether the table should be read again although it seems unchanged."""
        return self._watcher.second_look

    @property
    def game(self) -> Game[StateT, MoveT]:
        """The rules that it is played by."""
        return self._course.game

    def orders(self) -> list[Order]:
        """What the box is to do, each told once."""
        orders, self._course.orders = self._course.orders, []
        return orders

    def command(self, command: Command, now: float) -> Answer:
        """Does what a person wants, or says in a sentence why not; what comes twice is done once.

        Raises JournalError if it could not be put on record: then nothing has happened.
        """
        return self._people.command(command, now)

    def checked(self, found: Checked) -> Answer:
        """Puts what an acceptance found on record. Raises JournalError as `command` does."""
        self._course.append("check", Cause("person", found.by), found.data)
        return Answer(True, self._course.fold.state_id)

    def end(self, ended: Ended) -> Answer:
        """Puts on record that the match ends here. Raises JournalError as `command` does."""
        course = self._course
        at = course.place(course.fold.position)
        data = {**at, "over": True, "reason": ended.reason}
        course.append("end", Cause("person", ended.by), data)
        return Answer(True, course.fold.state_id)

    def told(self, news: News, now: float) -> None:
        """Takes what the box tells."""
        self._device.told(news, now)

    def tick(self, now: float) -> None:
        """Ends an hourglass that the box does not run; says so if the camera has fallen silent."""
        self._device.tick(now)
        self._watcher.tick(now)

    def see(self, sight: Sight, now: float) -> None:
        """Takes what a frame gives."""
        self._watcher.see(sight, now)


def before_review(game: Game[StateT, MoveT], view: View[StateT, MoveT]) -> View[StateT, MoveT]:
    """The view as it was when the review began that goes on; the same if there is none.

    What the referee said of the table then is known only as long as the match has not gone on.
    """
    if view.review is None:
        return view
    fold, same = view.review.before, view.review.before.state_id == view.state_id
    return replace(
        view,
        state_id=fold.state_id,
        seq=fold.seq,
        positions=fold.positions,
        cause=fold.cause,
        step=game.step(fold.position),
        sheet=game.sheet(fold.position),
        verdict=view.verdict if same else None,
        marks=view.marks if same else (),
        corrections=view.corrections if same else {},
        told=fold.told,
        moves=fold.moves,
        origins=fold.origins,
        device=fold.device,
        trouble=view.trouble if same else "",
        behind=fold.behind,
        apart=fold.apart,
        evidence=view.evidence if same else (),
        moved_on=view.moved_on if same else (),
    )


def changed_parts(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    """The parts of the program that are not what they were: its version, networks.

    None if nobody noted what they were.
    """
    if not before:
        return ()
    parts = {key: value for key, value in before.items() if key != "models"}
    changed = [key for key, value in parts.items() if now.get(key, value) != value]
    models, models_now = before.get("models", {}), now.get("models", {})
    names = {*models, *models_now}
    return (
        *changed,
        *sorted(name for name in names if models.get(name) != models_now.get(name)),
    )
