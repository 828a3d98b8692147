"""Everything that can be wrong with a position, as flags.

A table seen by a camera can be impossible. `faults` says in which ways, and never raises.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import IntFlag, auto

from referee.games.said import say
from referee.games.tumult_royale.board import fields_in
from referee.games.tumult_royale.edition import (
    COLOURS,
    FEWEST_PLAYERS,
    FIELD_TYPES,
    MOST_PLAYERS,
)
from referee.games.tumult_royale.legal import APART
from referee.games.tumult_royale.state import EVERYBODY, Phase, State
from referee.games.tumult_royale.tiles import NO_TILES, total


class Fault(IntFlag):
    """One thing that can't be on a real table; 0 is a possible position."""

    NONE = 0
    PLAYERS = auto()
    """Not 2 to 4 seats, or a map that does not fit their number (2)."""
    COLOURS = auto()
    """An unknown colour, or one twice (1)."""
    RANKS = auto()
    """The ranks are not 1, 2, … each once (2)."""
    SUPPORTERS = auto()
    """Supporters of players and supply are not all there are, or somebody has below 0 (1)."""
    TILES = auto()
    """Tiles of centre, castles and those set aside are not the ones in play (2)."""
    SET_ASIDE = auto()
    """The tiles out for the round are not three for each player (3.2)."""
    CASTLE_TILES = auto()
    """Tiles on a castle in a phase when nobody has any (3.4)."""
    STATUE_COUNT = auto()
    """Statues off the track are not those on map and chronicle, or more than there are (1)."""
    FIELD_SHARED = auto()
    """Statues of two colours on one field (3.4)."""
    FIELD_COUNT = auto()
    """A field bears another number of statues than fill it (3.4)."""
    FIELD_FACE_DOWN = auto()
    """A statue on a face-down region, or beside the map (3.4)."""
    FIELD_ALONE = auto()
    """A mountain, village or castle that touches no other field of its owner (3.4)."""
    FIRST_STATUE = auto()
    """A seat that has, or lacks, its first statue at the wrong time (2)."""
    REGIONS = auto()
    """A region twice on the map, an unknown one, or one turned impossibly (1)."""
    REVEALED = auto()
    """More or fewer face-up regions than the chronicle has revealed (3.6)."""
    CHRONICLE = auto()
    """More spaces filled than the rounds played, by no seat, or with wrong statues (3.6)."""
    DEMAND = auto()
    """A demand that is not on the spinner, or one before the spin (3.1)."""
    MERCY = auto()
    """Mercy for all, or before anybody could have received it (3.7)."""
    TURN = auto()
    """A turn of a seat that can't be its turn in this phase (3)."""
    OUTCOME = auto()
    """An outcome before the end, or none at the end (4)."""


_SENTENCES = {
    Fault.PLAYERS: say("There are not 2 to 4 players, or the map does not fit their number."),
    Fault.COLOURS: say("A colour is unknown, or is there twice."),
    Fault.RANKS: say("The ranks are not 1, 2 and so on, each once."),
    Fault.SUPPORTERS: say("The supporters of players and supply are not all that there are."),
    Fault.TILES: say("The tiles of centre, castles and those set aside are not the ones in play."),
    Fault.SET_ASIDE: say("Not as many tiles are set aside as the rules say."),
    Fault.CASTLE_TILES: say("Tiles lie on a castle in a phase when nobody has any."),
    Fault.STATUE_COUNT: say("The statues built are not those on map and chronicle, or too many."),
    Fault.FIELD_SHARED: say("Statues of two colours stand on one field."),
    Fault.FIELD_COUNT: say("A field bears another number of statues than fill it."),
    Fault.FIELD_FACE_DOWN: say("A statue stands on a face-down region, or beside the map."),
    Fault.FIELD_ALONE: say("A mountain, village or castle touches no other field of its owner."),
    Fault.FIRST_STATUE: say("Somebody has, or lacks, the first statue at the wrong time."),
    Fault.REGIONS: say("A region lies twice on the map, is unknown, or is turned impossibly."),
    Fault.REVEALED: say("More or fewer regions lie face up than the chronicle has revealed."),
    Fault.CHRONICLE: say("The spaces of the chronicle are not filled as the rounds say."),
    Fault.DEMAND: say("The demand is not on the spinner, or is there before the spin."),
    Fault.MERCY: say("Mercy is shown to all, or before anybody could have received it."),
    Fault.TURN: say("It is the turn of somebody who can't act in this phase."),
    Fault.OUTCOME: say("The game has a winner before its end, or none at its end."),
}

#: Phases in which tiles are known and lie on castles.
_REVEALED = (Phase.PLEAS, Phase.TUMULTS, Phase.BUILD)
#: Phases of a round before its crowning.
_BEFORE_CROWN = (
    Phase.SENTIMENT,
    Phase.SET_ASIDE,
    Phase.TAXES,
    Phase.REVEAL,
    *_REVEALED,
    Phase.RANKS,
    Phase.CROWNING,
)


def faults(state: State) -> Fault:
    """All faults of a position; `Fault.NONE` if it can lie on a real table.

    A wrong number of seats or an unknown region hides the other faults.
    """
    found = Fault.NONE
    players = len(state.seats)
    fitting = len(state.board.places) == 2 * players
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS or not fitting:
        return Fault.PLAYERS
    known = range(1, len(state.edition.regions) + 1)
    if any(laid and laid.region not in known for laid in state.board.places):
        return Fault.REGIONS
    for check in (_seat_faults, _tile_faults, _map_faults, _round_faults):
        for fault in check(state):
            found |= fault
    return found


def sentences(state: State) -> tuple[str, ...]:
    """All faults of a position in words; empty if it can lie on a real table."""
    found = faults(state)
    return tuple(text for fault, text in _SENTENCES.items() if fault in found)


