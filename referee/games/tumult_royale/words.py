"""Words for the screens; the German ones are in `words.de.json`.

The German words of the game, as German players know them: Tumultscheibe (spinner), Forderung
(demand), Warenplättchen or Plättchen (commodity tile), Tischmitte (centre), Burgtafel (castle
board), Schlossfeld (castle on the map), Wiesen-, Wald-, Gebirgs- and Dorffeld, Landschaft (region),
Gefolgsleute (supporters), Vorrat (supply), am gierigsten (the greediest), Gnade and Gnadenkarte,
Adelskarte, Rang, Krönung, Königschronik and Feld der Königschronik (chronicle, space), Sanduhr.
Nobody is addressed: instructions are "Bitte …" with an infinitive, or say what somebody does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.said import Said, listed, say, say_n
from referee.games.tumult_royale.adjudication import (
    CommodityVerdict,
    Punishment,
    Sentiment,
    Tumults,
)
from referee.games.tumult_royale.state import Phase, State
from referee.games.tumult_royale.tiles import COMMODITIES, LABELS, MOST_SYMBOLS, Symbols, Tiles

TITLES = {
    Phase.FIRST_STATUES: say("First statues"),
    Phase.SENTIMENT: say("Gauge the sentiment"),
    Phase.SET_ASIDE: say("Set tiles aside"),
    Phase.TAXES: say("Collect taxes"),
    Phase.REVEAL: say("The reveal"),
    Phase.PLEAS: say("Pleas for mercy"),
    Phase.TUMULTS: say("Tumults"),
    Phase.BUILD: say("Place statues"),
    Phase.RANKS: say("New ranks"),
    Phase.CROWNING: say("The crowning"),
    Phase.REGIONS: say("Regions revealed"),
    Phase.MERCY: say("Mercy"),
    Phase.OVER: say("The end"),
}
RANKS: tuple[str, ...] = (say("king"), say("2nd"), say("3rd"), say("4th"))
COLOUR_WORDS: Mapping[str, Said] = {
    "yellow": say("Yellow"),
    "blue": say("Blue"),
    "grey": say("Grey"),
    "purple": say("Purple"),
}
COMMODITY_WORDS: Mapping[str, Said] = {
    "bread": say("bread"),
    "marble": say("marble"),
    "tools": say("tools"),
}
#: Fields by their type; one whose region lies face down has none.
FIELD_WORDS: Mapping[str | None, Said] = {
    "pasture": say("pasture"),
    "forest": say("forest"),
    "mountain": say("mountain"),
    "village": say("village"),
    "castle": say("castle"),
    None: say("face-down region's field"),
}


def tell(tumults: Tumults, colours: Sequence[str]) -> tuple[str, ...]:
    """The verdict in one line, then a sentence for each commodity; `colours` are by seat."""
    return headline(tumults), *(explain(verdict, colours) for verdict in tumults.commodities)


def headline(tumults: Tumults) -> str:
    """The verdict on all commodities in one line."""
    stirred = [
        COMMODITY_WORDS[verdict.commodity] for verdict in tumults.commodities if verdict.tumult
    ]
    if not stirred:
        return say("The people are content: no tumult.")
    return say("Tumult over {what}!", what=listed(stirred))


def explain(verdict: CommodityVerdict, colours: Sequence[str]) -> str:
    """The verdict on one commodity: what remains, who is the greediest, and what it costs."""
    remains = say_n(
        verdict.remaining,
        "One symbol of {what} remains, {demand} demanded",
        "{n:word,upper} symbols of {what} remain, {demand} demanded",
        what=COMMODITY_WORDS[verdict.commodity],
        demand=verdict.demand,
    )
    if verdict.sentiment is Sentiment.CALM:
        return say("{remains}: no tumult.", remains=remains)
    due = verdict.punishment
    if due is None or verdict.greediest is None:
        return say("{remains}: tumult, but nobody was greedy. Nobody is punished.", remains=remains)
    who, greed = COLOUR_WORDS[colours[verdict.greediest]], verdict.greed[verdict.greediest]
    if sum(other == greed for other in verdict.greed) > 1:
        why = say("{who} is the greediest with {greed}, being of higher rank", who=who, greed=greed)
    else:
        why = say("{who} is the greediest with {greed}", who=who, greed=greed)
    costs = _costs(due, who, COMMODITY_WORDS[verdict.commodity])
    return say("{remains}: tumult. {why}; {costs}.", remains=remains, why=why, costs=costs)


def _costs(due: Punishment, who: Said, what: Said) -> Said:
    """What the greediest of a commodity loses."""
    lost = supporters(due.supporters)
    if back := sum(due.returned):
        kept = next(kind % MOST_SYMBOLS + 1 for kind, n in enumerate(due.kept) if n)
        return say(
            "{who} loses {lost}, keeps one {what} tile with {symbols} and returns {back}",
            who=who,
            lost=lost,
            what=what,
            symbols=symbols(kept),
            back=number_of_tiles(back),
        )
    if sum(due.kept):
        return say(
            "{who} loses {lost} and keeps the only {what} tile", who=who, lost=lost, what=what
        )
    return say("{who} loses {lost}", who=who, lost=lost)


def number_of_tiles(n: int) -> Said:
    """ "One tile", "two tiles", inside a sentence."""
    return say_n(n, "one tile", "{n:word} tiles")


def symbols(n: int) -> Said:
    """ "One symbol", "two symbols", inside a sentence."""
    return say_n(n, "one symbol", "{n:word} symbols")


def supporters(n: int) -> Said:
    """ "One supporter", "two supporters", inside a sentence."""
    return say_n(n, "one supporter", "{n:word} supporters")


def statues(n: int) -> Said:
    """ "One statue", "two statues", inside a sentence."""
    return say_n(n, "one statue", "{n:word} statues")


def name(state: State, seat: int) -> Said:
    """What a seat is called: its colour."""
    return COLOUR_WORDS[state.seats[seat].colour]


def names(state: State, seats: Sequence[int]) -> str:
    """Several seats in a row."""
    return listed([name(state, seat) for seat in seats])


def tiles(heap: Tiles) -> str:
    """The tiles of a heap, each with its face: "bread 1, bread 1 and tools 3"."""
    faces = [tile(label) for label, n in zip(LABELS, heap, strict=True) for _ in range(n)]
    return listed(faces) or say("nothing")


def tile(label: str) -> Said:
    """The face of a tile: "bread 1"."""
    commodity, _, number = label.partition("-")
    return say("{what} {number}", what=COMMODITY_WORDS[commodity], number=number)


def price(symbols: Symbols) -> str:
    """Symbols of each commodity: "2 marble and 3 tools"."""
    return listed(
        [
            say("{n} {what}", n=n, what=COMMODITY_WORDS[commodity])
            for n, commodity in zip(symbols, COMMODITIES, strict=True)
            if n
        ]
    )


def place(state: State, field: int) -> Said:
    """A field in words: "the castle in row 2, column 3"."""
    row, column = divmod(field, state.board.width)
    return say(
        "the {what} in row {row}, column {column}",
        what=FIELD_WORDS[state.board.types[field]],
        row=row + 1,
        column=column + 1,
    )


def winner(state: State) -> str:
    """Who has won; empty before the end."""
    if state.outcome is None:
        return ""
    built = state.seats[state.outcome.winner].built
    who = name(state, state.outcome.winner)
    return say("{who} wins with {statues}.", who=who, statues=statues(built))
