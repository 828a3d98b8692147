"""Plays shows at a rendered table; every verdict comes from what is seen of it."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, Protocol

from referee.games.show import Beat, Show
from referee.games.step import Counts, RulingT, Step
from referee.games.table import PlacedTile, Placement
from referee.match.reveal import in_the_way, rule_on
from referee.match.verdict import Outcome, Verdict
from vision.session import Look

log = logging.getLogger(__name__)

#: Seconds that the audience needs to read why there is no verdict yet.
INCONCLUSIVE_SECONDS = 4.0
#: Seconds after which a table that can't be read, by a hand or for want of light, is inconclusive.
PATIENCE_SECONDS = 10.0


class Table(Protocol):
    """A table that things can be laid on."""

    def lay(self, placement: Placement, *, relaid: bool) -> None:
        """Lays things there; what lay there before stays where it is unless `relaid`."""


#: The newest look at the table as it lay at a time (monotonic seconds), with a higher frame id
#: than a given one; None if there will be none any more.
Looks = Callable[[float, int], Look | None]


@dataclass(frozen=True, slots=True)
class Record:
    """How the verdicts compare with what truly lay there; `agrees` is of the last one."""

    confirmed: int = 0
    inconclusive: int = 0
    disagreements: int = 0
    agrees: bool | None = None


@dataclass(frozen=True)
class Snapshot(Generic[RulingT]):
    """What is known and told at one moment; never changed, only replaced."""

    show: Show[RulingT]
    beat: Beat[RulingT]
    step: Step[RulingT] | None = None
    """The last question to the table in this round."""
    verdict: Verdict[RulingT] | None = None
    """The last answer to it."""
    frame: int = -1
    """Id of the frame that the verdict rests on."""
    record: Record = Record()


class Demo(Generic[RulingT]):
    """Plays shows one after the other, each on a table that it asks for.

    Not for use by several threads, but for `snapshot` and `stop`.
    """

    def __init__(
        self,
        shows: Iterable[Show[RulingT]],
        table: Table,
        look: Looks,
        pause: Callable[[float], None],
    ) -> None:
        """`pause` waits for so many seconds, or less if nobody watches."""
        self._shows, self._table, self._look, self._pause = shows, table, look, pause
        self._snapshot: Snapshot[RulingT] | None = None
        self._stopped = threading.Event()

    @property
    def snapshot(self) -> Snapshot[RulingT] | None:
        """The newest state of things; None before the first beat."""
        return self._snapshot

    def stop(self) -> None:
        """Lets `run` end after the current beat."""
        self._stopped.set()

    def run(self) -> None:
        """Plays until the shows are over, or `stop` is called."""
        for show in self._shows:
            answer: Counts | None = None
            try:
                beat = next(show.beats)
                while not self._stopped.is_set():
                    answer = self._play(show, beat)
                    beat = show.beats.send(answer)
            except StopIteration:
                continue
            if self._stopped.is_set():
                return

    def _play(self, show: Show[RulingT], beat: Beat[RulingT]) -> Counts | None:
        """Shows one beat; the confirmed counts if it has a step."""
        self._table.lay(beat.placement, relaid=beat.relaid)
        laid_at = time.monotonic()
        before = self._snapshot
        if before is None or before.beat.round != beat.round or before.show is not show:
            record = Record() if before is None else before.record
            self._snapshot = Snapshot(show, beat, record=record)
        elif beat.step is not None:
            self._snapshot = replace(before, beat=beat, step=beat.step, verdict=None)
        else:
            self._snapshot = replace(before, beat=beat)
        if beat.step is None:
            self._pause(beat.seconds)
            return None
        return self._ask(self._snapshot, beat.step, laid_at)

    def _ask(self, asked: Snapshot[RulingT], step: Step[RulingT], laid_at: float) -> Counts | None:
        """Looks until the table is settled, and publishes the verdict on what lies there."""
        verdict: Verdict[RulingT] | None = None
        last = -1
        while verdict is None:
            look = self._look(laid_at, last)
            if look is None or self._stopped.is_set():
                return None
            last = look.frame.id
            if look.settled is not None:
                verdict = rule_on(look.settled.observation, step)
            elif look.frame.captured_at - laid_at > PATIENCE_SECONDS:
                verdict = in_the_way(look)
        confirmed = verdict.outcome is Outcome.CONFIRMED
        record = _judged(asked.record, verdict, laid(asked.beat.placement.tiles, step.ask.zones))
        self._snapshot = replace(asked, verdict=verdict, frame=last, record=record)
        self._pause(asked.beat.seconds if confirmed else INCONCLUSIVE_SECONDS)
        return verdict.counts if confirmed else None


def laid(tiles: Iterable[PlacedTile], zones: Iterable[str]) -> Counts:
    """What truly lies face up in each zone: the truth that verdicts are compared with."""
    counts: dict[str, Counter[str]] = {zone: Counter() for zone in zones}
    for tile in tiles:
        if tile.face_up and tile.zone in counts:
            counts[tile.zone][tile.label] += 1
    return counts


def _judged(record: Record, verdict: Verdict[RulingT], truth: Counts) -> Record:
    if verdict.outcome is not Outcome.CONFIRMED:
        log.info("inconclusive: %s", verdict.sentence)
        return replace(record, inconclusive=record.inconclusive + 1, agrees=None)
    agrees = {zone: dict(labels) for zone, labels in verdict.counts.items()} == {
        zone: dict(labels) for zone, labels in truth.items()
    }
    record = replace(
        record,
        confirmed=record.confirmed + 1,
        disagreements=record.disagreements + (not agrees),
        agrees=agrees,
    )
    level = logging.INFO if agrees else logging.ERROR
    log.log(
        level,
        "verdict %d %s the truth; disagreements so far: %d",
        record.confirmed,
        "agrees with" if agrees else f"DIFFERS from ({truth} lay there, {verdict.counts} was read)",
        record.disagreements,
    )
    return record
