"""A match for hours in simulated time: a filmed round is played, taken back, and played again."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from pathlib import Path

from referee.box.box import Box
from referee.box.fake import FakeBoard, fake_board, forget_fake_boards
from referee.claims import layout_of
from referee.cli.kitset import KitArt, kit_book, kit_dial
from referee.journal import EvidenceStore, Journal, evidence_path
from referee.kit.bare import BareBoards
from referee.match.boxside import BoxSide
from referee.match.commands import Answer, Command, Do, News, Sight
from referee.match.fold import Stage
from referee.match.match import Match
from referee.match.sighting import Sighting
from tests.referee.box.virtual import VirtualClock
from tests.referee.match.film import Film, Grain, Image, Scene
from tests.referee.match.lockstep import Lockstep
from tests.referee.simulation.random_match import EPOCH, header
from vision.camera import Frame
from vision.reader import TableReader
from vision.session import Session

FPS = 15
#: Seconds in which the table is left alone after a deed, and until a deed is given up.
REST_S, GIVE_UP_S = 3.0, 20.0
#: Real seconds in which the loop takes what the box tells.
TOLD_S = 30.0
#: Of so many rounds one has its hourglass ended by a person, after so many seconds.
STOPPED_EVERY, STOPPED_S = 3, 5.0
#: The board's clock is as far off as that of a cheap one. (ppm)
PPM = 3000


class Soak:
    """A match under a camera that shows a film, and people who play it and press everything."""

    def __init__(self, film: Film, path: Path, *, rest_s: float = REST_S) -> None:
        self.film, self.path, self.rest_s = film, path, rest_s
        self.count: Counter[str] = Counter()
        self.clock = VirtualClock()
        self._pump = Lockstep(self.clock)
        board = FakeBoard(clock_ppm=PPM)
        fake_board("soak", board, self.clock)
        self.journal = Journal.create(path, header(film.game), now=self._wall)
        Match.begin(film.game, self.journal, film.start, "soak")
        self._pictures = EvidenceStore(evidence_path(path))
        self.match = Match(
            film.game,
            self.journal,
            now=self.clock.now(),
            wall=self._wall,
            pictures=self._pictures,
        )
        plan = film.game.plan(film.start)
        reader = TableReader(layout_of(plan), kit_book(), dial=kit_dial(plan))
        self._session, self._sighting = Session(reader), Sighting()
        self._boards = BareBoards(plan, KitArt())
        self._box = Box("fake://soak", clock=self.clock, pump=self._pump)
        self._side = BoxSide(self._box, self._tell, lambda dial: dial.labels.index(self._spun))
        self._told: deque[tuple[News, Future[None]]] = deque()
        height, width = film.scenes[0].table.shape[:2]
        self._grain = Grain((width, height), seed=1)
        self._frame, self._serial, self._spun = 0, 0, ""
        self._due = self.clock.now()
        """When the last frame was to be taken."""
        self._read: Sight | None = None
        self._last: Command | None = None
        self._closed = False
        self._side.start()

    def close(self) -> None:
        """Ends it; all that it opened is closed."""
        self._closed = True
        self._hear()
        self._box.close()
        self._side.stop()
        self._pictures.close()
        self.journal.close()
        forget_fake_boards()

    def play(self) -> Iterator[None]:
        """Plays the round again and again; yields after each frame."""
        while True:
            for scene in self.film.scenes:
                if not (yield from self._scene(scene)):
                    self.count["given up"] += 1
                    break
            if self.match.view.state_id:
                self._say(Do.UNDO, to=0, reason="again")
            self.count["rounds"] += 1

    def _scene(self, scene: Scene) -> Generator[None, None, bool]:
        """Does a deed; False if the match does not go on although it should."""
        deed, before = scene.deed, self.match.view.state_id
        self._spun = deed.spin or self._spun
        for press in deed.before:
            self._say(Do(press.do), press.text)
        for hand in scene.hands:
            self._show(hand)
            yield
        if deed.glass_ends:
            yield from self._run_out(scene.table)
        for press in deed.presses:
            self._say(Do(press.do), press.text, reason=press.reason)
        left = self.clock.now()
        while deed.move is not None and self.match.view.state_id == before:
            if self.clock.now() - left > GIVE_UP_S:
                return False
            self._show(scene.table)
            yield
        yield from self._rest(scene.table)
        return True

    def _run_out(self, table: Image) -> Iterator[None]:
        """Waits for the end of the hourglass; now and then somebody ends it."""
        until = self.clock.now() + STOPPED_S
        while self.match.view.device.stage is Stage.RUNNING:
            self._show(table)
            yield
            if self.count["rounds"] % STOPPED_EVERY == 1 and self.clock.now() > until:
                self._say(Do.STOP)

    def _rest(self, table: Image) -> Iterator[None]:
        """Nothing happens at the table; people correct, note, and press what they pressed."""
        until = self.clock.now() + self.rest_s
        second = 0
        while self.clock.now() < until:
            self._show(table)
            yield
            second += 1
            if second % FPS == 0:
                self._idly()

    def _idly(self) -> None:
        """What changes no position: a note, a command sent twice, a stale one, a correction."""
        self._say(Do.NOTE, "a second has passed")
        if self._last is not None:
            self.match.command(self._last, self.clock.now())
        self._say(Do.ENTER, "anything", at=self.match.view.state_id - 1)
        sight, step = self._read, self.match.view.step
        asks = step is not None and step.ask is not None and step.ask.tiles is not None
        if asks and sight is not None and sight.claims is not None:
            store, claims = self.film.game.store, sight.claims
            for tile, label in sorted(claims.labels.items()):
                if claims.zones[tile] != store:
                    said = self._say(Do.CORRECT, label, to=sight.identities[tile])
                    self.count["corrections"] += said.accepted
                    break

    def _show(self, picture: Image) -> None:
        """One frame: time passes, the box tells, the table is looked at."""
        self._due += 1.0 / FPS
        self._pump.run(self._due)
        self._hear()
        now = self.clock.now()
        frame = Frame(self._grain.on(picture), self._frame, now)
        self._frame += 1
        placement = self.film.game.placement(self.match.view.position)
        self._session.lay_bare(self._boards.faces(placement))
        look = self._session.look(frame)
        sight = self._sighting.of(look)
        self.match.tick(now)
        self.match.see(sight, now)
        if self.match.second_look:
            self._session.look_again()
        self._read = sight if sight.claims is not None else self._read
        for order in self.match.orders():
            self._side.order(order)
        self.count["frames"] += 1
        self.count["read"] += look.observation is not None

    def _say(
        self, do: Do, text: str = "", *, at: int | None = None, reason: str = "", to: int = -1
    ) -> Answer:
        state = self.match.view.state_id if at is None else at
        self._serial += 1
        command = Command(do, state, f"c{self._serial}", "soak", text, reason, to)
        answer = self.match.command(command, self.clock.now())
        self.count["commands"] += 1
        if answer.accepted:
            self._last = command
        return answer

    def _hear(self) -> None:
        while self._told:
            news, done = self._told.popleft()
            self.match.told(news, self.clock.now())
            done.set_result(None)

    def _tell(self, news: News) -> None:
        """Called by the box's threads; returns when it is on record."""
        done: Future[None] = Future()
        self._told.append((news, done))
        if not self._closed:
            done.result(TOLD_S)

    def _wall(self) -> float:
        return EPOCH + self.clock.now()
