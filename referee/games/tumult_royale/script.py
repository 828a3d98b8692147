"""The script of a game: for each phase who acts, what is asked of the table, what the box does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from referee.games.game import (
    Ask,
    Device,
    Explained,
    Explanation,
    RunGlass,
    SpinDial,
    Step,
    Table,
    TileAsk,
)
from referee.games.tumult_royale import explain_build, explain_statues, explain_tiles
from referee.games.tumult_royale.findings import judged
from referee.games.tumult_royale.instructions import instruction, while_time_runs
from referee.games.tumult_royale.legal import legal_moves
from referee.games.tumult_royale.moves import Move, Spin
from referee.games.tumult_royale.state import EVERYBODY, Phase, State, tumults
from referee.games.tumult_royale.tiles import LABELS, total
from referee.games.tumult_royale.words import TITLES
from referee.games.tumult_royale.zones import MAP, castle_zone


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a phase asks of the table, how that is understood, and what the box does first."""

    ask: Callable[[State], Ask]
    explain: Callable[[State, Table], Explanation[Move]]
    device: Callable[[State], Device] | None = None


def step(state: State) -> Step[Move] | None:
    """What must happen next; None after the end."""
    if state.phase is Phase.OVER:
        return None
    seen = _SEEN.get(state.phase)
    return Step(
        phase=state.phase.value,
        rule=state.phase.rule,
        title=TITLES[state.phase],
        instruction=instruction(state),
        actors=_actors(state),
        ask=None if seen is None else seen.ask(state),
        explain=_nothing if seen is None else partial(seen.explain, state),
        device=seen.device(state) if seen and seen.device else None,
        due=_due(state),
    )


def _actors(state: State) -> tuple[int, ...]:
    """The seats that must do something: of tumults, those that are punished."""
    everybody = tuple(range(state.players))
    if state.phase is Phase.TUMULTS:
        verdict = tumults(state)
        return tuple(seat for seat in everybody if verdict.punished(seat))
    return everybody if state.turn == EVERYBODY else (state.turn,)


def _nothing(table: Table) -> Explanation[Move]:
    """A phase that leaves nothing for a camera to see."""
    return Explanation()


def _due(state: State) -> Move | None:
    """The only legal move, where a camera would not see that it was carried out."""
    unseen = state.phase in (Phase.RANKS, Phase.CROWNING, Phase.MERCY)
    if state.phase is Phase.TUMULTS:
        # Where tiles are returned the table shows it; supporters that are lost it doesn't.
        unseen = not any(map(sum, tumults(state).returned))
    return legal_moves(state)[0] if unseen else None


def _spin(state: State, table: Table) -> Explanation[Move]:
    """The number at the arrow is the demand (3.1)."""
    labels = {str(number): number for number in state.edition.spinner}
    if table.dial not in labels:
        return Explanation()
    move = Spin(labels[table.dial])
    return Explanation((Explained(move, judged(state, move)),))


def _dial(state: State) -> Ask:
    return Ask(dial=True)


def _fields(state: State) -> Ask:
    return Ask(fields=True, boards=(MAP,))


def _backs(state: State) -> Ask:
    return Ask(_tiles(state, face_up=False))


def _faces(state: State) -> Ask:
    return Ask(_tiles(state))


def _both(state: State) -> Ask:
    return Ask(_revealed(state), fields=True, boards=(MAP,))


def _returned(state: State) -> Ask:
    return Ask(_revealed(state))


def _tiles(state: State, *, face_up: bool = True) -> TileAsk:
    """All tiles in play lie somewhere in the zones, but for those that are set aside."""
    in_play = state.edition.tiles_in_play[state.players]
    aside = state.edition.numbers.set_aside * state.players
    return TileAsk(
        zones=explain_tiles.zone_names(state),
        boards=tuple(castle_zone(seat.colour) for seat in state.seats),
        expected=sum(in_play) - aside,
        in_play=dict(zip(LABELS, in_play, strict=True)),
        aside=aside,
        face_up=face_up,
    )


def _revealed(state: State) -> TileAsk:
    """After the reveal it is known which tiles lie there, and which are set aside."""
    known = total((state.centre, *(seat.tiles for seat in state.seats)))
    return TileAsk(
        zones=explain_tiles.zone_names(state),
        boards=tuple(castle_zone(seat.colour) for seat in state.seats),
        expected=sum(known),
        in_play={label: n for label, n in zip(LABELS, known, strict=True) if n},
        aside=sum(state.aside),
    )


_SEEN: dict[Phase, _Seen] = {
    Phase.FIRST_STATUES: _Seen(_fields, explain_statues.first_statue),
    Phase.SENTIMENT: _Seen(
        _dial, _spin, lambda state: SpinDial(tuple(map(str, state.edition.spinner)))
    ),
    Phase.SET_ASIDE: _Seen(_backs, explain_tiles.set_aside),
    Phase.TAXES: _Seen(
        _backs,
        explain_tiles.time_up,
        lambda state: RunGlass(state.edition.numbers.hourglass, while_time_runs()),
    ),
    Phase.REVEAL: _Seen(_faces, explain_tiles.reveal),
    Phase.TUMULTS: _Seen(_returned, explain_tiles.punish),
    Phase.BUILD: _Seen(_both, explain_build.build),
}
