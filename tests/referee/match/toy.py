"""A small game for tests of the match: a round is a spin, a raid, a purchase, and a handshake.

There are six tiles "a", "b" and "c", two of each, all in the centre. Spin: the dial says how many
tiles may be taken. Raid: while the hourglass runs the player takes tiles into the castle, face up;
then they are counted. Pay: one tile goes back; a "c" is paid with a statue on the field "f1" too.
Shake: a person confirms. Then the next round begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from referee.games.fact import Fact, FactValue
from referee.games.game import (
    Ask,
    Chair,
    Choice,
    Counts,
    Explained,
    Explanation,
    Finding,
    Good,
    RunGlass,
    Sheet,
    SpinDial,
    Step,
    Table,
    TileAsk,
)
from referee.games.measure import Amount, Measure
from referee.games.table import PlacedPieces, PlacedTile, Placement, TablePlan

TILES = {"a": 2, "b": 2, "c": 2}
ZONES = ("centre", "castle")
PHASES = ("spin", "raid", "pay", "shake")
ROUNDS = 3


@dataclass(frozen=True)
class Toy:
    """A position: `castle` are the labels of the tiles in the castle, in order."""

    round: int = 1
    phase: str = "spin"
    most: int = 0
    castle: tuple[str, ...] = ()
    statue: bool = False


@dataclass(frozen=True)
class Move:
    """`kind` is a phase; `castle` the tiles in it after a raid, `label` what was paid or spun."""

    kind: str
    label: str = ""
    castle: tuple[str, ...] = ()


def castle(table: Table) -> tuple[str, ...]:
    return tuple(sorted(k for k, n in table.faces.get("castle", {}).items() for _ in range(n)))


class ToyGame:
    """See above; a `Game`."""

    name = "toy"
    title = "Toy"
    edition = "toy-1"
    goods: tuple[Good, ...] = ()
    store = "centre"
    chairs: tuple[Chair, ...] = (
        Chair("red", "Red", (190, 40, 40)),
        Chair("blue", "Blue", (40, 90, 190)),
    )
    players: tuple[int, ...] = (1, 2)
    measures: tuple[Measure, ...] = (
        Measure("held", "Tiles held", level=True),
        Measure("taken", "Tiles taken", parts=(("a", "a"), ("b", "b"), ("c", "c"))),
        Measure("rounds", "Rounds", per="taken"),
    )

    def draw(self, setup: Mapping[str, str], rng: Random) -> dict[str, str]:
        return dict(setup)

    def lay(self, state: Toy) -> tuple[str, ...]:
        return ("All tiles lie in the centre.",)

    def begin(self, setup: Mapping[str, str]) -> Toy:
        return Toy()

    def write_state(self, state: Toy) -> str:
        taken = ",".join(state.castle) or "-"
        return f"{state.round} {state.phase} {state.most} {taken} {int(state.statue)}"

    def read_state(self, text: str) -> Toy:
        words = text.split()
        if len(words) != 5 or words[1] not in PHASES:
            raise ValueError(f"{text!r} is no position")
        taken = () if words[3] == "-" else tuple(words[3].split(","))
        return Toy(int(words[0]), words[1], int(words[2]), taken, words[4] == "1")

    def write_move(self, move: Move, state: Toy) -> str:
        return " ".join([move.kind, move.label or "-", ",".join(move.castle) or "-"])

    def read_move(self, text: str, state: Toy) -> Move:
        words = text.split()
        if len(words) != 3 or words[0] not in PHASES:
            raise ValueError(f"{text!r} is no move")
        label = "" if words[1] == "-" else words[1]
        return Move(words[0], label, () if words[2] == "-" else tuple(words[2].split(",")))

    def check(self, state: Toy, move: Move) -> tuple[Finding, ...]:
        if move.kind != state.phase:
            return (Finding(True, "PHASE", "0", f"This is no time to {move.kind}."),)
        if move.kind == "raid" and len(move.castle) > state.most:
            return (Finding(True, "GREED", "2", f"More than {state.most} tiles were taken."),)
        if move.kind == "pay" and move.label not in state.castle:
            return (Finding(True, "NOT_OWNED", "3", f"No {move.label} lies in the castle."),)
        return ()

    def possible(self, state: Toy, move: Move) -> bool:
        return move.kind == state.phase and (move.kind != "pay" or move.label in state.castle)

    def apply(self, state: Toy, move: Move) -> Toy:
        following = PHASES[(PHASES.index(state.phase) + 1) % len(PHASES)]
        state = replace(state, phase=following)
        if move.kind == "spin":
            return replace(state, most=int(move.label))
        if move.kind == "raid":
            return replace(state, castle=move.castle)
        if move.kind == "pay":
            left = list(state.castle)
            left.remove(move.label)
            return replace(state, castle=tuple(left), statue=state.statue or move.label == "c")
        return replace(state, round=state.round + 1)

    def faults(self, state: Toy) -> tuple[str, ...]:
        return ("There are too many tiles.",) if len(state.castle) > 6 else ()

    def facts(self, state: Toy) -> tuple[Fact, ...]:
        phases = tuple((phase, phase) for phase in PHASES)
        faces = tuple((label, label) for label in TILES)
        taken = {label: state.castle.count(label) for label in TILES if label in state.castle}
        return (
            Fact("round", "The game", "round", state.round, least=1, most=ROUNDS + 1),
            Fact("phase", "The game", "what comes next", state.phase, phases),
            Fact("most", "Red", "may take", state.most, most=6),
            Fact("castle", "Red", "tiles", taken, faces, most=6, zone="castle"),
        )

    def with_facts(self, state: Toy, values: Mapping[str, FactValue]) -> Toy:
        known = {fact.key: fact for fact in self.facts(state)}
        changes: dict[str, Any] = dict(values)
        for key, value in values.items():
            if key not in known or not known[key].fits(value):
                raise ValueError(f"{key} can't be {value!r}.")
        if "castle" in changes:
            taken = changes["castle"]
            changes["castle"] = tuple(label for label in TILES for _ in range(taken.get(label, 0)))
        return replace(state, **changes)

    def step(self, state: Toy) -> Step[Move] | None:
        if state.round > ROUNDS:
            return None
        tiles = TileAsk(ZONES, (), 6, TILES)

        def raid(table: Table) -> Explanation[Move]:
            move = Move("raid", castle=castle(table))
            return Explanation((Explained(move, self.check(state, move)),))

        def pay(table: Table) -> Explanation[Move]:
            now, statue = castle(table), "f1" in table.pieces
            gone = list(state.castle)
            for label in now:
                if label not in gone:
                    text = f"A tile {label} came into the castle."
                    return Explanation(differs=(Finding(True, "TILE_MOVED", "3", text),))
                gone.remove(label)
            placed = statue and not state.statue
            if not gone and not placed:
                return Explanation()
            if len(gone) > 1 or (placed and gone not in ([], ["c"])):
                return Explanation(differs=(Finding(True, "TOO_MUCH", "3", "Too much is paid."),))
            missing = Finding(True, "UNPAID", "3", "A tile c and a statue go together.")
            if gone != ["c"] and gone:
                return Explanation((Explained(Move("pay", gone[0])),))
            if gone and placed:
                return Explanation((Explained(Move("pay", "c")),))
            rest = ("A tile c is still to be paid.",) if placed else ("The statue is missing.",)
            return Explanation((Explained(Move("pay", "c"), (missing,), rest),))

        def spin(table: Table) -> Explanation[Move]:
            return Explanation((Explained(Move("spin", table.dial or "")),))

        def none(table: Table) -> Explanation[Move]:
            return Explanation()

        steps = {
            "spin": Step("spin", "1", "", "", (0,), Ask(dial=True), spin, SpinDial(("1", "2"))),
            "raid": Step("raid", "2", "", "", (0,), Ask(tiles), raid, RunGlass(20.0, "Take!")),
            "pay": Step("pay", "3", "", "", (0,), Ask(tiles, fields=True), pay),
            "shake": Step("shake", "4", "", "", (0,), None, none, due=Move("shake")),
        }
        return steps[state.phase]

    def choices(self, state: Toy) -> tuple[Choice, ...]:
        return ()

    def tell(self, state: Toy, move: Move) -> tuple[str, ...]:
        return (f"{move.kind} {move.label}".strip(),)

    def sheet(self, state: Toy) -> Sheet:
        return Sheet(state.round, state.most, ())

    def levels(self, state: Toy) -> tuple[Amount, ...]:
        return (Amount("held", 0, len(state.castle)),)

    def counted(self, state: Toy, move: Move) -> tuple[Amount, ...]:
        if move.kind == "raid":
            return tuple(Amount("taken", 0, 1, label) for label in move.castle)
        return (Amount("rounds", 0, 1),) if move.kind == "shake" else ()

    def winners(self, state: Toy) -> tuple[int, ...]:
        return () if self.step(state) is not None else (0,)

    def plan(self, state: Toy) -> TablePlan:
        raise AssertionError("the toy game is never laid out on a table")

    def placement(self, state: Toy) -> Placement:
        """Only what a spin and a handshake do not change matters here."""
        tiles = tuple(PlacedTile("", label, "", "castle", face_up=True) for label in state.castle)
        return Placement(tiles, (PlacedPieces("red", "f1", 1),) if state.statue else ())


def faces(*in_castle: str) -> Counts:
    """What lies where if these tiles were taken."""
    centre = {label: n - in_castle.count(label) for label, n in TILES.items()}
    return {"centre": centre, "castle": {k: in_castle.count(k) for k in set(in_castle)}}