def _seat_faults(state: State) -> Iterator[Fault]:
    seats = state.seats
    colours = {seat.colour for seat in seats}
    if len(colours) < len(seats) or colours - {*COLOURS}:
        yield Fault.COLOURS
    if sorted(seat.rank for seat in seats) != list(range(1, len(seats) + 1)):
        yield Fault.RANKS
    held = [state.supply, *(seat.supporters for seat in seats)]
    if min(held) < 0 or sum(held) != state.edition.supporters:
        yield Fault.SUPPORTERS
    mercy = [seat.mercy for seat in seats]
    if all(mercy) or (any(mercy) and state.round <= 1):
        yield Fault.MERCY


def _tile_faults(state: State) -> Iterator[Fault]:
    castles = [seat.tiles for seat in state.seats]
    heaps = [state.centre, state.aside, *castles]
    if any(min(heap) < 0 for heap in heaps) or (
        total(heaps) != state.edition.tiles_in_play[state.players]
    ):
        yield Fault.TILES
    robbed = state.phase in _REVEALED
    due = state.edition.numbers.set_aside * state.players if robbed else 0
    ended_early = state.phase is Phase.OVER
    if not ended_early and sum(state.aside) != due:
        yield Fault.SET_ASIDE
    if not robbed and not ended_early and any(castle != NO_TILES for castle in castles):
        yield Fault.CASTLE_TILES


def _map_faults(state: State) -> Iterator[Fault]:
    board, edition = state.board, state.edition
    on_chronicle: Counter[int] = Counter()
    for owner, statues in state.chronicle:
        on_chronicle[owner] += statues
    taken = 0
    for index, seat in enumerate(state.seats):
        if seat.fields & taken:
            yield Fault.FIELD_SHARED
        taken |= seat.fields
        if seat.fields & ~board.face_up:
            yield Fault.FIELD_FACE_DOWN
        standing = sum(statues for _, statues in seat.statues())
        if seat.built != standing + on_chronicle[index] or seat.built > edition.numbers.statues:
            yield Fault.STATUE_COUNT
        last = edition.rulings.too_few_statues == "place_rest" and state.statues_left(index) == 0
        for number in fields_in(seat.fields & board.face_up):
            needed = edition.statues_on[board.types[number] or "pasture"]
            if seat.statues_on(number) > needed or (seat.statues_on(number) < needed and not last):
                yield Fault.FIELD_COUNT
        need_touch = seat.fields & sum(
            mask for type_, mask in zip(FIELD_TYPES, board.masks, strict=True) if type_ not in APART
        )
        if need_touch & ~board.touching(seat.fields):
            yield Fault.FIELD_ALONE


def _round_faults(state: State) -> Iterator[Fault]:
    edition, phase = state.edition, state.phase
    if _first_statues_wrong(state):
        yield Fault.FIRST_STATUE
    spaces = edition.chronicle.statues
    filled = len(state.chronicle)
    crowned = state.round - 1 if phase in _BEFORE_CROWN else state.round
    fits = filled == crowned or (phase is Phase.OVER and filled == state.round - 1)
    wrong = any(
        not 0 <= owner < state.players
        or not 0 < statues <= space
        or (statues < space and state.statues_left(owner) > 0)
        for (owner, statues), space in zip(state.chronicle, spaces, strict=False)
    )
    if filled > len(spaces) or not fits or wrong:
        yield Fault.CHRONICLE
    yield from _region_faults(state)
    spun = phase not in (Phase.FIRST_STATUES, Phase.SENTIMENT)
    if (state.demand in edition.spinner) != spun or (not spun and state.demand):
        yield Fault.DEMAND
    if not _turn_fits(state):
        yield Fault.TURN
    if (phase is Phase.OVER) != (state.outcome is not None) or (
        state.outcome is not None and not 0 <= state.outcome.winner < state.players
    ):
        yield Fault.OUTCOME


def _first_statues_wrong(state: State) -> bool:
    pastures = state.board.masks[FIELD_TYPES.index("pasture")]
    if state.phase is not Phase.FIRST_STATUES:
        return state.round < 1 or any(not seat.fields & pastures for seat in state.seats)
    acting = [seat.rank for index, seat in enumerate(state.seats) if index == state.turn]
    return state.round != 0 or any(
        seat.fields.bit_count() != (acting != [] and seat.rank > acting[0])
        or bool(seat.fields & ~pastures)
        for seat in state.seats
    )


def _region_faults(state: State) -> Iterator[Fault]:
    laid = [laid for laid in state.board.places if laid]
    if len({each.region for each in laid}) < len(laid) or any(
        each.turn not in range(4) for each in laid
    ):
        yield Fault.REGIONS
    setup = state.edition.setup_for(state.players)
    revealed = sum(
        regions
        for space, regions in zip(state.edition.chronicle.reveal_at, setup.reveals, strict=True)
        if space <= len(state.chronicle)
    )
    if state.phase is Phase.OVER:
        return
    turned = len(laid) - (len(state.board.places) - len(setup.face_down))
    pending = state.to_turn if state.phase is Phase.REGIONS else 0
    if turned != revealed - pending or pending < (state.phase is Phase.REGIONS):
        yield Fault.REVEALED


def _turn_fits(state: State) -> bool:
    if state.phase is Phase.FIRST_STATUES:
        return 0 <= state.turn < state.players
    if state.phase is Phase.BUILD:
        return 0 <= state.turn < state.players and not state.seats[state.turn].passed
    if state.phase in (Phase.SENTIMENT, Phase.CROWNING, Phase.REGIONS):
        return state.turn == state.king
    return state.turn == EVERYBODY
