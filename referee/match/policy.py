"""The policy of verdicts: what a settled table means at a step, or what keeps it from meaning it.

Pure: the same step and claims give the same verdict. Confirmed only if all boards were found, every
tile is accounted for, and exactly one legal explanation is left of what is doubtful; nobody is
accused of anything that would not hold for every way to read what is doubtful.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Generic

from referee.claims import MAX_DOUBTFUL, Claims, explanations, surplus
from referee.games.game import (
    OUTSIDE,
    Explained,
    Explanation,
    Finding,
    MoveT,
    SpinDial,
    Step,
    Table,
    TileAsk,
)
from referee.match.verdict import Outcome, Reason, Verdict

#: Doubtful tiles that may be read in more ways than this accuse nobody.
MAX_WAYS = 64
#: Reasons that hold only because a table does not yet show what was entered by hand.
_DIFFERS = (Reason.CONTRADICTS_RECORD, Reason.UNFINISHED, Reason.MULTISET_BROKEN)


def assess(
    step: Step[MoveT],
    claims: Claims,
    *,
    done: bool = False,
    behind: bool = False,
    motor: str | None = None,
) -> Verdict[MoveT] | None:
    """What the claims mean in a match: as `judge`, and with what the match knows besides.

    `behind`: the record was changed by hand, and the table need not show it yet. `motor`: the label
    that the dial's motor believes in; where the camera reads another one, a person decides.
    """
    verdict = judge(step, claims, done=done)
    if verdict is None:
        return None
    if verdict.outcome is Outcome.CONFIRMED:
        return _against_motor(step, verdict, motor)
    if behind and verdict.reason in _DIFFERS:
        texts = verdict.missing or tuple(each.text for each in verdict.findings)
        return _inconclusive(Reason.NOT_CARRIED_OUT, number=1, missing=texts)
    return verdict


def _against_motor(step: Step[MoveT], verdict: Verdict[MoveT], motor: str | None) -> Verdict[MoveT]:
    """The verdict, unless the motor believes in another label than the camera reads."""
    if motor is None or not isinstance(step.device, SpinDial) or verdict.ruling is None:
        return verdict
    believed = [each.move for each in step.explain(Table(dial=motor)).moves]
    if verdict.ruling in believed:
        return verdict
    return _inconclusive(Reason.DIAL_DISAGREES, number=1, rivals=(verdict.ruling, *believed))


def judge(step: Step[MoveT], claims: Claims, *, done: bool = False) -> Verdict[MoveT] | None:
    """What the claims mean; None if nothing has happened yet that would concern the step.

    `done`: somebody said that nothing more will be done; what is unfinished is then judged as it
    lies there. The tiles of a verdict index the claims.
    """
    ask = step.ask
    if ask is None:
        return None
    wanted = (*ask.boards, *(ask.tiles.boards if ask.tiles else ()))
    if lost := tuple(dict.fromkeys(board for board in wanted if board not in claims.boards)):
        return _inconclusive(Reason.BOARD_NOT_FOUND, boards=lost)
    if ask.dial and claims.dial is None:
        return _inconclusive(Reason.DIAL_UNREADABLE, number=1)
    readings: Sequence[Mapping[int, str]] = ({},)
    counts: Mapping[str, Mapping[str, int]] = {}
    doubtful: tuple[int, ...] = ()
    if ask.tiles is not None:
        counts = claims.counts(ask.tiles.zones)
        doubtful = _doubtful(claims, ask.tiles)
        if ask.tiles.face_up:
            unfit: Verdict[MoveT] | None = _unfit(claims, ask.tiles)
            if unfit is not None and not (done and not doubtful):
                return unfit
            if doubtful:
                readings = explanations(
                    claims, ask.tiles.zones, ask.tiles.in_play, ask.tiles.expected
                )
            if not readings:
                return _inconclusive(Reason.MULTISET_BROKEN, doubtful, number=1, counts=counts)
    told = [step.explain(_table(claims, ask.tiles, reading)) for reading in readings]
    weighed = _Weighed(step, claims, told, tuple(readings), doubtful, done)
    verdict = weighed.verdict(ask.tiles)
    if ask.fields and claims.likely and (verdict is None or verdict.reason is Reason.UNFINISHED):
        return _perhaps(step, _table(claims, ask.tiles, readings[0]), claims) or verdict
    return verdict


def _perhaps(step: Step[MoveT], sure: Table, claims: Claims) -> Verdict[MoveT] | None:
    """What a person is asked if pieces that are not seen for sure would explain something."""
    likely = replace(
        sure,
        pieces={**sure.pieces, **claims.likely},
        sure_fields=sure.sure_fields | claims.likely.keys(),
    )
    moves = step.explain(likely).moves
    if legal := tuple(each.move for each in moves if each.legal):
        return _inconclusive(Reason.PIECE_DOUBTFUL, number=1, rivals=legal)
    missing = tuple(sentence for each in moves for sentence in each.missing)
    return _inconclusive(Reason.UNFINISHED, number=1, missing=missing) if missing else None


@dataclass(frozen=True)
class _Weighed(Generic[MoveT]):
    """What the rules say of each way to read a table."""

    step: Step[MoveT]
    claims: Claims
    told: Sequence[Explanation[MoveT]]
    readings: Sequence[Mapping[int, str]]
    doubtful: tuple[int, ...]
    done: bool

    def verdict(self, ask: TileAsk | None) -> Verdict[MoveT] | None:
        legal: dict[MoveT, tuple[Explained[MoveT], Mapping[int, str]]] = {}
        for told, reading in zip(self.told, self.readings, strict=True):
            for explained in told.moves:
                if explained.legal:
                    legal.setdefault(explained.move, (explained, reading))
        idle = [not told.moves and not told.differs and not told.missing for told in self.told]
        if len(legal) == 1 and not any(idle):
            ((explained, reading),) = legal.values()
            return self._confirmed(explained, reading, ask)
        if legal:
            return self._open(tuple(legal))
        if all(idle):
            return None
        if len(self.told) > 1:
            if clear := self._clear(ask):
                return self._out_of_sync(clear, None)
            return _inconclusive(Reason.TILE_DOUBTFUL, self._unsettled() or self.doubtful)
        return self._not_legal(self.told[0], ask)

    def _clear(self, ask: TileAsk | None) -> tuple[Finding, ...]:
        """What contradicts the record whatever the doubtful tiles are.

        What is in play narrows no reading here: whoever is accused is so on sight alone.
        """
        rivals = {tile.tile: tile.candidates for tile in self.claims.doubtful}
        ways = [rivals[tile] for tile in self.doubtful]
        if prod(map(len, ways)) > MAX_WAYS:
            return ()
        found: list[tuple[Finding, ...]] = []
        for labels in product(*ways):
            reading = dict(zip(self.doubtful, labels, strict=True))
            told = self.step.explain(_table(self.claims, ask, reading))
            under_way = any(each.missing for each in told.moves) and not self.done
            if told.missing or under_way or any(each.legal for each in told.moves):
                return ()
            found.append(told.moves[0].findings if told.moves else told.differs)
        return tuple(each for each in found[0] if all(each in others for others in found))

    def _confirmed(
        self, explained: Explained[MoveT], reading: Mapping[int, str], ask: TileAsk | None
    ) -> Verdict[MoveT]:
        return Verdict(
            Outcome.CONFIRMED,
            tiles=tuple(self.claims.within(ask.zones)) if ask else (),
            counts=self.claims.counts(ask.zones, reading) if ask else {},
            ruling=explained.move,
            findings=explained.findings,
            references=(self.step.rule,),
        )

    def _open(self, rivals: tuple[MoveT, ...]) -> Verdict[MoveT]:
        """More than one thing may have happened."""
        unsettled = self._unsettled()
        reason = Reason.TILE_DOUBTFUL if unsettled else Reason.AMBIGUOUS
        number = len(unsettled) or len(rivals)
        return _inconclusive(reason, unsettled, number=number, rivals=rivals)

    def _not_legal(self, told: Explanation[MoveT], ask: TileAsk | None) -> Verdict[MoveT] | None:
        """No legal move explains the table, and there is one way to read it."""
        best = told.moves[0] if told.moves else None
        if best is not None and best.missing and not self.done:
            return _inconclusive(Reason.UNFINISHED, number=1, missing=best.missing)
        if told.missing:
            return _inconclusive(Reason.UNFINISHED, number=1, missing=told.missing)
        if self.doubtful:
            if clear := self._clear(ask):
                return self._out_of_sync(clear, None)
            return _inconclusive(Reason.TILE_DOUBTFUL, self.doubtful)
        if best is None:
            return self._out_of_sync(told.differs, None)
        return self._out_of_sync(best.findings, best.move)

    def _out_of_sync(self, findings: tuple[Finding, ...], move: MoveT | None) -> Verdict[MoveT]:
        rules = (finding.rule for finding in findings)
        return Verdict(
            Outcome.OUT_OF_SYNC,
            Reason.CONTRADICTS_RECORD,
            len(findings),
            ruling=move,
            findings=findings,
            references=tuple(dict.fromkeys(rules)) or (self.step.rule,),
        )

    def _unsettled(self) -> tuple[int, ...]:
        """The doubtful tiles that the readings name differently."""
        tiles = self.readings[0]
        return tuple(tile for tile in tiles if len({each[tile] for each in self.readings}) > 1)


def _unfit(claims: Claims, ask: TileAsk) -> Verdict[MoveT] | None:
    """Why face-up tiles can't be told, if so: the first reason that holds."""
    inside = claims.within(ask.zones)
    unread = [tile for tile in claims.doubtful if tile.zone in ask.zones]
    doubtful = [tile.tile for tile in unread]
    sure = claims.counts(ask.zones)

    def unfit(
        reason: Reason, tiles: Iterable[int] = (), number: int | None = None
    ) -> Verdict[MoveT]:
        return _inconclusive(reason, tuple(tiles), number=number, counts=sure)

    if down := [tile for tile in claims.face_down if tile in set(inside)]:
        return unfit(Reason.TILE_FACE_DOWN, down)
    outside = claims.outside(ask.zones)
    if len(inside) == ask.expected and all(tile in claims.labels for tile in inside):
        # Every tile in play is surely accounted for: what shows no face elsewhere is no tile.
        outside = [tile for tile in outside if tile not in claims.faceless]
    if strays := [tile for tile in outside if tile not in claims.face_down]:
        return unfit(Reason.TILE_OUTSIDE_ZONES, strays)
    if len(outside) > ask.aside:
        return unfit(Reason.TOO_MANY_TILES, outside, len(outside) - ask.aside)
    if len(inside) < ask.expected:
        return unfit(Reason.TILES_MISSING, number=ask.expected - len(inside))
    if len(inside) > ask.expected:
        return unfit(Reason.TOO_MANY_TILES, doubtful, len(inside) - ask.expected)
    if extra := surplus(claims, ask.zones, ask.in_play):
        faces = {claims.labels[tile] for tile in extra}
        return unfit(Reason.MULTISET_BROKEN, extra, len(faces))
    if blank := [
        tile.tile
        for tile in unread
        if not tile.candidates or not set(tile.candidates) <= ask.in_play.keys()
    ]:
        return unfit(Reason.TILE_UNREADABLE, blank)
    if len(doubtful) > MAX_DOUBTFUL:
        return unfit(Reason.TOO_MANY_DOUBTFUL, doubtful)
    return None


