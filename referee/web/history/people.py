"""How people did over many matches, by the name that was entered for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass
class _Person:
    """What one name did in one game; only finished matches count for averages."""

    name: str
    games: int = 0
    finished: int = 0
    wins: int = 0
    sums: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def people(records: Iterable[Json]) -> list[Json]:
    """For each game that was played, the names and what they reached, most wins first.

    `records` are matches as `records.read` tells the whole of them, or as much as is asked here.
    Names that differ in capital letters only are one; a seat without a name is nobody.
    """
    games: dict[str, tuple[list[Json], dict[str, _Person]]] = {}
    for record in sorted(records, key=lambda each: -each["begun"]):
        if not record["measures"]:
            continue
        persons = games.setdefault(record["title"], (_kinds(record), {}))[1]
        for player in record["players"]:
            if name := player["player"]:
                _add(persons.setdefault(name.casefold(), _Person(name)), record, player)
    return [
        {
            "title": title,
            "measures": kinds,
            "people": [
                {
                    "name": person.name,
                    "games": person.games,
                    "finished": person.finished,
                    "wins": person.wins,
                    "averages": [
                        round(person.sums[kind["key"]] / person.finished, 1)
                        if person.finished
                        else None
                        for kind in kinds
                    ],
                }
                for person in sorted(
                    persons.values(), key=lambda each: (-each.wins, each.games, each.name)
                )
            ],
        }
        for title, (kinds, persons) in sorted(games.items())
        if persons
    ]


def _kinds(record: Json) -> list[Json]:
    return [{"key": each["key"], "words": each["words"]} for each in record["measures"]]


def _add(person: _Person, record: Json, player: Json) -> None:
    person.games += 1
    if not record["finished"]:
        return
    person.finished += 1
    person.wins += player["won"]
    for measure in record["measures"]:
        person.sums[measure["key"]] += measure["seats"][player["seat"]]["total"]
