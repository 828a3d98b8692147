"""What the players must do next, in their own words."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.said import joined, listed, say, say_n
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
from referee.games.tumult_royale.words import (
    RANKS,
    name,
    names,
    number_of_tiles,
    statues,
    supporters,
    tiles,
)


def instruction(state: State) -> str:
    """One or two sentences on who does what; empty after the end."""
    return _INSTRUCTIONS[state.phase](state) if state.phase in _INSTRUCTIONS else ""


def laying(state: State) -> tuple[str, ...]:
    """How the table is laid for a start (rules section 2), in sentences."""
    columns = len(state.board.places) // REGION_ROWS
    regions = []
    for place, laid in enumerate(state.board.places):
        row, column = (number + 1 for number in divmod(place, columns))
        if laid is None:
            text = say("row {row}, place {place}: any other, face down", row=row, place=column)
        elif laid.turn == 0:
            text = say(
                "row {row}, place {place}: region {region}",
                row=row,
                place=column,
                region=laid.region,
            )
        else:
            text = say(
                "row {row}, place {place}: region {region}, turned by {degrees} degrees clockwise",
                row=row,
                place=column,
                region=laid.region,
                degrees=laid.turn * 90,
            )
        regions.append(text)
    ranks = [
        say("{who} {rank:noun}", who=name(state, seat), rank=RANKS[state.seats[seat].rank - 1])
        for seat in state.by_rank()
    ]
    return (
        say("The map, seen from its lower side: {regions}.", regions=joined(regions, "; ")),
        say(
            "Nobility cards: {ranks}. Everybody takes {supporters}.",
            ranks=joined(ranks, ", "),
            supporters=supporters(state.seats[0].supporters),
        ),
        say("All {n} commodity tiles lie face down in the centre.", n=sum(state.centre)),
    )


def _first_statues(state: State) -> str:
    who = name(state, state.turn)
    return say("{who}: place your first statue on a free pasture.", who=who)


def _sentiment(state: State) -> str:
    return say("{king}, the king: press the button to spin.", king=name(state, state.king))


def _set_aside(state: State) -> str:
    each = number_of_tiles(state.edition.numbers.set_aside)
    return say(
        "All tiles lie face down in the centre. Everybody: lay {tiles} aside, unseen, beside the "
        "table's zones.",
        tiles=each,
    )


def _taxes(state: State) -> str:
    return say(
        "{king}, the king: start the hourglass. Everybody: look at one tile at a time with one "
        "hand, and put it back or keep it face down on your castle.",
        king=name(state, state.king),
    )


def while_time_runs() -> str:
    """What everybody does while the hourglass runs."""
    return say(
        "Everybody: look at one tile at a time with one hand, and put it back or keep it face "
        "down on your castle. Hands off when time is up."
    )


def _reveal(state: State) -> str:
    return say(
        "Everybody: turn all tiles face up where they lie, in the centre and on the castles."
    )


def _pleas(state: State) -> str:
    holders = [seat for seat, player in enumerate(state.seats) if player.mercy]
    return say("{who}: say whether you use your mercy.", who=names(state, holders))


def _tumults(state: State) -> str:
    verdict = tumults(state)
    told = []
    for seat in range(state.players):
        if not verdict.punished(seat):
            continue
        parts = []
        if any(verdict.returned[seat]):
            parts.append(say("return {tiles} to the centre", tiles=tiles(verdict.returned[seat])))
        if lost := verdict.supporters_lost[seat]:
            parts.append(say("give {supporters} to the supply", supporters=supporters(lost)))
        what = listed(parts) or say("you lose nothing")
        told.append(say("{who}: {what}.", who=name(state, seat), what=what))
    return joined(told) or say("Nobody is punished.")


def _build(state: State) -> str:
    who = name(state, state.turn)
    if not legal_builds(state, state.turn):
        return say("{who}: there is nothing that you can build now, so pass.", who=who)
    return say("{who}: place statues on one field and pay into the centre, or pass.", who=who)


def _ranks(state: State) -> str:
    due = ranks_due(state)
    order = sorted(range(state.players), key=lambda seat: due[seat])
    cards = [
        say("{who} is {rank}", who=name(state, seat), rank=RANKS[due[seat] - 1]) for seat in order
    ]
    return say(
        "Everybody: turn all tiles face down and put them back into the centre. The nobility "
        "cards by supporters: {cards}.",
        cards=listed(cards),
    )


def _crowning(state: State) -> str:
    return say(
        "{king}, the king: give {supporters} to the supply, put {statues} on space {space} of the "
        "chronicle, and take spinner and hourglass.",
        king=name(state, state.king),
        supporters=supporters(crown_price(state)),
        statues=statues(crown_due(state)),
        space=len(state.chronicle) + 1,
    )


def _regions(state: State) -> str:
    return say_n(
        state.to_turn,
        "{king}, the king: turn one face-down region up, and enter which it is and how it lies.",
        "{king}, the king: turn {n:word} face-down regions up, and enter which it is and how it "
        "lies.",
        king=name(state, state.king),
    )


def _mercy(state: State) -> str:
    due = mercy_due(state)
    if not any(due):
        return say("All mercy cards show no mercy.")
    cards = [
        say("{who}'s card shows mercy", who=name(state, seat))
        if shown
        else say("{who}'s card shows no mercy", who=name(state, seat))
        for seat, shown in enumerate(due)
    ]
    return say("{cards:upper}.", cards=listed(cards))


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
