"""What the hands of Tumult Royale's players do: honest, greedy, clumsy or cheating, round by round.

They go by the true position, which only they know, and by what the referee's screen says of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from random import Random

from referee.games.hands import Doing, Press, Slip
from referee.games.tumult_royale.acting import DONE, START, STOP, Acting, Trying
from referee.games.tumult_royale.cheats import (
    AT_REVEAL,
    MAY_STAND,
    SAYS_DONE,
    Cheating,
    at_build,
    at_reveal,
    built,
    cheat_of,
)
from referee.games.tumult_royale.moves import Build, FirstStatue, Move, Punish, Spin, TimeUp
from referee.games.tumult_royale.players import Player, decide, raid
from referee.games.tumult_royale.state import Phase, State
from referee.games.tumult_royale.things import OFF, Things
from referee.games.tumult_royale.tiles import NO_TILES
from referee.games.tumult_royale.zones import CENTRE, castle_zone

#: How far from the middle of its sector the arrow stops at most, as a share of the sector.
_OFF_MIDDLE = 0.3
#: Chances: that a build is done in two goes, that the hourglass is ended early, that the motor is
#: mistaken by a sector.
_IN_TWO, _EARLY, _MISTAKEN = 0.3, 0.5, 0.02


@dataclass(frozen=True, slots=True)
class Temper:
    """How a seat plays: with these chances it is clumsy at a step, or cheats at it."""

    player: Player
    clumsy: float = 0.0
    cheating: Cheating | None = None
    cheats: float = 0.8


class Hands(Acting):
    """The hands of all players of one game; `play` yields what they do."""

    def __init__(self, state: State, tempers: Sequence[Temper], rng: Random) -> None:
        super().__init__(state, rng)
        self._tempers = tempers
        self._players = [temper.player for temper in tempers]
        self._cheated = (-1, -1)
        """The last seat that cheated when building, and the round: once is enough."""

    def play(self, rounds: int) -> Doing:
        """Plays on until so many rounds are over, or the game is."""
        deeds = {
            Phase.FIRST_STATUES: self._first_statue,
            Phase.SENTIMENT: self._spin,
            Phase.SET_ASIDE: self._set_aside,
            Phase.TAXES: self._taxes,
            Phase.REVEAL: self._reveal,
            Phase.TUMULTS: self._punish,
            Phase.BUILD: self._build,
        }
        yield self.deed(self.things, settles=False)
        while self.state.phase is not Phase.OVER and self.state.round <= rounds:
            yield from deeds.get(self.state.phase, self._told)()

    def _decided(self) -> Move:
        return decide(self.state, self._players, self.rng)

    def _first_statue(self) -> Doing:
        move = self._decided()
        assert isinstance(move, FirstStatue)
        name = self.state.board.name(move.field)
        things = self.things.stood(name, self.state.seats[move.seat].colour, 1)
        if self._slips(move.seat) and (yield from self._astride(move, things, name)):
            return
        yield from self.done(move, things)

    def _astride(self, move: Move, things: Things, field: str) -> Trying:
        """Lets a statue stand between its field and another: whoever sees it may guess right."""
        moved = yield from self.slip(self.deed(things, move), Slip.BETWEEN, field)
        if moved:
            self.go_on(move, things)
        return moved

    def _spin(self) -> Doing:
        sectors = self.state.edition.spinner
        at, width = self.rng.randrange(len(sectors)), 360.0 / len(sectors)
        angle = (at + self.rng.uniform(-_OFF_MIDDLE, _OFF_MIDDLE)) * width
        things, move = replace(self.things, dial=angle), Spin(sectors[at])
        neighbour = sectors[(at + 1) % len(sectors)]
        if neighbour != sectors[at] and self.rng.random() < _MISTAKEN:
            screen = yield replace(self.deed(things, before=(START,)), spin=str(neighbour))
            yield from self.entered(move, things, screen)
            return
        deed = self.deed(things, move, before=(START,), tidy=True)
        yield from self.until(move, things, replace(deed, spin=str(sectors[at])))

    def _set_aside(self) -> Doing:
        things = self.things
        tiles = self.state.edition.numbers.set_aside * self.state.players
        for at in self.rng.sample(things.within(CENTRE), tiles):
            things = things.moved(at, OFF)
        yield from self.done(self._decided(), things)

    def _taxes(self) -> Doing:
        """What is taken is chosen by number only: nobody sees a tile before it is looked at."""
        yield self.deed(self.things, before=(START,), settles=False)
        there = self.things.within(CENTRE)
        self.rng.shuffle(there)
        for seat, castle in enumerate(raid(self.state, self._players, self.rng).castles):
            for _ in range(min(sum(castle), len(there))):
                self.things = self.things.moved(there.pop(), self._castle(seat))
            yield self.deed(self.things, settles=False)
        taken = tuple(len(self.things.within(self._castle(s))) for s in range(self.state.players))
        move = TimeUp(taken, hands_empty=True)
        early = self.rng.random() < _EARLY
        deed = self.deed(self.things, move, before=(STOP,) if early else (), tidy=True)
        yield from self.until(move, self.things, replace(deed, glass_ends=True))

    def _reveal(self) -> Doing:
        honest = self.things.turned_up()
        move = honest.reveal(self.state)
        for seat, kind in self._cheating(AT_REVEAL):
            trick = at_reveal(kind, self.state, self.things, seat, self.rng)
            if trick is not None:
                seen = trick.turned_up()
                yield from self.cheat(
                    cheat_of(kind, seat),
                    seen,
                    seen.reveal(self.state),
                    (honest, move),
                    says_done=False,
                    may_stand=kind in MAY_STAND,
                )
                return
        for seat in range(self.state.players):
            if self._slips(seat) and (yield from self._clumsy_reveal(seat, honest, move)):
                self.go_on(move, honest)
                return
        yield from self.done(move, honest)

    def _clumsy_reveal(self, seat: int, honest: Things, move: Move) -> Trying:
        castle = self._castle(seat)
        slip = self.rng.choice((None, Slip.HALF_OUT, Slip.OVERLAP))
        if slip is Slip.HALF_OUT and honest.within(castle):
            return (yield from self.slip(self.deed(honest), slip, castle))
        if slip is Slip.OVERLAP and len(honest.within(CENTRE)) > 1:
            return (yield from self.slip(self.deed(honest, move), slip, CENTRE))
        at = self.rng.choice([i for i, tile in enumerate(honest.tiles) if tile.zone != OFF])
        yield self.deed(self.things.turned_up(but=at))
        return False

    def _punish(self) -> Doing:
        move = self._decided()
        assert isinstance(move, Punish)
        things = self.things
        for seat, returned in enumerate(move.returned):
            things = things.carried(returned, self._castle(seat), CENTRE)
        if all(returned == NO_TILES for returned in move.returned):
            yield from self.until(move, things, self.deed(things, move, presses=(DONE,)))
        else:
            yield from self.done(move, things)

    def _build(self) -> Doing:
        seat, move = self.state.turn, self._decided()
        build = move if isinstance(move, Build) else None
        kind = self._tempers[seat].cheating
        due = kind is not None and kind not in AT_REVEAL and self._wants_to_cheat(seat)
        if due and kind is not None:
            trick = at_build(kind, self.state, self.things, build, seat, self.rng)
            if trick is not None:
                self._cheated = seat, self.state.round
                stands = yield from self.cheat(
                    cheat_of(kind, seat),
                    trick[0],
                    trick[1],
                    (self.things, None),
                    says_done=kind in SAYS_DONE,
                    may_stand=kind in MAY_STAND,
                )
                if stands:
                    return
        if build is None:
            yield from self._told(move)
            return
        things = built(self.state, self.things, build)
        if self._slips(seat):
            name = self.state.board.name(build.field)
            if (yield from self._astride(build, things, name)):
                return
        elif self.rng.random() < _IN_TWO:
            half = replace(self.things, statues=things.statues)
            if self.rng.random() < 0.5:
                half = replace(self.things, tiles=things.tiles)
            yield self.deed(half)
        yield from self.done(build, things)

    def _told(self, move: Move | None = None) -> Doing:
        """A step that no camera sees: somebody tells what was done."""
        move = move or self._decided()
        if self.state.phase is Phase.RANKS:
            self.things = self.things.gathered(self.rng)
        chosen = self.state.phase in (Phase.BUILD, Phase.REGIONS, Phase.PLEAS)
        press = Press("enter", self.text(move)) if chosen else DONE
        yield from self.until(move, self.things, self.deed(self.things, move, presses=(press,)))

    def _castle(self, seat: int) -> str:
        return castle_zone(self.state.seats[seat].colour)

    def _slips(self, seat: int) -> bool:
        return self.rng.random() < self._tempers[seat].clumsy

    def _wants_to_cheat(self, seat: int) -> bool:
        again = self._cheated == (seat, self.state.round)
        return not again and self.rng.random() < self._tempers[seat].cheats

    def _cheating(self, kinds: Collection[Cheating]) -> list[tuple[int, Cheating]]:
        """The seats that cheat so now."""
        return [
            (seat, temper.cheating)
            for seat, temper in enumerate(self._tempers)
            if temper.cheating in kinds and temper.cheating and self._wants_to_cheat(seat)
        ]
