"""Moves in words: what each means, and how a person picks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.games.said import Said, joined, say, say_n
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
    place,
    statues,
    supporters,
    tell,
    tiles,
    winner,
)

_ENDINGS = {
    Ending.LAST_STATUE: say("All statues of one colour are built."),
    Ending.GAP: say("The statues built differ by more than the number below the space."),
    Ending.CHRONICLE_FULL: say("The chronicle is full."),
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
            return say("Place the first statue on {where}", where=place(state, field))
        case Spin(demand):
            return say("The arrow points to {demand}", demand=demand)
        case SetAside(number):
            return say_n(number, "One tile is set aside", "{n:word,upper} tiles are set aside")
        case TimeUp():
            return say("Time is up, and nobody counted the tiles on the castles")
        case Plead(seats):
            return _pleading(state, seats)
        case Punish(returned):
            parts = [
                say("{who} returns {tiles}", who=name(state, seat), tiles=tiles(heap))
                for seat, heap in enumerate(returned)
                if any(heap)
            ]
            return joined(parts, "; ") or say("Nobody returns a tile")
        case Build(_, field, payment):
            where = place(state, field)
            return say("Build on {where} with {tiles}", where=where, tiles=tiles(payment))
        case Pass(seat):
            return say("{who} passes", who=name(state, seat))
        case TurnRegion(where, laid) if laid.turn:
            return say_n(
                laid.turn,
                "Region {region} lies at place {place}, turned by one quarter",
                "Region {region} lies at place {place}, turned by {n:word} quarters",
                region=laid.region,
                place=where,
            )
        case TurnRegion(where, laid):
            return say("Region {region} lies at place {place}", region=laid.region, place=where)
    return told(state, move)[0]


def _pleading(state: State, pleas: Sequence[bool]) -> str:
    seats = [seat for seat, pleads in enumerate(pleas) if pleads]
    if not seats:
        return say("Nobody uses mercy")
    who = names(state, seats)
    return say_n(len(seats), "{who} uses mercy", "{who} use mercy", who=who)


def _first_statue(state: State, move: FirstStatue, after: State) -> Iterator[str]:
    yield say("{who} places the first statue.", who=name(state, move.seat))
    yield say("It stands on {where}.", where=place(state, move.field))


def _spin(state: State, move: Spin, after: State) -> Iterator[str]:
    yield say_n(
        move.demand,
        "One symbol of each commodity must remain.",
        "{n:word,upper} symbols of each commodity must remain.",
    )
    king = name(state, state.king)
    yield say("{king}, the king, spins a {demand}.", king=king, demand=move.demand)


def _set_aside(state: State, move: SetAside, after: State) -> Iterator[str]:
    yield say_n(move.tiles, "One tile is set aside.", "{n:word,upper} tiles are set aside.")


def _time_up(state: State, move: TimeUp, after: State) -> Iterator[str]:
    yield say("Time is up.")
    if move.castles is None:
        yield say("Nobody counted the tiles on the castles.")
        return
    for seat, number in enumerate(move.castles):
        yield say_n(
            number,
            "One tile lies on {who}'s castle.",
            "{n:word,upper} tiles lie on {who}'s castle.",
            who=name(state, seat),
        )


def _reveal(state: State, move: Reveal, after: State) -> Iterator[str]:
    yield from tell(tumults(after), [seat.colour for seat in after.seats])
    if after.phase is Phase.PLEAS:
        yield say("Mercy that is used may still change that.")


def _plead(state: State, move: Plead, after: State) -> Iterator[str]:
    yield from tell(tumults(after), [seat.colour for seat in after.seats])
    pleading = [seat for seat, pleads in enumerate(move.seats) if pleads]
    yield say("Used mercy: {who}.", who=names(state, pleading) or say("nobody"))


def _punish(state: State, move: Punish, after: State) -> Iterator[str]:
    verdict = tumults(state)
    if not verdict.any:
        yield say("No tumult: on to the statues.")
        return
    yield say("The verdict is carried out.")
    for seat, heap in enumerate(move.returned):
        if any(heap):
            yield say("{who} returns {tiles}.", who=name(state, seat), tiles=tiles(heap))
        if lost := verdict.supporters_lost[seat]:
            yield _gives(name(state, seat), lost)


def _gives(who: Said, lost: int) -> Said:
    return say("{who} gives {supporters} to the supply.", who=who, supporters=supporters(lost))


def _build(state: State, move: Build, after: State) -> Iterator[str]:
    who = name(state, move.seat)
    yield say("{who} builds on {where}.", who=who, where=place(state, move.field))
    built = after.seats[move.seat].built - state.seats[move.seat].built
    yield say(
        "{who} places {statues} and pays {tiles}.",
        who=who,
        statues=statues(built),
        tiles=tiles(move.payment),
    )
    gained = after.seats[move.seat].supporters - state.seats[move.seat].supporters
    if gained:
        yield say(
            "{who} takes {supporters} for what is paid too much.",
            who=who,
            supporters=supporters(gained),
        )


def _pass(state: State, move: Pass, after: State) -> Iterator[str]:
    yield say("{who} passes.", who=name(state, move.seat))
    if after.phase is Phase.BUILD:
        return
    for seat, (before, now) in enumerate(zip(state.seats, after.seats, strict=True)):
        if consoled := now.supporters - before.supporters:
            yield say(
                "{who} built nothing and takes {supporters}.",
                who=name(state, seat),
                supporters=supporters(consoled),
            )
    yield say("All tiles go back to the centre, face down.")


def _rank(state: State, move: Rank, after: State) -> Iterator[str]:
    yield say("{who} is the king.", who=name(after, after.king))
    for seat in after.by_rank():
        player = after.seats[seat]
        yield say(
            "{who}: {rank}, with {supporters}.",
            who=name(after, seat),
            rank=RANKS[player.rank - 1],
            supporters=supporters(player.supporters),
        )


def _crown(state: State, move: Crown, after: State) -> Iterator[str]:
    king = name(state, state.turn)
    yield say("{king} is crowned.", king=king)
    yield _gives(king, state.seats[state.turn].supporters - after.seats[state.turn].supporters)
    yield say(
        "{king} puts {statues} on space {space} of the chronicle.",
        king=king,
        statues=statues(move.statues),
        space=len(after.chronicle),
    )


def _turn_region(state: State, move: TurnRegion, after: State) -> Iterator[str]:
    yield say("A region rises from the fog.")
    yield say("Region {region} lies at place {place}.", region=move.laid.region, place=move.place)


def _show_mercy(state: State, move: ShowMercy, after: State) -> Iterator[str]:
    favoured = [seat for seat, shown in enumerate(move.seats) if shown]
    yield say("Mercy for {who}.", who=names(state, favoured)) if favoured else say("No mercy.")
    yield say("Round {round} begins.", round=after.round)


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
