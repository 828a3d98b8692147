"""Matches on record, made quickly: whole games entered by hand, on a clock of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from referee.games.tumult_royale import GREEDY, MODEST, STEADY, Move, State, play
from referee.games.tumult_royale.edition import edition_text
from referee.games.tumult_royale.game import TumultRoyale, load
from referee.journal import Cause, Entry, EvidenceStore, Journal, evidence_path, header_of, software
from referee.match.commands import Command, Do
from referee.match.match import Match, View

#: 1 May 2026, 18:30 UTC.
BEGUN = 1_777_660_200.0
#: Seconds that people take for a move.
MOVE_S = 7.0
#: A picture of a table, or nearly so.
JPEG = cv2.imencode(".jpg", np.full((90, 160, 3), (70, 110, 150), np.uint8))[1].tobytes()


class Recorded:
    """A match on record; closed when it is made."""

    def __init__(
        self,
        folder: Path,
        name: str,
        people: Mapping[str, str],
        *,
        seed: int = 1,
        moves: int | None = None,
        at: float = BEGUN,
    ) -> None:
        """`people` are names by colour; so many `moves` are played, or the whole game."""
        text = edition_text("kit")
        game, rng = load(text), Random(seed)
        setup = game.draw({"seats": ",".join(people)}, rng)
        start = game.begin(setup)
        self.path, self.now, self._serial = folder / f"{name}.match", at, 0
        header = header_of(
            game=game.name,
            edition=game.edition,
            edition_text=text,
            setup=setup,
            people=people,
            calibration="",
        )
        with Journal.create(self.path, header, now=lambda: self.now) as journal:
            Match.begin(game, journal, start, "Ann")
            self._take_up(game, journal)
            tempers = [GREEDY, MODEST, STEADY, MODEST][: len(people)]
            before = start
            for number, (move, after) in enumerate(play(start, tempers, rng)):
                if number == moves:
                    break
                self.say(Do.ENTER, game.write_move(move, before))
                before = after
        self._game = game

    @contextlib.contextmanager
    def going_on(self) -> Iterator[Recorded]:
        """Opens the match once more."""
        with Journal.open(self.path, now=lambda: self.now) as journal:
            self._take_up(self._game, journal)
            yield self

    def _take_up(self, game: TumultRoyale, journal: Journal) -> None:
        self._match: Match[State, Move] = Match(game, journal, now=self.now, wall=lambda: self.now)

    @property
    def view(self) -> View[State, Move]:
        """The match as it is now."""
        return self._match.view

    def started(self) -> None:
        """The program was started again."""
        self._match.note_run(software())

    def say(self, do: Do, text: str = "", reason: str = "", to: int = -1) -> None:
        """What a person wants, a while later."""
        self.now += MOVE_S
        self._serial += 1
        state = self._match.view.state_id
        command = Command(do, state, f"c{self._serial}", "Ann", text, reason, to)
        answer = self._match.command(command, self.now)
        assert answer.accepted, answer.text

    def saw(self, data: Mapping[str, Any], *pictures: str) -> None:
        """What the camera saw since, with pictures that are kept."""
        self.now += MOVE_S
        with Journal.open(self.path, now=lambda: self.now) as journal:
            entry = Entry(
                "verdict",
                Cause("camera"),
                self.view.state_id,
                {"verdict": data, "evidence": list(pictures)},
            )
            event = journal.append(entry)
        store = EvidenceStore(evidence_path(self.path))
        for picture in pictures:
            store.keep(picture, JPEG, self.now)
            store.tie(picture, event.seq)
        store.close()
