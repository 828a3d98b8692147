"""A match under a hail of commands: legal, illegal, garbled, stale, sent twice, out of order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, cast

from referee.claims import Claims, DoubtfulTile
from referee.games.table import PlacedTile, Placement
from referee.games.tumult_royale import (
    COLOURS,
    LABELS,
    NO_TILES,
    Build,
    Crown,
    FirstStatue,
    Laid,
    Move,
    Pass,
    Phase,
    Rank,
    Reveal,
    SetAside,
    ShowMercy,
    Spin,
    State,
    Tiles,
    TimeUp,
    TurnRegion,
    count,
    labels_of,
    legal_moves,
)
from referee.games.tumult_royale.game import TumultRoyale
from referee.journal import Entry, Event, Journal, canonical
from referee.match.commands import (
    Answer,
    Command,
    DeviceFails,
    Do,
    Drawn,
    GlassOver,
    GlassRuns,
    News,
    Presses,
    Sight,
    Stands,
)
from referee.match.fold import folded
from referee.match.match import Match, View
from referee.match.verdict import Reason

EPOCH = 1_800_000_000.0
GARBAGE = (
    "",
    "spin",
    "spin x",
    "yellow build",
    "aside -1",
    "\x00",
    "time",
    "mercy nobody",
    "ä" * 99,
)


class Memory:
    """A journal that forgets everything when the program ends; what it keeps has been JSON."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        self.id, self.header = "memory", header
        self._events: list[Event] = []

    def append(self, entry: Entry) -> Event:
        """Adds an event."""
        data = json.loads(canonical(entry.data))
        seq = len(self._events) + 1
        event = Event(entry.kind, entry.cause, entry.state, data, seq, 0.0, "")
        self._events.append(event)
        return event

    def events(self, after: int = 0) -> Iterator[Event]:
        """All events with a higher number."""
        yield from self._events[after:]


@dataclass
class Outcomes:
    """What became of a hail."""

    rounds: int = 0
    done: int = 0
    refused: int = 0
    confirmed: int = 0


