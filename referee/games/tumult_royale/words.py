"""Sentences for the screens, in English."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.tumult_royale.adjudication import CommodityVerdict, Sentiment, Tumults
from referee.games.tumult_royale.state import Phase, State
from referee.games.tumult_royale.tiles import MOST_SYMBOLS, Tiles, labels_of

TITLES = {
    Phase.FIRST_STATUES: "First statues",
    Phase.SENTIMENT: "Gauge the sentiment",
    Phase.SET_ASIDE: "Set tiles aside",
    Phase.TAXES: "Collect taxes",
    Phase.REVEAL: "The reveal",
    Phase.PLEAS: "Pleas for mercy",
    Phase.TUMULTS: "Tumults",
    Phase.BUILD: "Place statues",
    Phase.RANKS: "New ranks",
    Phase.CROWNING: "The crowning",
    Phase.REGIONS: "Regions revealed",
    Phase.MERCY: "Mercy",
    Phase.OVER: "The end",
}
RANKS = ("king", "2nd", "3rd", "4th")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def tell(tumults: Tumults, colours: Sequence[str]) -> tuple[str, ...]:
    """The verdict in one line, then a sentence for each commodity; `colours` are by seat."""
    return headline(tumults), *(explain(verdict, colours) for verdict in tumults.commodities)


def headline(tumults: Tumults) -> str:
    """The verdict on all commodities in one line."""
    stirred = [verdict.commodity for verdict in tumults.commodities if verdict.tumult]
    if not stirred:
        return "The people are content: no tumult."
    return f"Tumult over {listed(stirred)}!"


def explain(verdict: CommodityVerdict, colours: Sequence[str]) -> str:
    """The verdict on one commodity: what remains, who is the greediest, and what it costs."""
    what = verdict.commodity
    remains = (
        f"{number_of(verdict.remaining, 'symbol')} of {what} "
        f"{'remains' if verdict.remaining == 1 else 'remain'}, {verdict.demand} demanded"
    )
    if verdict.sentiment is Sentiment.CALM:
        return f"{upper(remains)}: no tumult."
    if verdict.punishment is None or verdict.greediest is None:
        return f"{upper(remains)}: tumult, but nobody was greedy. Nobody is punished."
    who = upper(colours[verdict.greediest])
    greed = verdict.greed[verdict.greediest]
    tied = sum(other == greed for other in verdict.greed) > 1
    why = f"{who} is the greediest with {greed}" + (", being of higher rank" if tied else "")
    lost = verdict.punishment.supporters
    costs = f"loses {number_of(lost, 'supporter')}"
    back = sum(verdict.punishment.returned)
    if back:
        (kept,) = _symbols(verdict.punishment.kept)
        costs += f", keeps one {what} tile with {number_of(kept, 'symbol')}"
        costs += f" and returns {number_of(back, 'tile')}"
    elif sum(verdict.punishment.kept):
        costs += f" and keeps the only {what} tile"
    return f"{upper(remains)}: tumult. {why}; {who} {costs}."


def _symbols(tiles: Tiles) -> tuple[int, ...]:
    """The number of symbols of each tile."""
    return tuple(kind % MOST_SYMBOLS + 1 for kind, n in enumerate(tiles) for _ in range(n))


def number_of(n: int, what: str) -> str:
    """A number with its noun: "one tile", "two tiles"."""
    word = NUMBERS[n] if n < len(NUMBERS) else str(n)
    return f"{word} {what}{'' if n == 1 else 's'}"


def listed(items: Sequence[str]) -> str:
    """Words in a row: "bread, marble and tools"; empty for none."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def name(state: State, seat: int) -> str:
    """What a seat is called: its colour."""
    return upper(state.seats[seat].colour)


def names(state: State, seats: Sequence[int]) -> str:
    """Several seats in a row."""
    return listed([name(state, seat) for seat in seats])


def tiles(heap: Tiles) -> str:
    """The tiles of a heap, each with its face: "bread 1, bread 1 and tools 3"."""
    return listed([label.replace("-", " ") for label in labels_of(heap)]) or "nothing"


def place(state: State, field: int) -> str:
    """A field in words: "the castle in row 2, column 3"."""
    row, column = divmod(field, state.board.width)
    type_ = state.board.types[field] or "face-down region's field"
    return f"the {type_} in row {row + 1}, column {column + 1}"


def winner(state: State) -> str:
    """Who has won; empty before the end."""
    if state.outcome is None:
        return ""
    built = state.seats[state.outcome.winner].built
    return f"{name(state, state.outcome.winner)} wins with {number_of(built, 'statue')}."


def upper(text: str) -> str:
    """The same with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
