"""What setting up a house needs beside the house itself; it outlives every page that shows it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

from referee.box.ports import Found as FoundPort
from referee.box.ports import found_ports
from referee.claims import layout_of
from referee.games.game import Game
from referee.games.loading import load_form, load_game
from referee.games.said import say
from referee.games.table import TablePlan
from referee.web.house import House, HouseError
from referee.web.setup.boxtrial import BoxTrial
from referee.web.setup.checking import Checking, acceptance_of
from referee.web.setup.editing import Editing
from referee.web.setup.jobs import Job
from referee.web.setup.listing import Listing
from referee.web.setup.settings import KIT, NONE
from referee.web.setup.sights import Eye, Sight
from referee.web.setup.teaching import Photo, Taught, photographed, saved, taught
from vision.camera import Found
from vision.layout import Layout


class Desk:
    """For any thread; nothing here waits for a camera or a box."""

    def __init__(self, house: House) -> None:
        self.house = house
        folder = house.file.parent
        self.books = folder / "books"
        self.editions = Editing(load_form(house.gear.game), folder / "editions")
        self.cameras: Listing[Found] = Listing(house.gear.cameras)
        self.ports: Listing[FoundPort] = Listing(found_ports)
        self.box = BoxTrial(house.plugged.box)
        self.photo: Job[Photo] = Job("find pieces")
        self.lesson: Job[Taught] = Job("teach faces")
        self._eyes: dict[str, Eye] = {}
        house.on_close(self.close)
        self._lock = threading.Lock()
        self._checking: Checking | None = None
        self._widest: tuple[Game[Any, Any], TablePlan] | None = None

    @property
    def chosen(self) -> str | None:
        """The camera that is used; None if none is, or it is not clear which."""
        spec = self.house.settings.camera
        if spec:
            return None if spec == NONE else spec
        found = self.cameras.found()
        return found[0].spec if len(found) == 1 else None

    def eye(self, spec: str) -> Eye:
        """What looks at a camera; the table's markers are looked for by the one that is used."""
        with self._lock:
            if spec not in self._eyes:
                self._eyes[spec] = Eye(
                    lambda: self.house.plugged.tap(spec),
                    lambda: self.layout() if spec == self.chosen else None,
                    lambda: self.house.running,
                )
            return self._eyes[spec]

    def sight(self) -> Sight | None:
        """What the camera that is used sees; None if none is."""
        chosen = self.chosen
        return None if chosen is None else self.eye(chosen).sight()

    def game(self) -> Game[Any, Any] | None:
        """The game that is played, or would be; None as long as its edition has open values."""
        if self.house.match is not None:
            return self.house.match.game
        try:
            text = self.house.gear.edition(self.house.settings.edition)
        except ValueError:
            return None
        return _game(self.house.gear.game, text)

    def plan(self) -> TablePlan | None:
        """The table of the match that is open, or of one with as many players as there can be."""
        if self.house.match is not None:
            match = self.house.match
            return match.game.plan(match.live.view.position)
        game = self.game()
        if game is None:
            return None
        if self._widest is None or self._widest[0] is not game:
            self._widest = game, _widest(game)
        return self._widest[1]

    def layout(self) -> Layout | None:
        """The same as vision is told of it."""
        plan = self.plan()
        return None if plan is None else layout_of(plan)

    def photograph(self, rows: int, columns: int) -> None:
        """Finds the pieces in the picture of now; raises UnreadableError if there is none."""
        sight, plan = self.sight(), self.plan()
        if sight is None or sight.frame is None:
            raise HouseError(
                say("There is no picture of a camera."), say("Choose a camera first, then again.")
            )
        image = sight.frame.image.copy()
        width, height = (1.0, 1.0) if plan is None else plan.tile
        self.lesson.forget()
        self.photo.start(lambda: photographed(image, (rows, columns), width / height))

    def teach(self, names: list[str]) -> None:
        """Teaches the pieces of the photo; raises HouseError if there is none."""
        photo = self.photo.result
        if photo is None:
            raise HouseError(say("No photo was taken yet."), say("Take one, then name its pieces."))
        self.lesson.start(lambda: taught(photo, names))

    def keep_faces(self, name: str) -> None:
        """Saves what was taught, and uses it. Raises UnreadableError if that can't be."""
        lesson = self.lesson.result
        if lesson is None:
            raise HouseError(say("Nothing was taught yet."), say("Take a photo, then teach."))
        self.house.allowed(["book"])
        self.house.change(book=str(saved(lesson, self.books, name)))

    def known_books(self) -> list[tuple[str, str]]:
        """Name and file of the faces that can be chosen, the kit's first."""
        own = sorted(self.books.glob("*.book"))
        return [(KIT, KIT), *((file.stem, str(file)) for file in own)]

    def edition(self, name: str) -> dict[str, Any]:
        """An edition as a table; raises UnreadableError if there is none."""
        text = ""
        if self.editions.ours(name):
            text = self.house.gear.edition(name)
        elif name not in self.editions.names():
            raise HouseError(
                say("There is no edition {name}.", name=repr(name[:40])), say("Choose another one.")
            )
        return self.editions.table(name, text)

    def enter(self, name: str, base: str, values: Mapping[str, Any]) -> None:
        """Enters values into an edition; `base` is copied if there is none of that name yet.

        Raises UnreadableError if that can't be, HouseError while a match runs on it.
        """
        if self.editions.spec(name) == self.house.settings.edition:
            self.house.allowed(["edition"])
        table = self.edition(name if name in self.editions.names() else base)
        if name not in self.editions.names():
            values = {"name": name, **values}
        self.editions.save(name, self.editions.entered(table, values))

    @property
    def checking(self) -> Checking | None:
        """The check of the match that is open, or the one that was broken off last."""
        return self._checking

    def check(self, by: str) -> None:
        """Begins a check; raises HouseError if no match stands at its start."""
        with self._lock:
            match, before = self.house.match, self._checking
            if match is None or not match.at_start:
                raise HouseError(
                    say("A check needs a match that has just begun."), say("Begin a match first.")
                )
            if before is not None and before.running:
                return
            self._checking = Checking(
                match.id,
                lambda: acceptance_of(self.house, match, by),
                lambda: None if match.watch is None else match.watch.stop(),
                self.house.put_away,
            )

    def break_off(self) -> None:
        """Breaks a check off, if one is under way."""
        checking = self._checking
        if checking is not None and checking.running:
            checking.stop()

    def end(self, who: str, why: str) -> None:
        """Ends the match as the house does, and a check before it."""
        checking = self._checking
        if checking is not None and checking.running:
            raise HouseError(
                say("A check is under way."), say("Break it off first, then end the match.")
            )
        self.house.end(who, why)

    def close(self) -> None:
        """Lets go of cameras and box, ends a check."""
        self.break_off()
        self.box.stop()
        for eye in list(self._eyes.values()):
            eye.stop()


@lru_cache(4)
def _game(name: str, text: str) -> Game[Any, Any] | None:
    try:
        return load_game(name, text)
    except ValueError:
        return None


def _widest(game: Game[Any, Any]) -> TablePlan:
    """The table with as many players as there can be."""
    seats = ",".join(chair.word for chair in game.chairs[: max(game.players)])
    return game.plan(game.begin(game.draw({"seats": seats}, Random(0))))
