"""A position taken apart into what a person may set by hand; `facts_set` puts it together."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.fact import Fact
from referee.games.said import say
from referee.games.tumult_royale.board import fields_in
from referee.games.tumult_royale.notation import format_laid
from referee.games.tumult_royale.state import EVERYBODY, Ending, Phase, State
from referee.games.tumult_royale.tiles import LABELS, Tiles, count
from referee.games.tumult_royale.words import RANKS, TITLES, name, place, tiles
from referee.games.tumult_royale.zones import CENTRE, castle_zone

#: More than any table has: faults say what is too much.
_MOST_ROUNDS, _MOST_STATUES = 99, 7
NO, YES, NONE, UNKNOWN = "no", "yes", "-", "?"
FLAGS = {
    "mercy": say("was shown mercy"),
    "pleads": say("pleads for mercy this round"),
    "punished": say("was punished this round"),
    "has_built": say("has built this round"),
    "passed": say("has passed this round"),
}


def facts(state: State) -> tuple[Fact, ...]:
    """What a person may set, each thing by itself; statues built follow from map and chronicle."""
    seats = (fact for seat in range(state.players) for fact in _of_seat(state, seat))
    return (*_of_match(state), *seats, *_of_map(state), *of_chronicle(state))


def _of_match(state: State) -> Iterator[Fact]:
    here, edition = say("The match"), state.edition
    everybody = state.edition.tiles_in_play[state.players]
    turns: list[tuple[str, str]] = [(NONE, say("everybody"))]
    turns += [(seat.colour, name(state, index)) for index, seat in enumerate(state.seats)]
    turn = NONE if state.turn == EVERYBODY else state.seats[state.turn].colour
    phases = tuple((phase.value, TITLES[phase]) for phase in Phase)
    demands = {0: say("none yet")} | {n: str(n) for n in sorted(set(edition.spinner))}
    yield Fact("phase", here, say("what comes next"), state.phase.value, phases)
    yield Fact("turn", here, say("whose turn it is"), turn, tuple(turns))
    yield Fact("round", here, say("round"), state.round, most=_MOST_ROUNDS)
    if state.demand not in demands:
        demands[state.demand] = str(state.demand)
    options = tuple((str(n), words) for n, words in demands.items())
    yield Fact("demand", here, say("demand"), str(state.demand), options)
    yield Fact("supply", here, say("supporters nobody has"), state.supply, most=edition.supporters)
    most = max(everybody, default=0)
    for key, words, heap, zone in (
        ("centre", say("tiles in the centre"), state.centre, CENTRE),
        ("aside", say("tiles set aside"), state.aside, ""),
    ):
        yield Fact(key, here, words, _counts(heap), _faces(), most=most, zone=zone)
    yield Fact("to-turn", here, say("regions still to be turned"), state.to_turn, most=8)
    ends: list[tuple[str, str]] = [(NONE, say("nobody has won yet"))]
    for index, seat in enumerate(state.seats):
        for ending in Ending:
            words = say("{who} ({why})", who=name(state, index), why=_ENDINGS[ending])
            ends.append((f"{seat.colour},{ending.value}", words))
    outcome = state.outcome
    won = (
        NONE if outcome is None else f"{state.seats[outcome.winner].colour},{outcome.ending.value}"
    )
    yield Fact("outcome", here, say("who has won"), won, tuple(ends))


_ENDINGS = {
    Ending.LAST_STATUE: say("all statues are built"),
    Ending.GAP: say("the gap is too great"),
    Ending.CHRONICLE_FULL: say("the chronicle is full"),
}


def _of_seat(state: State, index: int) -> Iterator[Fact]:
    seat, here, edition = state.seats[index], name(state, index), state.edition

    def key(what: str) -> str:
        return f"{seat.colour}.{what}"

    ranks = {str(n): RANKS[n - 1] for n in range(1, state.players + 1)}
    ranks.setdefault(str(seat.rank), str(seat.rank))
    yield Fact(key("rank"), here, say("rank"), str(seat.rank), tuple(ranks.items()))
    yield Fact(key("supporters"), here, say("supporters"), seat.supporters, most=edition.supporters)
    most = max(edition.tiles_in_play[state.players], default=0)
    zone = castle_zone(seat.colour)
    words = say("tiles on the castle")
    yield Fact(key("tiles"), here, words, _counts(seat.tiles), _faces(), most=most, zone=zone)
    standing = {state.board.name(number): statues for number, statues in seat.statues()}
    fields = fields_in(state.board.all_fields)
    places = tuple((state.board.name(number), place(state, number)) for number in fields)
    words = say("statues on the map")
    yield Fact(
        key("statues"), here, words, standing, places, most=_MOST_STATUES, colour=seat.colour
    )
    everything = sum(edition.tiles_in_play[state.players])
    at_time = tuple((str(n), str(n)) for n in range(everything + 1))
    counted = UNKNOWN if state.at_time is None else str(state.at_time[index])
    words = say("tiles on the castle when time was up")
    options = ((UNKNOWN, say("not counted")), *at_time)
    yield Fact(key("at-time"), here, words, counted, options)
    for flag, words in FLAGS.items():
        value = YES if getattr(seat, flag) else NO
        yield Fact(key(flag), here, words, value, ((NO, say("No")), (YES, say("Yes"))))


def _of_map(state: State) -> Iterator[Fact]:
    here, regions = say("The map"), range(1, len(state.edition.regions) + 1)
    laid: list[tuple[str, str]] = [(UNKNOWN, say("face down"))]
    for region in regions:
        for turn in range(4):
            words = say("region {n}, turned {turns} times", n=region, turns=turn)
            laid.append((f"{region}@{turn}", words))
    for number, there in enumerate(state.board.places, 1):
        words = say("place {n}", n=number)
        yield Fact(f"place-{number}", here, words, format_laid(there), tuple(laid))


def of_chronicle(state: State) -> Iterator[Fact]:
    """Its spaces, with who filled each."""
    here, spaces = say("The chronicle"), state.edition.chronicle.statues
    for number, statues in enumerate(spaces, 1):
        fillings: list[tuple[str, str]] = [(NONE, say("empty"))]
        for index, seat in enumerate(state.seats):
            for n in range(1, statues + 1):
                words = say("{who}, statues: {n}", who=name(state, index), n=n)
                fillings.append((f"{seat.colour}*{n}", words))
        filled = state.chronicle[number - 1] if number <= len(state.chronicle) else None
        value = NONE if filled is None else f"{state.seats[filled[0]].colour}*{filled[1]}"
        words = say("space {n}", n=number)
        yield Fact(f"chronicle-{number}", here, words, value, tuple(fillings))


def _faces() -> tuple[tuple[str, str], ...]:
    return tuple((label, tiles(count([label]))) for label in LABELS)


def _counts(heap: Tiles) -> dict[str, int]:
    return {label: n for label, n in zip(LABELS, heap, strict=True) if n}
