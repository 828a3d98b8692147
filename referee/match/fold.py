"""The state of a match as a fold over its journal: positions, who did what, what is pending.

`folded(events)` is all that a match knows after a restart; `step` is how one event changes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Generic

from referee.games.game import Game, MoveT, StateT
from referee.journal import Cause, Event
from referee.match.lineage import Origins, origins_after


class Stage(Enum):
    """How far the box is with its part of a step."""

    IDLE = "idle"
    RUNNING = "running"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class DeviceRun:
    """The box's part of the current step.

    label: What the motor turned to, or will; None if it is not known.
    wall_end: When the hourglass ends, UTC seconds; 0 if none runs.
    by_hand: Whether people do it without the box.
    """

    stage: Stage = Stage.IDLE
    label: str | None = None
    wall_end: float = 0.0
    by_hand: bool = False


@dataclass(frozen=True)
class Review(Generic[StateT]):
    """A person looks into what happened; until that is over the public screens stand still.

    `at` is when it began, UTC seconds, `seq` the number of that event; `before` is the match as it
    was then, which is what they show.
    """

    by: str
    reason: str
    at: float
    seq: int
    before: Fold[StateT]


@dataclass(frozen=True)
class Fold(Generic[StateT]):
    """A match after some of its events.

    `positions` are by state id; the last one holds. `behind`: the record was changed by hand, and
    the table need not show it yet. `done`: somebody said that nothing more will be done. `apart`:
    the table contradicts the record; the match waits. `told` is the last move in words. `ended`:
    somebody ended the match though the game was not over.
    """

    positions: tuple[StateT, ...] = ()
    moves: tuple[str, ...] = ()
    """The move that led to each position; empty where it was no move."""
    origins: Origins = ()
    """The state that each was first."""
    told: tuple[str, ...] = ()
    cause: Cause = Cause("referee")
    """Who led to the position."""
    device: DeviceRun = DeviceRun()
    behind: bool = False
    done: bool = False
    apart: bool = False
    ended: bool = False
    review: Review[StateT] | None = None
    """The review that is going on; None if there is none."""
    buzzer: str = ""
    """Name of the picture taken when the hourglass had run out."""
    software: Mapping[str, Any] = field(default_factory=dict)
    """The parts of the program when it was started last; empty if nobody noted them."""
    commands: frozenset[str] = field(default_factory=frozenset)
    seq: int = 0

    @property
    def state_id(self) -> int:
        """The id of the position that holds; -1 before the match has begun."""
        return len(self.positions) - 1

    @property
    def position(self) -> StateT:
        """The position that holds."""
        return self.positions[-1]


def folded(game: Game[StateT, MoveT], events: Iterable[Event]) -> Fold[StateT]:
    """The match after all these events. Raises ValueError if one can't follow those before it."""
    fold: Fold[StateT] = Fold()
    for event in events:
        fold = after(game, fold, event)
    return fold


def after(game: Game[StateT, MoveT], fold: Fold[StateT], event: Event) -> Fold[StateT]:
    """The match after one more event."""
    data: Any = event.data
    fold = replace(fold, seq=event.seq)
    if command := data.get("command"):
        fold = replace(fold, commands=fold.commands | {command})
    match event.kind:
        case "begin":
            return _moved(fold, event, game.read_state(data["position"]))
        case "move":
            before = fold.position
            move = game.read_move(data["text"], before)
            told = game.tell(before, move)
            position = game.apply(before, move)
            # What people enter may still have to be done, if it shows on the table at all.
            entered = event.cause.kind == "person"
            shows = entered and game.placement(before) != game.placement(position)
            behind = shows or (entered and fold.behind)
            return _moved(fold, event, position, data["text"], told, behind=behind)
        case "undo" | "position":
            return _moved(fold, event, game.read_state(data["position"]), behind=True)
        case "verdict":
            return replace(fold, apart=data["verdict"]["outcome"] == "out-of-sync")
        case "agrees":
            return replace(fold, apart=False, behind=False, done=False)
        case "decision":
            return replace(fold, apart=False, behind=True, done=False)
        case "correction":
            return replace(fold, done=False)
        case "done":
            over = replace(fold.device, stage=Stage.OVER, by_hand=True)
            idle = fold.device.stage is Stage.IDLE
            return replace(fold, done=True, device=over if idle else fold.device)
        case "spin":
            run = DeviceRun(Stage(data["stage"]), data.get("label"))
            return replace(fold, device=run)
        case "glass":
            run = DeviceRun(Stage(data["stage"]), None, data.get("end", 0.0), data["by_hand"])
            return replace(fold, device=run)
        case "run":
            return replace(fold, software=data["software"], ended=False)
        case "end":
            return replace(fold, ended=True)
        case "buzzer":
            return replace(fold, buzzer=data["picture"])
        case "review":
            then = replace(fold, review=None)
            reason = data["reason"]
            begun = Review(event.cause.who, reason, event.at, event.seq, then)
            return replace(fold, review=begun)
        case "resume":
            return replace(fold, review=None)
    return fold


def _moved(
    fold: Fold[StateT],
    event: Event,
    position: StateT,
    move: str = "",
    told: tuple[str, ...] = (),
    *,
    behind: bool = False,
) -> Fold[StateT]:
    return replace(
        fold,
        positions=(*fold.positions, position),
        moves=(*fold.moves, move),
        origins=origins_after(fold.origins, event),
        told=told,
        cause=event.cause,
        device=DeviceRun(),
        behind=behind,
        done=False,
        apart=False,
    )