class Hail:
    """One match and everything that is thrown at it; raises AssertionError where it gives way."""

    def __init__(
        self, game: TumultRoyale, start: State, journal: Journal | Memory, rng: Random
    ) -> None:
        self.game, self.rng = game, rng
        # A memory is all of a journal that a match uses.
        self.journal = cast(Journal, journal)
        self.now = 0.0
        Match.begin(game, self.journal, start, "test")
        self.match: Match[State, Move] = Match(
            game, self.journal, now=0.0, wall=lambda: EPOCH + self.now
        )
        self.view = self.match.view
        """As it was when the last thing was thrown."""
        self.outcomes = Outcomes()
        self._sent: list[Command] = []
        self._claims: Claims | None = None
        self._frame = 0
        self._overruled = [False]
        """For each state, whether people have decided against a rule on the way to it."""

    def throw(self) -> None:
        """One thing, after which everything must still be in order."""
        before = self.view
        self.now += self.rng.choice((0.0, 0.1, 1.0, 2.0))
        deed = self.rng.choices(_DEEDS, _WEIGHTS)[0]
        overrules = bool(deed(self))
        self.match.orders()
        self.view = after = self.match.view
        self._in_order(before, after, overrules)

    def check_fold(self) -> None:
        """The match is what its journal says."""
        fold, view = folded(self.game, self.journal.events()), self.view
        assert (fold.state_id, fold.seq) == (view.state_id, view.seq)
        assert (fold.position, fold.moves, fold.told) == (view.position, view.moves, view.told)
        assert (fold.device, fold.behind, fold.apart) == (view.device, view.behind, view.apart)
        for state, overruled in zip(fold.positions, self._overruled, strict=True):
            assert overruled or not self.game.faults(state), self.game.faults(state)

    def _in_order(
        self, before: View[State, Move], after: View[State, Move], overrules: bool
    ) -> None:
        if after.seq == before.seq:
            return
        assert 0 <= after.state_id - before.state_id <= 2
        while len(self._overruled) <= after.state_id:
            self._overruled.append(self._overruled[-1] or overrules)
        position = after.position
        assert self._overruled[-1] or not self.game.faults(position), (
            after.moves[-1],
            self.game.faults(position),
            self.game.write_state(position),
        )
        assert self.game.read_state(self.game.write_state(position)) == position
        self.outcomes.rounds += max(0, after.sheet.round - before.sheet.round)

    # People.

    def command(self, do: Do, **more: Any) -> Answer:
        """Sends a command that was decided on the state that holds."""
        view = self.view
        at = more.pop("at", view.state_id)
        return self.send(Command(do, at, f"c{len(self._sent)}", "test", **more))

    def send(self, command: Command) -> Answer:
        """Sends it; what is refused must have changed nothing."""
        answer = self.match.command(command, self.now)
        before, self.view = self.view, self.match.view
        self._sent.append(command)
        self.outcomes.done += answer.accepted
        self.outcomes.refused += not answer.accepted
        assert answer.state == self.view.state_id
        if not answer.accepted:
            assert answer.text
            assert self.view.seq == before.seq
        return answer

    def enter_legal(self) -> bool:
        """A legal move, entered by hand."""
        move = self._legal()
        if move is not None:
            self.command(Do.ENTER, text=self._text(move))
        return False

    def enter_any(self) -> bool:
        """Any move at all, now and then against the rules."""
        overrule = self.rng.random() < 0.3
        text = self._text(self._any_move())
        reason = self.rng.choice(("", "because"))
        answer = self.command(Do.ENTER, text=text, overrule=overrule, reason=reason)
        return answer.accepted and overrule

    def enter_garbage(self) -> bool:
        """No move."""
        text = self.rng.choice(GARBAGE)
        if self.rng.random() < 0.5:
            letters = list(self._text(self._any_move()))
            self.rng.shuffle(letters)
            text = "".join(letters)
        self.command(Do.ENTER, text=text)
        return False

    def press(self) -> bool:
        """A button."""
        do = self.rng.choice((Do.DONE, Do.DONE, Do.START, Do.START, Do.STOP, Do.RECORD_RIGHT))
        self.command(do)
        return False

    def rule_for_table(self) -> bool:
        """The table is right."""
        return self.command(Do.TABLE_RIGHT, reason="so it is").accepted

    def note_or_correct(self) -> bool:
        """A note, or another face for some tile."""
        if self.rng.random() < 0.5:
            self.command(Do.NOTE, text=self.rng.choice(("", "a note")))
            return False
        to, text = self.rng.randrange(-1, 40), self.rng.choice((*LABELS, "no face"))
        self.command(Do.CORRECT, text=text, to=to, frame=self._frame)
        return False

    def go_back(self) -> bool:
        """An undo, to anywhere."""
        view = self.view
        to = self.rng.randint(-1, view.state_id + 1)
        if to < view.state_id - 3 and self.rng.random() < 0.9:
            return False
        answer = self.command(Do.UNDO, to=to, reason="slip")
        target = to if to >= 0 else view.state_id - 1
        if answer.accepted:
            self._overruled.append(self._overruled[target])
        return False

    def set_position(self) -> bool:
        """A position that was there before, or one with something wrong with it."""
        state = self.view.position
        if self.rng.random() < 0.2:
            state = replace(state, supply=state.supply + self.rng.choice((0, 1)))
        text = self.game.write_state(state)
        if self.rng.random() < 0.2:
            text = text[: self.rng.randrange(len(text))]
        reason = self.rng.choice(("", "because"))
        return self.command(Do.POSITION, text=text, reason=reason).accepted

    def send_again(self) -> bool:
        """What was sent already, once more: it is done once."""
        if self._sent:
            command = self.rng.choice(self._sent[-20:])
            before = self.view
            self.send(command)
            assert self.view.seq == before.seq or command.do is Do.NOTE
        return False

    def send_stale(self) -> bool:
        """What was decided on another state."""
        move = self._legal()
        if move is not None:
            at = self.view.state_id + self.rng.choice((-2, -1, 1, 5))
            assert not self.command(Do.ENTER, text=self._text(move), at=at).accepted
        return False

    # The box and the camera.

    def news(self) -> bool:
        """Anything that a box might tell, whether it fits or not."""
        label = self.rng.choice(("2", "3", "4", "5", "9"))
        news: News = self.rng.choice(
            (
                Drawn(label),
                Stands(label),
                GlassRuns(self.now + 20.0),
                GlassOver(self.now),
                DeviceFails("It is gone.", "Plug it in."),
                Presses(),
                Presses(judge=True),
            )
        )
        self.match.told(news, self.now)
        self.match.tick(self.now)
        return False

    def see_nothing(self) -> bool:
        """A frame that could not be read."""
        self._see(None, self.rng.choice(list(Reason)))
        return False

    def see_again(self) -> bool:
        """The same table, some time later."""
        self.now += 2.0
        self._see(None if self._claims is None else replace(self._claims))
        return False

    def see_table(self) -> bool:
        """A table: as on record, after a move, or after nonsense; read well, or badly."""
        state = self.view.position
        kind = self.rng.random()
        move = self._legal() if kind < 0.7 else self._any_move() if kind < 0.85 else None
        shown = state
        if move is not None and self.game.possible(state, move):
            shown = self.game.apply(state, move)
        dial = str(move.demand) if isinstance(move, Spin) else None
        claims = self._claimed(self.game.placement(shown), dial)
        self._see(self._spoilt(claims) if self.rng.random() < 0.4 else claims)
        return False

    def _see(self, claims: Claims | None, why: Reason | None = None) -> None:
        moves = self.view.state_id
        self._claims = claims
        self._frame += 1
        identities = () if claims is None else tuple(range(len(claims.zones)))
        self.match.see(Sight(self._frame, self.now, claims, why, identities), self.now)
        self.view = self.match.view
        self.outcomes.confirmed += self.view.state_id - moves

    def _claimed(self, placement: Placement, dial: str | None) -> Claims:
        """What the best of eyes would claim of a placement."""
        state = self.view.position
        plan = self.game.plan(state)
        tiles: list[PlacedTile] = list(placement.tiles)
        self.rng.shuffle(tiles)
        pieces: dict[str, dict[str, int]] = {}
        for placed in placement.pieces:
            pieces.setdefault(placed.field, {})[placed.colour] = placed.count
        fields = frozenset(field.name for board in plan.boards for field in board.fields)
        return Claims(
            zones=tuple(tile.zone for tile in tiles),
            labels={at: tile.label for at, tile in enumerate(tiles) if tile.face_up},
            doubtful=(),
            face_down=tuple(at for at, tile in enumerate(tiles) if not tile.face_up),
            pieces=pieces,
            doubtful_pieces=(),
            stray_pieces=(),
            sure_fields=fields,
            boards=frozenset(board.name for board in plan.boards),
            dial=dial,
        )

    def _spoilt(self, claims: Claims) -> Claims:
        """The same with something wrong or unsure."""
        rng, labels = self.rng, dict(claims.labels)
        zones, doubtful = list(claims.zones), list(claims.doubtful)
        for at in [at for at in labels if rng.random() < 0.06]:
            way = rng.randrange(3)
            if way == 0:
                rivals = tuple(rng.sample(LABELS, rng.randint(0, 3)))
                doubtful.append(DoubtfulTile(at, zones[at], rivals))
                del labels[at]
            elif way == 1:
                labels[at] = rng.choice(LABELS)
            else:
                zones[at] = rng.choice((None, *zones))
        sure = frozenset(field for field in sorted(claims.sure_fields) if rng.random() < 0.95)
        pieces = {name: dict(colours) for name, colours in claims.pieces.items()}
        if rng.random() < 0.3:
            name = rng.choice(sorted(claims.sure_fields))
            pieces[name] = {rng.choice(COLOURS): rng.randint(1, 4)}
        boards = frozenset(b for b in sorted(claims.boards) if rng.random() < 0.97)
        return replace(
            claims,
            zones=tuple(zones),
            labels=labels,
            doubtful=tuple(doubtful),
            pieces=pieces,
            sure_fields=sure,
            boards=boards,
        )

    # Moves.

    def _text(self, move: Move) -> str:
        return self.game.write_move(move, self.view.position)

    def _legal(self) -> Move | None:
        """A legal move; None after the end."""
        state, rng = self.view.position, self.rng
        if state.phase is Phase.OVER:
            return None
        if state.phase is Phase.TAXES:
            most = sum(state.centre) - 3 * state.players
            return TimeUp(self._split(most, state.players), rng.random() < 0.8)
        if state.phase is Phase.REVEAL:
            tiles = list(labels_of(state.centre))
            rng.shuffle(tiles)
            del tiles[: 3 * state.players]
            counts = state.at_time or self._split(len(tiles), state.players)
            heaps = []
            for number in counts:
                heaps.append(count(tiles[:number]))
                del tiles[:number]
            return Reveal(count(tiles), tuple(heaps))
        moves = legal_moves(state)
        return rng.choice(moves) if moves else None

    def _split(self, tiles: int, seats: int) -> tuple[int, ...]:
        counts = []
        for _ in range(seats):
            counts.append(self.rng.randint(0, min(tiles, 7)))
            tiles -= counts[-1]
        return tuple(counts)

    def _any_move(self) -> Move:
        state, rng = self.view.position, self.rng
        seat = rng.randrange(state.players)
        field = rng.randrange(len(state.board.types))
        heaps = tuple(self._heap() for _ in state.seats)
        moves: tuple[Move, ...] = (
            FirstStatue(seat, field),
            Spin(rng.randint(0, 9)),
            SetAside(rng.randint(0, 20)),
            TimeUp(rng.choice((None, self._split(40, rng.randint(1, 5))))),
            Reveal(self._heap(), heaps),
            Build(seat, field, rng.choice((self._heap(), state.seats[seat].tiles))),
            Build(state.turn if state.turn >= 0 else seat, field, self._heap()),
            Pass(seat),
            Rank(tuple(rng.randint(1, 4) for _ in state.seats)),
            Rank(tuple(rng.sample(range(1, state.players + 1), state.players))),
            Crown(rng.randint(0, 3)),
            TurnRegion(rng.randint(0, 9), Laid(rng.randint(0, 11), rng.randint(0, 4))),
            ShowMercy(tuple(rng.random() < 0.5 for _ in state.seats)),
        )
        return rng.choice(moves)

    def _heap(self) -> Tiles:
        if self.rng.random() < 0.3:
            return NO_TILES
        return count(self.rng.choices(LABELS, k=self.rng.randint(0, 4)))


_DEEDS = (
    Hail.enter_legal,
    Hail.see_table,
    Hail.press,
    Hail.enter_any,
    Hail.enter_garbage,
    Hail.send_again,
    Hail.send_stale,
    Hail.news,
    Hail.see_again,
    Hail.see_nothing,
    Hail.rule_for_table,
    Hail.note_or_correct,
    Hail.go_back,
    Hail.set_position,
)
_WEIGHTS = (30, 20, 12, 6, 4, 4, 4, 8, 4, 2, 2, 2, 1, 1)


def header(game: TumultRoyale) -> dict[str, str]:
    """What a match asks of its journal's header."""
    return {"game": game.name, "edition": game.edition}
