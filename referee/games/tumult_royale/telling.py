"""Moves in words: what each means, and how a person picks it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
    TimeUp,
    TurnRegion,
)
from referee.games.tumult_royale.play import apply
from referee.games.tumult_royale.state import Ending, Phase, State, tumults
from referee.games.tumult_royale.words import (
    RANKS,
    name,
    names,
    number_of,
    place,
    tell,
    tiles,
    upper,
    winner,
)

_ENDINGS = {
    Ending.LAST_STATUE: "All statues of one colour are built.",
    Ending.GAP: "The statues built differ by more than the number below the space.",
    Ending.CHRONICLE_FULL: "The chronicle is full.",
}


def told(state: State, move: Move) -> tuple[str, ...]:
    """What a possible move means: a headline, then a sentence for each part."""
    after = apply(state, move)
    sentences = [*_TOLD[type(move)](state, move, after)]
    if after.outcome:
        sentences += [_ENDINGS[after.outcome.ending], winner(after)]
    return tuple(sentences)


def chosen(state: State, move: Move) -> str:
    """A legal move as something to pick."""
    match move:
        case FirstStatue(_, field):
            return f"Place the first statue on {place(state, field)}"
        case Spin(demand):
            return f"The arrow points to {demand}"
        case SetAside(number):
            return f"{upper(number_of(number, 'tile'))} are set aside"
        case TimeUp():
            return "Time is up, and nobody counted the tiles on the castles"
        case Plead(seats):
            pleading = [seat for seat, pleads in enumerate(seats) if pleads]
            return f"{names(state, pleading) or 'Nobody'} use{'s' * (len(pleading) < 2)} mercy"
        case Punish(returned):
            parts = [
                f"{name(state, seat)} returns {tiles(heap)}"
                for seat, heap in enumerate(returned)
                if any(heap)
            ]
            return "; ".join(parts) or "Nobody returns a tile"
        case Build(_, field, payment):
            return f"Build on {place(state, field)} with {tiles(payment)}"
        case Pass(seat):
            return f"{name(state, seat)} passes"
        case TurnRegion(where, laid):
            turned = f", turned by {number_of(laid.turn, 'quarter')}" if laid.turn else ""
            return f"Region {laid.region} lies at place {where}{turned}"
    return told(state, move)[0]


def _first_statue(state: State, move: FirstStatue, after: State) -> Iterator[str]:
    yield f"{name(state, move.seat)} places the first statue."
    yield f"It stands on {place(state, move.field)}."


def _spin(state: State, move: Spin, after: State) -> Iterator[str]:
    yield f"{upper(number_of(move.demand, 'symbol'))} of each commodity must remain."
    yield f"{name(state, state.king)}, the king, spins a {move.demand}."


def _set_aside(state: State, move: SetAside, after: State) -> Iterator[str]:
    verb = "is" if move.tiles == 1 else "are"
    yield f"{upper(number_of(move.tiles, 'tile'))} {verb} set aside."


def _time_up(state: State, move: TimeUp, after: State) -> Iterator[str]:
    yield "Time is up."
    if move.castles is None:
        yield "Nobody counted the tiles on the castles."
        return
    for seat, number in enumerate(move.castles):
        verb = "lies" if number == 1 else "lie"
        yield f"{upper(number_of(number, 'tile'))} {verb} on {name(state, seat)}'s castle."


def _reveal(state: State, move: Reveal, after: State) -> Iterator[str]:
    yield from tell(tumults(after), [seat.colour for seat in after.seats])
    if after.phase is Phase.PLEAS:
        yield "Mercy that is used may still change that."


def _plead(state: State, move: Plead, after: State) -> Iterator[str]:
    yield from tell(tumults(after), [seat.colour for seat in after.seats])
    pleading = [seat for seat, pleads in enumerate(move.seats) if pleads]
    yield f"Used mercy: {names(state, pleading) or 'nobody'}."


def _punish(state: State, move: Punish, after: State) -> Iterator[str]:
    verdict = tumults(state)
    if not verdict.any:
        yield "No tumult: on to the statues."
        return
    yield "The verdict is carried out."
    for seat, heap in enumerate(move.returned):
        if any(heap):
            yield f"{name(state, seat)} returns {tiles(heap)}."
        if lost := verdict.supporters_lost[seat]:
            yield f"{name(state, seat)} gives {number_of(lost, 'supporter')} to the supply."


def _build(state: State, move: Build, after: State) -> Iterator[str]:
    who = name(state, move.seat)
    yield f"{who} builds on {place(state, move.field)}."
    statues = after.seats[move.seat].built - state.seats[move.seat].built
    yield f"{who} places {number_of(statues, 'statue')} and pays {tiles(move.payment)}."
    gained = after.seats[move.seat].supporters - state.seats[move.seat].supporters
    if gained:
        yield f"{who} takes {number_of(gained, 'supporter')} for what is paid too much."


def _pass(state: State, move: Pass, after: State) -> Iterator[str]:
    yield f"{name(state, move.seat)} passes."
    if after.phase is Phase.BUILD:
        return
    for seat, (before, now) in enumerate(zip(state.seats, after.seats, strict=True)):
        if consoled := now.supporters - before.supporters:
            yield f"{name(state, seat)} built nothing and takes {number_of(consoled, 'supporter')}."
    yield "All tiles go back to the centre, face down."


def _rank(state: State, move: Rank, after: State) -> Iterator[str]:
    yield f"{name(after, after.king)} is the king."
    for seat in after.by_rank():
        player = after.seats[seat]
        what = RANKS[player.rank - 1]
        yield f"{name(after, seat)}: {what}, with {number_of(player.supporters, 'supporter')}."


def _crown(state: State, move: Crown, after: State) -> Iterator[str]:
    king = name(state, state.turn)
    yield f"{king} is crowned."
    given = state.seats[state.turn].supporters - after.seats[state.turn].supporters
    yield f"{king} gives {number_of(given, 'supporter')} to the supply."
    space = len(after.chronicle)
    yield f"{king} puts {number_of(move.statues, 'statue')} on space {space} of the chronicle."


def _turn_region(state: State, move: TurnRegion, after: State) -> Iterator[str]:
    yield "A region rises from the fog."
    yield f"Region {move.laid.region} lies at place {move.place}."


def _show_mercy(state: State, move: ShowMercy, after: State) -> Iterator[str]:
    favoured = [seat for seat, shown in enumerate(move.seats) if shown]
    yield f"Mercy for {names(state, favoured)}." if favoured else "No mercy."
    yield f"Round {after.round} begins."


_TOLD: dict[type[Move], Any] = {
    FirstStatue: _first_statue,
    Spin: _spin,
    SetAside: _set_aside,
    TimeUp: _time_up,
    Reveal: _reveal,
    Plead: _plead,
    Punish: _punish,
    Build: _build,
    Pass: _pass,
    Rank: _rank,
    Crown: _crown,
    TurnRegion: _turn_region,
    ShowMercy: _show_mercy,
}
