"""A position as a person sets it: some facts changed, and what can be counted from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.games.fact import FactValue
from referee.games.said import say
from referee.games.tumult_royale.board import Board
from referee.games.tumult_royale.edition import Colour
from referee.games.tumult_royale.facts import FLAGS, NONE, UNKNOWN, YES, facts, of_chronicle
from referee.games.tumult_royale.notation import parse_laid, parse_number, parse_outcome
from referee.games.tumult_royale.state import EVERYBODY, Phase, Seat, State, changed
from referee.games.tumult_royale.tiles import LABELS, Tiles, minus, total


def with_facts(state: State, values: Mapping[str, FactValue]) -> State:
    """The position with some facts as a person says.

    Unless it is given too, the supply is what players do not hold, the centre what lies neither
    aside nor on castles. Raises ValueError for an unknown key, or for what can't be such a value.
    """
    known = {fact.key: fact for fact in facts(state)}
    for key, value in values.items():
        if key not in known:
            raise ValueError(say("A position has no fact {key}.", key=repr(key)))
        if not known[key].fits(value):
            words = known[key].words
            raise ValueError(
                say("{what}: {value} can't be that.", what=words, value=f"{value!r:.80}")
            )
    return _Put(state, values).together()


@dataclass(frozen=True)
class _Put:
    """Puts a position together; the values fit their facts."""

    state: State
    values: Mapping[str, Any]

    def together(self) -> State:
        """The position."""
        board, chronicle = self._board(), self._chronicle()
        seats = tuple(
            self._seat(seat, index, board, chronicle) for index, seat in enumerate(self.state.seats)
        )
        colours = [seat.colour for seat in seats]
        changes: dict[str, Any] = {"board": board, "chronicle": chronicle, "seats": seats}
        for key, field, read in self._simple(colours):
            if key in self.values:
                changes[field] = read(self.values[key])
        changes |= {"at_time": self._at_time(), **self._rest(seats, changes)}
        return changed(self.state, **changes)

    def _simple(self, colours: list[Colour]) -> Sequence[tuple[str, str, Callable[[Any], Any]]]:
        return (
            ("phase", "phase", Phase),
            ("turn", "turn", lambda text: EVERYBODY if text == NONE else colours.index(text)),
            ("round", "round", int),
            ("demand", "demand", parse_number),
            ("aside", "aside", _heap),
            ("to-turn", "to_turn", int),
            (
                "outcome",
                "outcome",
                lambda text: None if text == NONE else parse_outcome(text.split(","), colours),
            ),
        )

    def _rest(self, seats: tuple[Seat, ...], changes: Mapping[str, Any]) -> dict[str, Any]:
        """What players do not hold, and what does not lie elsewhere, unless it is given."""
        state, values = self.state, self.values
        rest: dict[str, Any] = {}
        if "supply" in values:
            rest["supply"] = values["supply"]
        elif any(key.endswith(".supporters") for key in values):
            rest["supply"] = state.edition.supporters - sum(seat.supporters for seat in seats)
        if "centre" in values:
            rest["centre"] = _heap(values["centre"])
        elif any(key.endswith(".tiles") or key == "aside" for key in values):
            elsewhere = [changes.get("aside", state.aside), *(seat.tiles for seat in seats)]
            rest["centre"] = minus(state.edition.tiles_in_play[len(seats)], total(elsewhere))
            if lacking := [n for n in rest["centre"] if n < 0]:
                raise ValueError(
                    say(
                        "There would lie {n} tiles more than this game has of a face.",
                        n=-sum(lacking),
                    )
                )
        return rest

    def _at_time(self) -> tuple[int, ...] | None:
        """How many tiles lay on each castle; nobody knows unless each was counted."""
        before = self.state.at_time
        told = [self.values.get(f"{seat.colour}.at-time") for seat in self.state.seats]
        if before is None:
            known = [UNKNOWN if text is None else text for text in told]
        else:
            known = [str(before[k]) if text is None else text for k, text in enumerate(told)]
        return None if UNKNOWN in known else tuple(map(parse_number, known))

    def _board(self) -> Board:
        board, places = self.state.board, list(self.state.board.places)
        for index in range(len(places)):
            text = self.values.get(f"place-{index + 1}")
            if text is not None:
                places[index] = None if text == UNKNOWN else parse_laid(text)
        return Board(board.regions, tuple(places)) if tuple(places) != board.places else board

    def _chronicle(self) -> tuple[tuple[int, int], ...]:
        """The spaces that are filled; one behind an empty space counts as the next one."""
        state = self.state
        colours: list[str] = [seat.colour for seat in state.seats]
        spaces: list[tuple[int, int]] = []
        for fact in of_chronicle(state):
            value = str(self.values.get(fact.key, fact.value))
            if value != NONE:
                colour, _, statues = value.partition("*")
                spaces.append((colours.index(colour), int(statues)))
        beyond = state.chronicle[len(state.edition.chronicle.statues) :]
        return (*spaces, *beyond)

    def _seat(
        self, seat: Seat, index: int, board: Board, chronicle: tuple[tuple[int, int], ...]
    ) -> Seat:
        def told(what: str) -> Any:
            return self.values.get(f"{seat.colour}.{what}")

        changes: dict[str, Any] = {}
        if (rank := told("rank")) is not None:
            changes["rank"] = int(rank)
        if (supporters := told("supporters")) is not None:
            changes["supporters"] = supporters
        if (heap := told("tiles")) is not None:
            changes["tiles"] = _heap(heap)
        changes |= {flag: told(flag) == YES for flag in FLAGS if told(flag) is not None}
        statues = told("statues")
        if statues is not None:
            placed = changed(seat, planes=(0, 0, 0))
            for field, number in statues.items():
                if number:
                    placed = changed(placed, planes=placed.planes_with(board.number(field), number))
            changes["planes"] = placed.planes
        seat = changed(seat, **changes)
        if statues is None and chronicle == self.state.chronicle:
            return seat
        standing = sum(number for _, number in seat.statues())
        crowned = sum(number for owner, number in chronicle if owner == index)
        return changed(seat, built=standing + crowned)


def _heap(counts: Mapping[str, int]) -> Tiles:
    return tuple(counts.get(label, 0) for label in LABELS)
