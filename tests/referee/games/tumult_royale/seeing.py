"""The table that a perfect camera sees, and what hands change on it; nothing of it is explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.games.game import Explanation, Table
from referee.games.tumult_royale import Build, Move, State, labels_of
from referee.games.tumult_royale.script import step
from referee.games.tumult_royale.table import placement

#: Rules 3.4: statues that fill a field.
STATUES = {"pasture": 1, "forest": 1, "mountain": 1, "village": 2, "castle": 3}


def seen(state: State) -> Table:
    """What lies there in a position."""
    placed = placement(state)
    faces: dict[str, Counter[str]] = {}
    backs: Counter[str] = Counter()
    for tile in placed.tiles:
        if tile.face_up:
            faces.setdefault(tile.zone, Counter())[tile.label] += 1
        else:
            backs[tile.zone] += 1
    pieces: dict[str, Counter[str]] = {}
    for piece in placed.pieces:
        pieces.setdefault(piece.field, Counter())[piece.colour] += piece.count
    fields = frozenset(map(state.board.name, range(len(state.board.types))))
    return Table(faces, backs, pieces, fields)


def stand(table: Table, field: str, colour: str, count: int) -> Table:
    """So many more statues of a colour on a field, or fewer."""
    pieces = {name: Counter(there) for name, there in table.pieces.items()}
    pieces.setdefault(field, Counter())[colour] += count
    return replace(table, pieces=pieces)


def carry(table: Table, labels: Iterable[str], start: str, end: str) -> Table:
    """Face-up tiles go from one zone to another; to "" they vanish."""
    faces = {zone: Counter(there) for zone, there in table.faces.items()}
    for label in labels:
        assert faces[start][label] > 0
        faces[start][label] -= 1
        if end:
            faces.setdefault(end, Counter())[label] += 1
    return replace(table, faces=faces)


def shift(table: Table, backs: Mapping[str, int]) -> Table:
    """So many more face-down tiles in each zone."""
    return replace(
        table, backs={z: table.backs.get(z, 0) + backs.get(z, 0) for z in {*table.backs, *backs}}
    )


def pay(state: State, table: Table, payment: tuple[int, ...], seat: int) -> Table:
    """Tiles go from a castle into the centre."""
    return carry(table, labels_of(payment), castle(state, seat), "centre")


def fill(state: State, table: Table, build: Build) -> Table:
    """As many statues as the rules say, or the rest, stand on a field."""
    type_ = state.board.types[build.field]
    assert type_ is not None
    count = min(STATUES[type_], state.statues_left(build.seat))
    return stand(table, state.board.name(build.field), state.seats[build.seat].colour, count)


def castle(state: State, seat: int) -> str:
    return f"castle-{state.seats[seat].colour}"


def told(state: State, table: Table) -> Explanation[Move]:
    """What the position's step makes of a table."""
    due = step(state)
    assert due is not None
    assert due.ask is not None
    return due.explain(table)


def accused(explanation: Explanation[Move]) -> set[str]:
    """The reasons of all breaches, however they are told; what is merely unfinished has none."""
    moves = [each for each in explanation.moves if not each.missing]
    found = [finding for each in moves for finding in each.findings]
    return {finding.reason for finding in (*found, *explanation.differs) if finding.illegal}


def breaches(explanation: Explanation[Move]) -> set[str]:
    """The reasons of all breaches if somebody says that nothing more will be done."""
    found = [finding for each in explanation.moves for finding in each.findings]
    return {finding.reason for finding in (*found, *explanation.differs) if finding.illegal}


def legal(explanation: Explanation[Move]) -> list[Move]:
    return [each.move for each in explanation.moves if each.legal]


def unfinished(explanation: Explanation[Move]) -> bool:
    """Something is under way: nobody is accused, nothing is legal, and it says what is missing."""
    missing = [*explanation.missing, *(text for e in explanation.moves for text in e.missing)]
    return bool(missing) and not accused(explanation) and not legal(explanation)


def idle(explanation: Explanation[Move]) -> bool:
    return not (explanation.moves or explanation.differs or explanation.missing)
