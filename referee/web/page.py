"""A running match as it is shown: its documents, its pictures, its health; and commands for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from referee.games.game import Game, MoveT, StateT
from referee.games.said import joined, say
from referee.match.commands import Answer, Command
from referee.match.lineage import lineage
from referee.match.live import Live
from referee.match.match import View, before_review
from referee.match.verdict import Reason
from referee.match.watch import Watch
from referee.web.documents.judge import JudgeDocument
from referee.web.documents.moment import Moment
from referee.web.documents.overlay import OverlayDocument
from referee.web.documents.parts import Parts
from referee.web.documents.table import TableDocument
from referee.web.pictures import Kept, Pictures
from referee.web.publish import PUBLIC, Audience
from referee.web.reading import Readings
from referee.web.words import Words
from vision.session import Look

Json = dict[str, Any]

#: A picture older than this means that nobody watches the table any more.
STALE_S = 5.0


class MatchPage(Generic[StateT, MoveT]):
    """Reads what a running match publishes, and hands it commands.

    May be used by many threads, but for `wait` and `documents`, which are for one.
    """

    def __init__(
        self,
        game: Game[StateT, MoveT],
        live: Live[StateT, MoveT],
        watch: Watch | None,
        kept: Kept | None,
        art: Callable[[str], NDArray[np.uint8] | None],
        *,
        people: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`kept` has the evidence; `art` gives a drawing of the game by name as BGRA, if there is.

        `people` are the names of those who play by their seat's colour; `clock` is the cameras'.
        """
        self._game, self._live, self._watch, self._clock = game, live, watch, clock
        self.pictures = Pictures(kept, art)
        self._readings = Readings()
        words = Words(game)
        parts = Parts(game, words, live.view.position, people or {})
        self._words = words
        self._table = TableDocument(parts, self.pictures.sealed)
        self._overlay, self._judge = OverlayDocument(parts), JudgeDocument(parts, self._table)
        self._lock = threading.Lock()
        self._seq = -1
        self._made_of: tuple[Any, ...] = ()
        """Of what the newest documents were made."""
        self._held: tuple[int, dict[Audience, Json]] = (-1, {})
        """The public documents as they were when a review began, and the number of that event."""
        self._last: Moment[StateT, MoveT] | None = None
        """What the public was shown last outside a review."""

    @property
    def view(self) -> View[StateT, MoveT]:
        """The match as it is on record now."""
        return self._live.view

    @property
    def look(self) -> Look | None:
        """The newest picture that was looked at; None if there is none."""
        return None if self._watch is None else self._watch.newest

    def command(self, command: Command) -> Answer:
        """Has a person's command done; waits until it is on record or refused."""
        return self._live.command(command)

    def undoes_last(self, to: int) -> bool:
        """Whether going back to a state takes back no more than the last move."""
        states = lineage(self._live.view.origins)
        return len(states) > 1 and to in (states[1], -1)

    def wait(self, timeout: float) -> None:
        """Returns when there is an event that no document tells of yet, or after `timeout` s."""
        self._live.wait(self._seq, timeout)

    def documents(self) -> dict[Audience, Json]:
        """What each audience is shown now; empty if nothing has changed."""
        view = self._live.view
        self._seq = view.seq
        moment = self._moment(view)
        settled = None if moment.reading is None else moment.reading.settled
        made_of = (
            *(view.seq, view.verdict, view.marks, dict(view.corrections), view.trouble),
            *(id(settled), moment.reading and moment.reading.current),
            *(moment.troubles, moment.look is None),
        )
        if made_of == self._made_of:
            return {}
        with self._lock:
            documents = {audience: self._document(audience, moment) for audience in Audience}
        self._made_of = made_of
        return documents

    def health(self) -> Json:
        """Whether the table is being watched and the record can be written; `ok` if both are."""
        age, watch = self._age(), self._watch
        watched = watch is None or (age is not None and age <= STALE_S)
        camera = None
        if watch is not None:
            camera = {
                "frame_age_s": None if age is None else round(age, 2),
                "trouble": watch.trouble,
                "vision_failures": watch.failures,
            }
        return {
            "ok": watched and not self._live.trouble,
            "camera": camera,
            "box": self._live.box_trouble,
            "journal": self._live.trouble,
            "evidence": self.pictures.trouble,
        }

    def _document(self, audience: Audience, moment: Moment[StateT, MoveT]) -> Json:
        if audience is Audience.JUDGE:
            return self._judge.of(moment)
        review = moment.view.review
        if review is None:
            self._last = moment
            return self._of_public(audience, moment)
        if self._held[0] != review.seq:
            self._held = (review.seq, self._before(moment))
        return self._held[1][audience]

    def _before(self, moment: Moment[StateT, MoveT]) -> dict[Audience, Json]:
        """The public documents as they were when the review began."""
        # After a restart nobody knows any more how the table lay then.
        last = self._last or replace(moment, reading=None)
        past = replace(last, view=before_review(self._game, moment.view))
        return {each: {**self._of_public(each, past), "review": True} for each in PUBLIC}

    def _of_public(self, audience: Audience, moment: Moment[StateT, MoveT]) -> Json:
        return self._table.of(moment) if audience is Audience.TABLE else self._overlay.of(moment)

    def _moment(self, view: View[StateT, MoveT]) -> Moment[StateT, MoveT]:
        look = self.look
        reading = self._readings.of(look, view.corrections)
        troubles = self._troubles(view)
        return Moment(view, reading, troubles, self._watch is not None, look)

    def _age(self) -> float | None:
        """Seconds since the newest picture was taken; None if there is none."""
        look = self.look
        return None if look is None else self._clock() - look.frame.captured_at

    def _troubles(self, view: View[StateT, MoveT]) -> tuple[tuple[str, str], ...]:
        """What does not work, in sentences; the match goes on by hand."""
        needs_box = view.step is not None and view.step.device is not None
        troubles = [
            ("record", self._live.trouble),
            ("camera", self._camera_trouble()),
            ("box", view.trouble or (self._live.box_trouble if needs_box else "")),
            ("evidence", self.pictures.trouble),
        ]
        return tuple((part, text) for part, text in troubles if text)

    def _camera_trouble(self) -> str:
        if self._watch is None:
            return ""
        look, age = self.look, self._age()
        if self._watch.trouble:
            return self._watch.trouble
        if look is None or age is None:
            return say("The camera has sent no picture yet.")
        if age > STALE_S:
            old = say("The newest picture is {age} s old.", age=f"{age:.0f}")
            return joined([old, say("Enter by hand what happens meanwhile.")])
        if look.tracked.plane is None:
            # Where the table ends is not known: all of the picture is black.
            lost = Reason.PLANE_NOT_FOUND
            return joined([lost.sentence(1), lost.remedy])
        return ""
