"""Many looks at a table become one verdict: they must agree."""

from __future__ import annotations

from typing import Generic

from referee.games.step import RulingT
from referee.match.verdict import Outcome, Reason, Verdict

#: So many looks in a row must say the same.
LOOKS = 3
#: After so many looks that don't, the table is inconclusive.
PATIENCE = 12


class Agreement(Generic[RulingT]):
    """Takes the verdict of each look, and gives one as soon as enough of them agree.

    Two confirmed verdicts agree if the same tiles lie in the same zones; two others if they have
    the same reason.
    """

    def __init__(self, looks: int = LOOKS, patience: int = PATIENCE) -> None:
        self._looks, self._patience = looks, patience
        self._last: Verdict[RulingT] | None = None
        self._alike = self._taken = 0

    def take(self, verdict: Verdict[RulingT]) -> Verdict[RulingT] | None:
        """The verdict that the looks agree on, INCONCLUSIVE if they never do, or None yet."""
        alike = self._last is not None and _say(verdict) == _say(self._last)
        self._alike = self._alike + 1 if alike else 1
        self._last = verdict
        self._taken += 1
        if self._alike >= self._looks:
            return verdict
        if self._taken < self._patience:
            return None
        if verdict.outcome is not Outcome.CONFIRMED:
            return verdict
        return Verdict(
            Outcome.INCONCLUSIVE, Reason.LOOKS_DISAGREE, self._taken, counts=verdict.counts
        )


def _say(verdict: Verdict[RulingT]) -> object:
    if verdict.outcome is Outcome.CONFIRMED:
        return {zone: dict(labels) for zone, labels in verdict.counts.items()}
    return verdict.reason