def _doubtful(claims: Claims, ask: TileAsk) -> tuple[int, ...]:
    """The doubtful tiles that matter: those in the zones."""
    return tuple(tile.tile for tile in claims.doubtful if tile.zone in ask.zones)


def _table(claims: Claims, ask: TileAsk | None, reading: Mapping[int, str]) -> Table:
    """The table as one way to read it says. Where only backs count, what is doubtful is a back."""
    faces: dict[str, Counter[str]] = {}
    backs: Counter[str] = Counter()
    if ask is not None:
        for tile, zone in enumerate(claims.zones):
            place = zone if zone in ask.zones else OUTSIDE
            label = claims.labels.get(tile, reading.get(tile))
            if label is not None:
                faces.setdefault(place, Counter())[label] += 1
            elif tile in claims.face_down or (not ask.face_up and place != OUTSIDE):
                backs[place] += 1
    pieces = {field: claims.pieces[field] for field in claims.sure_fields & claims.pieces.keys()}
    return Table(faces, backs, pieces, claims.sure_fields, claims.dial)


def _inconclusive(
    reason: Reason,
    tiles: tuple[int, ...] = (),
    *,
    number: int | None = None,
    boards: tuple[str, ...] = (),
    counts: Mapping[str, Mapping[str, int]] | None = None,
    missing: tuple[str, ...] = (),
    rivals: tuple[MoveT, ...] = (),
) -> Verdict[MoveT]:
    things = len(tiles) or len(boards)
    return Verdict(
        Outcome.INCONCLUSIVE,
        reason,
        things if number is None else number,
        tiles,
        boards,
        counts=counts or {},
        missing=missing,
        rivals=rivals,
    )
