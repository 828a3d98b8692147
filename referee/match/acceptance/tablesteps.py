"""The steps of an acceptance at the table: laid as it begins, moves of each kind, a hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Generic

from referee.games.game import MoveT, StateT
from referee.games.said import joined, say
from referee.match.acceptance.bench import Bench, told
from referee.match.acceptance.cases import Case, illegal_case, legal_case, open_fields
from referee.match.acceptance.layout import differences
from referee.match.acceptance.talk import (
    Asking,
    Asks,
    EndedError,
    FailedError,
    Prompt,
    SkippedError,
)
from referee.match.commands import Do
from referee.match.verdict import Outcome, Reason

#: A hand must be told from a quick movement: so long nothing may be read. (s)
HELD_S = 1.5
OVER = "Check before the match: over."
WHY = "to check that a person can decide, before the match"


class TableSteps(Generic[StateT, MoveT]):
    """What is done at the table; each step leaves the record as it found it, but for `legal`."""

    def __init__(self, bench: Bench[StateT, MoveT]) -> None:
        self._bench = bench
        self._placed = False
        """Whether anything was asked for that changes the table."""

    def layout(self, prompt: Prompt) -> Asking:
        """The table is seen exactly as it lies when the match begins."""
        view = self._bench.view
        text = joined([*self._bench.game.lay(view.positions[0]), say("Then hands off the table.")])
        yield from self._as_at_start(replace(prompt, text=text), self._same(view.state_id))
        tiles = len(self._bench.game.placement(view.positions[0]).tiles)
        return say("Seen as it should be: {n} tiles, no doubt left.", n=tiles)

    def legal(self, prompt: Prompt) -> Asking:
        """A legal move is confirmed, and that very one."""
        bench, view = self._bench, self._bench.view
        case = legal_case(bench.game, view.position)
        if case is None:
            raise SkippedError(say("No legal move can be shown by one piece now."))

        def confirmed() -> str:
            now = bench.view
            if now.state_id == view.state_id:
                return ""
            if now.cause.kind != "camera" or now.moves[-1] != case.text:
                raise FailedError(
                    say("On record is {move}, not {wanted}.", move=now.moves[-1], wanted=case.text)
                )
            return say("Confirmed: {what}", what=joined(now.told))

        self._placed = True
        found = yield from bench.until(
            replace(prompt, text=say("Do this: {what}", what=case.words)), confirmed
        )
        return found

    def illegal(self, prompt: Prompt) -> Asking:
        """A move that breaks a rule is told as one; put back, the table agrees again."""
        case = self._illegal_case()
        found = yield from self._shown(prompt, case)
        yield from self._put_back(prompt)
        return found

    def doubtful(self, prompt: Prompt) -> Asking:
        """Under a hand nothing is read; when it leaves, all is again."""
        bench = self._bench
        same = self._same(bench.view.state_id)
        since: float | None = None

        def held() -> str:
            nonlocal since
            same()
            sight = bench.sight
            if sight is None or sight.claims is not None:
                since = None
            elif sight.why is Reason.HAND_OVER_TABLE:
                since = sight.at if since is None else since
                if sight.at - since >= HELD_S:
                    return sight.why.sentence(1)
            return ""

        def left() -> str:
            same()
            sight = bench.sight
            return "" if sight is None or sight.claims is None else say("read again")

        said = yield from bench.until(
            replace(prompt, text=say("Hold a hand still over the middle of the table.")), held
        )
        yield from bench.until(replace(prompt, text=say("Take the hand away.")), left)
        return joined([said, say("Nothing was read till it had left.")])

    def override(self, prompt: Prompt, seen: bool) -> Asking:
        """A person lets stand what breaks a rule, then takes it back.

        `seen`: the camera has told such a move before; else it is entered by hand.
        """
        bench, before = self._bench, self._bench.view
        case = self._illegal_case()
        if seen:
            yield from self._shown(prompt, case)
            answer = bench.command(Do.TABLE_RIGHT, reason=WHY)
        else:
            if bench.command(Do.ENTER, text=case.text).accepted:
                raise FailedError(
                    say("Nobody was asked why this should stand: {what}", what=case.words)
                )
            answer = bench.command(Do.ENTER, text=case.text, reason=WHY)
        if not answer.accepted:
            raise FailedError(answer.text)
        ruled = bench.view
        if (ruled.cause.kind, ruled.moves[-1]) != ("person", case.text):
            raise FailedError(
                say("On record is {move}, not {wanted}.", move=ruled.moves[-1], wanted=case.text)
            )
        answer = bench.command(Do.UNDO, reason=WHY, to=before.state_id)
        if not answer.accepted or bench.view.position != before.position:
            raise FailedError(answer.text or "It was not taken back.")
        if seen:
            yield from self._put_back(prompt)
        return say(
            "It stood as a person said, and was taken back: states {first} and {last} are on "
            "record.",
            first=ruled.state_id,
            last=bench.view.state_id,
        )

    def start(self, prompt: Prompt, seen: bool) -> Asking:
        """All is taken back, so that the match stands at its start.

        `seen`: the camera sees the table, which must lie so too: what still stood there would be
        taken for a move. Whatever comes, the record is taken back.
        """
        bench = self._bench
        if self._at_start and not self._placed:
            yield from ()
            return say("The match stands at its start, as state {n}.", n=bench.view.state_id)
        text = say("Take away all that was placed, so that the table lies as at the beginning.")
        trouble: EndedError | None = None
        if seen:
            try:
                yield from self._as_at_start(replace(prompt, text=text), lambda: None)
            except EndedError as error:
                trouble = error
        self.take_back()
        if trouble is not None:
            raise trouble
        if seen:
            yield from self._agreed(
                replace(prompt, asks=Asks.NOTHING, text=say("The table is read."))
            )
        return say("The match stands at its start, as state {n}.", n=bench.view.state_id)

    def take_back(self) -> None:
        """Lets the record be as at the start. Raises FailedError if it can't."""
        bench, view = self._bench, self._bench.view
        if self._at_start:
            return
        # What the camera has just seen is judged once the note is taken, and not after the undo.
        bench.command(Do.NOTE, text=OVER)
        if bench.view.state_id > 0:
            answer = bench.command(Do.UNDO, to=0, reason=OVER)
        else:
            text = bench.game.write_state(view.position)
            answer = bench.command(Do.POSITION, text=text, reason=OVER)
        if not answer.accepted:
            raise FailedError(joined([say("The match does not stand at its start."), answer.text]))

    @property
    def _at_start(self) -> bool:
        """Whether nothing is on record that must be taken back."""
        view = self._bench.view
        return view.position == view.positions[0] and not self._bench.pressed

    def _illegal_case(self) -> Case[MoveT]:
        case = illegal_case(self._bench.game, self._bench.view.position)
        if case is None:
            raise SkippedError(say("No breach of a rule can be shown by one piece now."))
        return case

    def _shown(self, prompt: Prompt, case: Case[MoveT]) -> Asking:
        """The breach is made on the table, and told."""
        bench = self._bench
        same = self._same(bench.view.state_id)

        def accused() -> str:
            same()
            verdict = bench.view.verdict
            if verdict is None or verdict.outcome is not Outcome.OUT_OF_SYNC:
                return ""
            broken = any(finding.illegal for finding in verdict.findings)
            right = verdict.ruling == case.move and broken
            return say("Told: {what}", what=told(verdict)) if right else ""

        self._placed = True
        text = say("Do this, though it breaks a rule: {what}", what=case.words)
        found = yield from bench.until(replace(prompt, text=text), accused)
        return found

    def _put_back(self, prompt: Prompt) -> Asking:
        """What was done last is taken away again, and the table agrees."""
        found = yield from self._agreed(
            replace(prompt, text=say("Take away again what you placed last, and nothing else."))
        )
        return found

    def _agreed(self, prompt: Prompt) -> Asking:
        """The table agrees with the record again."""
        bench = self._bench
        same = self._same(bench.view.state_id)

        def agrees() -> str:
            same()
            view, sight = bench.view, bench.sight
            if view.apart or view.behind or view.verdict is not None or sight is None:
                return ""
            return "" if sight.claims is None else say("The table agrees with the record.")

        found = yield from bench.until(prompt, agrees)
        return found

    def _as_at_start(self, prompt: Prompt, same: Callable[[], None]) -> Asking:
        """The table lies as when the match began."""
        bench = self._bench
        start = bench.view.positions[0]
        plan, placement = bench.game.plan(start), bench.game.placement(start)
        fields = open_fields(bench.game, start)

        def wrong() -> str | None:
            sight = bench.sight
            if sight is None or sight.claims is None:
                return bench.said() or say("The table is being read.")
            return joined(differences(plan, placement, sight.claims, fields)) or None

        def laid() -> str:
            same()
            return "" if wrong() else say("Seen as it should be.")

        found = yield from bench.until(prompt, laid, lambda: wrong() or "")
        return found

    def _same(self, state: int) -> Callable[[], None]:
        """Raises FailedError as soon as the match goes on from `state`."""

        def same() -> None:
            view = self._bench.view
            if view.state_id != state:
                words = joined(view.told) or say("another position")
                raise FailedError(
                    say("The match went on, though it should not: {what}", what=words)
                )

        return same
