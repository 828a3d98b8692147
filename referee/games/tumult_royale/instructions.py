"""What the players must do next, in their own words."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.tumult_royale.legal import legal_builds
from referee.games.tumult_royale.sections import REGION_ROWS
from referee.games.tumult_royale.state import (
    Phase,
    State,
    crown_due,
    crown_price,
    mercy_due,
    ranks_due,
    tumults,
)
from referee.games.tumult_royale.words import RANKS, listed, name, names, number_of, tiles, upper


def instruction(state: State) -> str:
    """One or two sentences on who does what; empty after the end."""
    return _INSTRUCTIONS[state.phase](state) if state.phase in _INSTRUCTIONS else ""


def laying(state: State) -> tuple[str, ...]:
    """How the table is laid for a start (rules section 2), in sentences."""
    columns = len(state.board.places) // REGION_ROWS
    regions = []
    for place, laid in enumerate(state.board.places):
        row, column = divmod(place, columns)
        where = f"row {row + 1}, place {column + 1}"
        if laid is None:
            regions.append(f"{where}: any other, face down")
        else:
            turn = f", turned by {laid.turn * 90} degrees clockwise" if laid.turn else ""
            regions.append(f"{where}: region {laid.region}{turn}")
    ranks = [f"{name(state, seat)} {RANKS[state.seats[seat].rank - 1]}" for seat in state.by_rank()]
    supporters = number_of(state.seats[0].supporters, "supporter")
    return (
        f"The map, seen from its lower side: {'; '.join(regions)}.",
        f"Nobility cards: {', '.join(ranks)}. Everybody takes {supporters}.",
        f"All {sum(state.centre)} commodity tiles lie face down in the centre.",
    )


def _king(state: State) -> str:
    return f"{name(state, state.king)}, the king"


def _first_statues(state: State) -> str:
    return f"{name(state, state.turn)}: place your first statue on a free pasture."


def _sentiment(state: State) -> str:
    return f"{_king(state)}: press the button to spin."


def _set_aside(state: State) -> str:
    each = number_of(state.edition.numbers.set_aside, "tile")
    return (
        f"All tiles lie face down in the centre. Everybody: lay {each} aside, unseen, beside the "
        f"table's zones."
    )


def _taxes(state: State) -> str:
    return (
        f"{_king(state)}: start the hourglass. Everybody: look at one tile at a time with one "
        f"hand, and put it back or keep it face down on your castle."
    )


def _reveal(state: State) -> str:
    return "Everybody: turn all tiles face up where they lie, in the centre and on the castles."


def _pleas(state: State) -> str:
    holders = [seat for seat, player in enumerate(state.seats) if player.mercy]
    return f"{names(state, holders)}: say whether you use your mercy."


def _tumults(state: State) -> str:
    verdict = tumults(state)
    told = []
    for seat in range(state.players):
        if not verdict.punished(seat):
            continue
        parts = []
        if any(verdict.returned[seat]):
            parts.append(f"return {tiles(verdict.returned[seat])} to the centre")
        if lost := verdict.supporters_lost[seat]:
            parts.append(f"give {number_of(lost, 'supporter')} to the supply")
        told.append(f"{name(state, seat)}: {listed(parts) or 'you lose nothing'}.")
    return " ".join(told) or "Nobody is punished."


def _build(state: State) -> str:
    if not legal_builds(state, state.turn):
        return f"{name(state, state.turn)}: there is nothing that you can build now, so pass."
    return (
        f"{name(state, state.turn)}: place statues on one field and pay into the centre, or pass."
    )


def _ranks(state: State) -> str:
    due = ranks_due(state)
    order = sorted(range(state.players), key=lambda seat: due[seat])
    cards = [f"{name(state, seat)} is {RANKS[due[seat] - 1]}" for seat in order]
    return (
        f"Everybody: turn all tiles face down and put them back into the centre. The nobility "
        f"cards by supporters: {listed(cards)}."
    )


def _crowning(state: State) -> str:
    price = number_of(crown_price(state), "supporter")
    statues = number_of(crown_due(state), "statue")
    return (
        f"{_king(state)}: give {price} to the supply, put {statues} on space "
        f"{len(state.chronicle) + 1} of the chronicle, and take spinner and hourglass."
    )


def _regions(state: State) -> str:
    more = number_of(state.to_turn, "face-down region")
    return f"{_king(state)}: turn {more} up, and enter which it is and how it lies."


def _mercy(state: State) -> str:
    due = mercy_due(state)
    cards = [
        f"{name(state, seat)}'s card shows {'mercy' if shown else 'no mercy'}"
        for seat, shown in enumerate(due)
    ]
    if not any(due):
        return "All mercy cards show no mercy."
    return upper(f"{listed(cards)}.")


_INSTRUCTIONS: dict[Phase, Callable[[State], str]] = {
    Phase.FIRST_STATUES: _first_statues,
    Phase.SENTIMENT: _sentiment,
    Phase.SET_ASIDE: _set_aside,
    Phase.TAXES: _taxes,
    Phase.REVEAL: _reveal,
    Phase.PLEAS: _pleas,
    Phase.TUMULTS: _tumults,
    Phase.BUILD: _build,
    Phase.RANKS: _ranks,
    Phase.CROWNING: _crowning,
    Phase.REGIONS: _regions,
    Phase.MERCY: _mercy,
}
