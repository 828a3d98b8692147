"""What is counted of a match: the game says what, move by move; what was taken back does not count.

A level is told as it was at the end of each round, what adds up as it was added in each round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic

from referee.games.game import Game, MoveT, StateT
from referee.games.measure import Amount, Measure

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Counted:
    """What one state brought."""

    state: int
    round: int
    levels: tuple[Amount, ...]
    added: tuple[Amount, ...]


@dataclass
class Counting(Generic[StateT, MoveT]):
    """Counts one match, state by state."""

    game: Game[StateT, MoveT]
    seats: int
    _states: list[_Counted] = field(default_factory=list)

    def begin(self, position: StateT, round_: int) -> None:
        """The start."""
        self._states.append(_Counted(0, round_, self.game.levels(position), ()))

    def moved(self, state: int, before: StateT, text: str, position: StateT, round_: int) -> None:
        """A state that a move led to, or a person if `text` is empty; `round_` is that it was in.

        What somebody only went back to is not told here.
        """
        added = self.game.counted(before, self.game.read_move(text, before)) if text else ()
        self._states.append(_Counted(state, round_, self.game.levels(position), added))

    def told(self, holding: Collection[int]) -> list[Json]:
        """Each measure with what every seat has of it; `holding` are the states that count."""
        states = [each for each in self._states if each.state in holding]
        rounds = sorted({each.round for each in states})
        return [self._told(measure, states, rounds) for measure in self.game.measures]

    def _told(self, measure: Measure, states: list[_Counted], rounds: list[int]) -> Json:
        keys = [key for key, _ in measure.parts]
        series = [
            _level(measure, states, rounds, seat)
            if measure.level
            else [
                _sum(measure, [each for each in states if each.round == number], seat)
                for number in rounds
            ]
            for seat in range(self.seats)
        ]
        return {
            "key": measure.key,
            "words": measure.words,
            "level": measure.level,
            "per": measure.per or None,
            "parts": [words for _, words in measure.parts],
            "rounds": rounds,
            "seats": [
                {
                    "total": line[-1] if measure.level and line else sum(line),
                    "parts": _parts(measure, states, seat, keys),
                    "rounds": line,
                }
                for seat, line in enumerate(series)
            ],
        }


def _level(measure: Measure, states: list[_Counted], rounds: list[int], seat: int) -> list[int]:
    """What a seat had at the end of each round."""
    at_end = {each.round: each.levels for each in states}
    return [_of(measure, at_end[number], seat) for number in rounds]


def _sum(measure: Measure, states: Iterable[_Counted], seat: int) -> int:
    return sum(_of(measure, each.added, seat) for each in states)


def _of(measure: Measure, amounts: Iterable[Amount], seat: int) -> int:
    return sum(each.number for each in amounts if each.measure == measure.key and each.seat == seat)


def _parts(measure: Measure, states: list[_Counted], seat: int, keys: list[str]) -> list[int]:
    parts: Counter[str] = Counter()
    for each in states:
        for amount in each.added:
            if amount.measure == measure.key and amount.seat == seat:
                parts[amount.part] += amount.number
    return [parts[key] for key in keys]
