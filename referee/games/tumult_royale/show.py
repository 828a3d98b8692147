"""A game of Tumult Royale for an audience: simple players play, the table is ruled on by others.

What lies on the castles after a tax phase is known to nobody here but the players' hands: the
position goes on from the counts that the referee sends back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from referee.games.show import Beat, Good, Line, Show
from referee.games.step import Counts
from referee.games.table import PlacedTile, Placement
from referee.games.tumult_royale.adjudication import Tumults
from referee.games.tumult_royale.edition import Edition
from referee.games.tumult_royale.moves import (
    Build,
    Crown,
    FirstStatue,
    Move,
    Pass,
    Plead,
    Punish,
    Rank,
    Reveal,
    SetAside,
    ShowMercy,
    Spin,
    TurnRegion,
)
from referee.games.tumult_royale.play import apply
from referee.games.tumult_royale.players import Player, Raid, deal, decide, raid
from referee.games.tumult_royale.sheet import badges, facts
from referee.games.tumult_royale.state import EVERYBODY, Phase, State
from referee.games.tumult_royale.steps import Standing, reveal
from referee.games.tumult_royale.table import placement, table_plan, tile_name
from referee.games.tumult_royale.telling import told
from referee.games.tumult_royale.tiles import COMMODITIES, LABELS, MOST_SYMBOLS, labels_of
from referee.games.tumult_royale.words import TITLES, winner
from referee.games.tumult_royale.zones import CENTRE, castle_zone, heaps

#: How long a move takes to follow, at normal speed.
SECONDS: dict[type[Move], float] = {
    FirstStatue: 0.8,
    Spin: 2.5,
    SetAside: 1.5,
    Plead: 1.0,
    Punish: 3.0,
    Build: 2.0,
    Pass: 0.6,
    Rank: 1.0,
    Crown: 1.5,
    TurnRegion: 1.5,
    ShowMercy: 0.8,
}
#: How often somebody forgets to turn a tile up at the reveal.
FORGETFUL = 0.25

Tiles = tuple[PlacedTile, ...]
Telling = Generator[Beat[Tumults], Counts | None, None]


def show(edition: Edition, characters: Sequence[tuple[str, Player]], rng: Random) -> Show[Tumults]:
    """A whole game of 2 to 4 players, each with the name of its character."""
    state = deal(edition, len(characters), rng)
    return Show(
        title="Tumult Royale",
        plan=table_plan(edition, [seat.colour for seat in state.seats]),
        goods=tuple(
            Good(
                commodity,
                f"tile-{commodity}-1-plain",
                {f"{commodity}-{n}": n for n in range(1, MOST_SYMBOLS + 1)},
            )
            for commodity in COMMODITIES
        ),
        store=CENTRE,
        beats=_Stage(state, characters, rng).play(),
    )


@dataclass
class _Stage:
    """The position of the running game, and where each of its tiles lies."""

    state: State
    characters: Sequence[tuple[str, Player]]
    rng: Random
    tiles: Tiles = ()

    def play(self) -> Telling:
        """Beats up to the end of the game."""
        players = [player for _, player in self.characters]
        self._gather()
        while self.state.phase is not Phase.OVER:
            if self.state.phase is Phase.TAXES:
                robbed = raid(self.state, players, self.rng)
                yield from self._taxes(robbed)
            elif self.state.phase is Phase.REVEAL:
                yield from self._reveal()
            else:
                move = decide(self.state, players, self.rng)
                yield from self._move(move)
        yield self._beat(winner(self.state), 10.0)

    def _move(self, move: Move) -> Telling:
        before = self.state
        self.state = apply(before, move)
        if before.phase is Phase.RANKS:
            # All tiles went back when the last player had passed.
            self._gather()
        elif before.phase in (Phase.TUMULTS, Phase.BUILD):
            self.tiles = _moved(self.tiles, placement(self.state).tiles)
        yield self._beat(" ".join(told(before, move)), SECONDS[type(move)], during=before)

    def _taxes(self, robbed: Raid) -> Telling:
        """Tiles are set aside, then taken one by one."""
        lying = list(self.tiles)
        for label in labels_of(robbed.aside):
            lying.remove(next(tile for tile in lying if tile.label == label))
        self.tiles = tuple(lying)
        yield self._beat("Time runs: everybody takes, looks, and keeps or puts back.", 1.0)
        for look in robbed.looks:
            if look.kept:
                at = next(
                    i
                    for i, tile in enumerate(lying)
                    if tile.zone == CENTRE and tile.label == LABELS[look.kind]
                )
                colour = self.state.seats[look.seat].colour
                lying[at] = replace(lying[at], zone=castle_zone(colour))
                self.tiles = tuple(lying)
                yield self._beat(f"{_name(colour)} keeps a tile.", 0.35)
        self.state = apply(self.state, robbed.time_up)

    def _reveal(self) -> Telling:
        """All tiles are turned up, and stay until the referee has read them."""
        step = reveal(
            self.state.edition,
            self.state.demand,
            [
                Standing(seat.colour, seat.rank, seat.supporters, seat.mercy)
                for seat in self.state.seats
            ],
        )
        face_up = [replace(tile, face_up=True) for tile in self.tiles]
        forgotten = self.rng.randrange(len(face_up)) if self.rng.random() < FORGETFUL else None
        if forgotten is not None:
            face_up[forgotten] = replace(face_up[forgotten], face_up=False)
        self.tiles = tuple(face_up)
        beat = self._beat("Time is up: all tiles are turned over.", 3.0)
        while (counts := (yield replace(beat, step=step))) is None:
            hidden = any(not tile.face_up for tile in self.tiles)
            self.tiles = tuple(replace(tile, face_up=True) for tile in self.tiles)
            tidied = "The forgotten tile is turned up." if hidden else "The tiles are tidied up."
            beat = replace(self._beat(tidied, 3.0), relaid=not hidden)
        centre, castles = heaps(counts, [seat.colour for seat in self.state.seats])
        self.state = apply(self.state, Reveal(centre, castles))

    def _gather(self) -> None:
        """All tiles in play lie face down in the centre, shuffled."""
        lying = [
            PlacedTile(tile_name(tile), tile.label, "tile-back", CENTRE, face_up=False)
            for tile in self.state.edition.tiles_of(self.state.players)
        ]
        self.rng.shuffle(lying)
        self.tiles = tuple(lying)

    def _beat(self, caption: str, seconds: float, during: State | None = None) -> Beat[Tumults]:
        """The table as it is now, told as part of the phase in which the move was made."""
        state = self.state
        during = during or state
        lies = placement(state)
        return Beat(
            placement=Placement(self.tiles, lies.pieces, lies.overlays),
            title=TITLES[during.phase],
            caption=caption,
            rule=during.phase.rule,
            round=during.round,
            demand=state.demand,
            lines=tuple(self._line(seat) for seat in state.by_rank()),
            turn=None if during.turn == EVERYBODY else _name(during.seats[during.turn].colour),
            seconds=seconds,
        )

    def _line(self, number: int) -> Line:
        seat = self.state.seats[number]
        rank, *others = facts(self.state, number)
        return Line(
            name=_name(seat.colour),
            colour=seat.colour,
            zone=castle_zone(seat.colour),
            rank=seat.rank,
            facts=(rank, ("player", self.characters[number][0]), *others),
            badges=badges(self.state, number),
        )


def _moved(lying: Tiles, wanted: Iterable[PlacedTile]) -> Tiles:
    """The same tiles where they must lie now: as many as possible stay where they are."""
    due = Counter((tile.label, tile.zone, tile.face_up) for tile in wanted)
    moving: list[int] = []
    for at, tile in enumerate(lying):
        here = (tile.label, tile.zone, tile.face_up)
        if due[here] > 0:
            due[here] -= 1
        else:
            moving.append(at)
    result = list(lying)
    places = list(due.elements())
    for at in moving:
        place = next(place for place in places if place[0] == lying[at].label)
        places.remove(place)
        result[at] = replace(lying[at], zone=place[1], face_up=place[2])
    return tuple(result)


def _name(colour: str) -> str:
    return colour.capitalize()
