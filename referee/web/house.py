"""The house that a referee works for: its settings, its camera and box, and at most one open match.

Camera and box stay from one match to the next. Whatever a match rests on can't be changed while it
runs. All of it may be used by many threads; none of it waits for a picture.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from referee.box.errors import BoxError
from referee.box.protocol import Parts as BoxParts
from referee.games.game import Game
from referee.games.loading import load_game
from referee.games.said import joined, say
from referee.journal import (
    Found,
    Journal,
    JournalError,
    find,
    header_of,
    latest_matches,
    new_path,
)
from referee.match.commands import Ended
from referee.match.match import Match
from referee.web.gear import Gear, Opened
from referee.web.setup.plugged import Parts, Plugged
from referee.web.setup.running import HouseError, run
from referee.web.setup.settings import (
    Settings,
    default_file,
    read_settings,
    write_settings,
)
from vision.camera import Held, without_password

__all__ = ["FIXED", "Gear", "House", "HouseError", "Opened"]

#: Settings that a match rests on: they don't change while one runs.
FIXED = ("camera", "lens", "mains", "box", "edition", "book")


class House:
    """Everything that outlives a match."""

    def __init__(
        self,
        gear: Gear,
        folder: Path,
        *,
        file: Path | None = None,
        overrides: Mapping[str, object] | None = None,
        chance: Random | None = None,
    ) -> None:
        """`folder` is where matches lie, `file` holds the settings; without one: the user's own.

        `overrides` hold instead of what the file says, until another value is chosen; `chance`
        draws what people leave to it. Raises SettingsError if the file can't be used.
        """
        self.gear, self.folder, self.file = gear, folder, file or default_file()
        self._saved = read_settings(self.file)
        self._overrides = dict(overrides or {})
        self._saved.changed(self._overrides)
        self.plugged = Plugged(gear, lambda: self.settings)
        self._lock = threading.RLock()
        self._match: Opened | None = None
        self._stack = ExitStack()
        self._closed: list[Callable[[], None]] = []
        self._chance = chance or SystemRandom()

    @property
    def settings(self) -> Settings:
        """The settings that hold now."""
        return self._saved.changed(self._overrides)

    @property
    def match(self) -> Opened | None:
        """The open match; None if there is none. It is replaced, never changed."""
        return self._match

    @property
    def running(self) -> bool:
        """Whether a match is open whose game is not over."""
        match = self._match
        return match is not None and not match.over

    @property
    def held(self) -> tuple[Held, ...]:
        """What the camera was set to, and whether it held; empty if there is nothing to set."""
        live = self.plugged.live
        return () if live is None else live.report

    def on_close(self, call: Callable[[], None]) -> None:
        """Has `call` called before all is closed: for whoever uses the camera or the box."""
        self._closed.append(call)

    def change(self, **values: object) -> Settings:
        """Saves other settings; returns those that hold.

        Raises SettingsError for what is not allowed or can't be written, HouseError for what a
        running match rests on.
        """
        with self._lock:
            before = self.settings
            after = before.changed(values)
            self.allowed(name for name in FIXED if getattr(after, name) != getattr(before, name))
            saved = self._saved.changed(values)
            write_settings(self.file, saved)
            self._saved = saved
            for name in values:
                self._overrides.pop(name, None)
            if after.mains != before.mains:
                self.plugged.reopen()
            return self.settings

    def allowed(self, names: Iterable[str]) -> None:
        """Raises HouseError if one of these settings can't be changed now."""
        changed, match = list(names), self._match
        if changed and match is not None and not match.over:
            raise HouseError(
                say(
                    "While the match {match} runs, nothing that it rests on may change "
                    "({settings}): its verdicts must stay those of one table.",
                    match=match.id,
                    settings=joined([Settings.title(name) for name in changed], ", "),
                ),
                say("Finish the match, or end it, then change this."),
            )

    def unfinished(self) -> list[Found]:
        """The matches on disk that can be taken up, the newest first."""
        return [
            found
            for found in latest_matches(self.folder)
            if not found.finished and not found.trouble and found.events
        ]

    def begin(
        self,
        seats: Mapping[str, str],
        *,
        ranks: str | None = None,
        regions: str | None = None,
        by: str = "host",
    ) -> Opened:
        """Begins a match: `seats` are the names of those who play by colour, as they sit.

        Ranks and regions are drawn if not given. A match whose game is over is closed. Raises
        HouseError if one runs, ValueError for what the rules don't allow, UnreadableError or
        JournalError if a part can't be used.
        """
        with self._lock:
            self._vacate()
            text = self.gear.edition(self.settings.edition)
            game = load_game(self.gear.game, text)
            given = {"seats": ",".join(seats), "ranks": ranks, "regions": regions}
            wanted = {key: value for key, value in given.items() if value}
            drawn = game.draw(wanted, self._chance)
            start = game.begin(drawn)
            camera = self.plugged.camera()
            header = header_of(
                game=game.name,
                edition=game.edition,
                edition_text=text,
                setup=drawn,
                people=seats,
                calibration=without_password(camera or ""),
            )
            with ExitStack() as stack:
                parts = self.plugged.parts(camera, stack)
                path = new_path(self.folder, time.time())
                journal = Journal.create(path, header, now=time.time)
                stack.callback(journal.close)
                Match.begin(game, journal, start, by)
                return self._open(journal, game, parts, stack)

    def take_up(
        self, match_id: str | None = None, *, changed: str = "", at_start: bool = False
    ) -> Opened:
        """Goes on with a match that is on disk: the newest unfinished one if none is named.

        `changed` says why it goes on though the program changed meanwhile; `at_start`: it must
        stand at its start. Raises HouseError if one runs, if it does not stand there, or none is
        there to go on with; else as `begin`.
        """
        with self._lock:
            self._vacate()
            if match_id is None:
                left = self.unfinished()
                if not left:
                    raise HouseError(say("No match is unfinished."), say("Begin a new one."))
                path = left[0].path
            else:
                path = find(self.folder, match_id)
            with ExitStack() as stack:
                journal = Journal.open(path, now=time.time)
                stack.callback(journal.close)
                header = journal.header
                game = load_game(str(header["game"]), str(header["edition_text"]))
                parts = self.plugged.parts(self.plugged.camera(), stack)
                return self._open(journal, game, parts, stack, changed, at_start)

    def end(self, who: str, why: str) -> None:
        """Ends the open match, finished or not; if it is not, who ended it and why go on record.

        Raises HouseError if none is open, or a reason is needed and not given; JournalError if it
        could not be put on record: then it is still open.
        """
        with self._lock:
            match = self._match
            if match is None:
                raise HouseError(say("No match is open."), say("Nothing need be ended."))
            if not match.over:
                if not why.strip():
                    raise HouseError(
                        say("Why the match is ended is not said."), say("Give a reason.")
                    )
                answer = match.live.command(Ended(who, why.strip()))
                if not answer.accepted:
                    raise JournalError(answer.text, say("Try again."))
                if match.box is not None and match.box.connected:
                    with contextlib.suppress(BoxError):
                        match.box.cancel(BoxParts.GLASS | BoxParts.SPINNER)
            self._leave()

    def put_away(self) -> None:
        """Closes the open match, if there is one; one that is not finished can be taken up."""
        with self._lock:
            self._leave()

    def close(self) -> None:
        """Closes all; a match that is not finished can be taken up again."""
        while self._closed:
            self._closed.pop()()
        with self._lock:
            self.plugged.unplug()
            self._leave()
            self.plugged.close()

    def __enter__(self) -> House:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _vacate(self) -> None:
        """Closes a match whose game is over; raises HouseError if one runs."""
        if self.running and self._match is not None:
            raise HouseError(
                say("The match {match} is not finished.", match=self._match.id),
                say("Go on with it, or end it, then begin another one."),
            )
        self._leave()

    def _open(
        self,
        journal: Journal,
        game: Game[Any, Any],
        parts: Parts,
        stack: ExitStack,
        changed: str = "",
        at_start: bool = False,
    ) -> Opened:
        """Runs the match of a journal; `stack` closes what was opened for it before."""
        opened = run(self.gear, self.plugged, journal, game, parts, stack, changed, at_start)
        self._stack, self._match = stack.pop_all(), opened
        self.gear.plays(opened)
        return opened

    def _leave(self) -> None:
        """Closes the open match, if there is one."""
        if self._match is None:
            return
        self.gear.over()
        self._match = None
        self._stack.close()
