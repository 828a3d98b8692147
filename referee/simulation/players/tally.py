"""What the referee said of a match whose truth is known: counts, and how long it took."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from referee.games.hands import Cheat, Deed


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that the referee should not have said, or should have; `picture` shows it."""

    what: str
    told: str
    picture: bytes | None = None


@dataclass
class Tally:
    """Counts over matches."""

    rounds: int = 0
    confirmed: int = 0
    """Moves confirmed from the table alone."""
    wrong: int = 0
    """Of these, those that differ from what truly happened."""
    cheats: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    """Cheats of each kind, and those rightly accused."""
    without_evidence: int = 0
    """Right accusations without all their pictures."""
    false: int = 0
    """Accusations of what did not happen."""
    tidy: int = 0
    """Steps done tidily and honestly, then left in peace."""
    open: Counter[str] = field(default_factory=Counter)
    """Of these, those without a verdict after 2 quiet seconds, by what was said."""
    slips: Counter[str] = field(default_factory=Counter)
    stuck: int = 0
    """Matches that could not go on."""
    waits: list[float] = field(default_factory=list)
    """Seconds of the match's clock from the last hand to the verdict."""
    computed: list[float] = field(default_factory=list)
    """The same as a machine needs them that computes as fast as this one."""
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Adds another one's counts."""
        for name in self.__dataclass_fields__:
            mine, more = getattr(self, name), getattr(other, name)
            if isinstance(mine, Counter):
                mine.update(more)
            elif isinstance(mine, list):
                mine.extend(more)
            else:
                setattr(self, name, mine + more)

    def fail(self, what: str, doing: str, told: str, picture: bytes | None = None) -> None:
        """Notes a failure: what went wrong, what the hands did, what was said."""
        self.failures.append(Failure(what, f"{doing}: {told}", picture))


def right(cheat: Cheat | None, reasons: frozenset[str]) -> bool:
    """Whether an accusation for these reasons is right."""
    return cheat is not None and bool(reasons) and reasons <= cheat.reasons


def doing(deed: Deed) -> str:
    """What hands do, in a few words."""
    if deed.cheat is not None:
        return f"{deed.cheat.kind}, seat {deed.cheat.seat}"
    return (deed.slip.value if deed.slip else "") or deed.move or "no move yet"
