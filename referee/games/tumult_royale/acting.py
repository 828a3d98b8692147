"""How hands see a deed through: until it is on record, entered by hand, accused and put right."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from random import Random

from referee.games.hands import Cheat, Deed, Doing, Press, Screen, Slip, StuckError
from referee.games.tumult_royale.checks import check, is_legal
from referee.games.tumult_royale.moves import Move
from referee.games.tumult_royale.notation import format_move, format_state
from referee.games.tumult_royale.play import apply
from referee.games.tumult_royale.state import State
from referee.games.tumult_royale.things import Things

START, STOP, DONE = Press("start"), Press("stop"), Press("done")
RECORD_RIGHT = Press("record-right", reason="it is put right on the table")
TABLE_RIGHT = Press("table-right", reason="the judge lets it stand")
#: Chance that a judge says something of an accusation, before the cheat puts it right or instead.
_JUDGED = 0.5

#: Says in the end whether the match has gone on.
Trying = Generator[Deed, Screen, bool]


class Acting:
    """The true position, what truly lies there, and how hands change both."""

    def __init__(self, state: State, rng: Random) -> None:
        self.state = state
        self.things = Things.of(state, rng)
        self.rng = rng

    def text(self, move: Move) -> str:
        """A move in notation."""
        return format_move(move, self.state)

    def deed(
        self,
        things: Things,
        move: Move | None = None,
        *,
        before: tuple[Press, ...] = (),
        presses: tuple[Press, ...] = (),
        cheat: Cheat | None = None,
        tidy: bool = False,
        settles: bool = True,
    ) -> Deed:
        """What makes the table be like these things, and truly amounts to the move."""
        deed = Deed(
            things.placement(self.state),
            before,
            presses,
            cheat=cheat,
            tidy=tidy,
            settles=settles,
        )
        if move is None:
            return deed
        remarks = frozenset(finding.reason.name for finding in check(self.state, move))
        after = format_state(apply(self.state, move))
        return replace(deed, move=self.text(move), after=after, remarks=remarks)

    def done(self, move: Move, things: Things) -> Doing:
        """Does a move tidily, and sees it through."""
        yield from self.until(move, things, self.deed(things, move, tidy=True))

    def until(self, move: Move, things: Things, deed: Deed) -> Doing:
        """Does it until it is on record: at once, laid out anew, or entered by hand."""
        screen = yield deed
        if not screen.moved and not deed.by_hand:
            screen = yield replace(self.deed(things, move), relaid=True)
        yield from self.entered(move, things, screen)

    def entered(self, move: Move, things: Things, screen: Screen) -> Doing:
        """Enters what the referee did not see. Raises StuckError if it does not take that."""
        if not screen.moved:
            press = Press("enter", self.text(move), "all have seen it")
            screen = yield self.deed(things, move, presses=(press,))
        if not screen.moved:
            raise StuckError(self.text(move))
        self.go_on(move, things)

    def go_on(self, move: Move, things: Things) -> None:
        """The true position goes on."""
        self.state, self.things = apply(self.state, move), things

    def slip(self, deed: Deed, slip: Slip, where: str) -> Trying:
        """Does something clumsily; it may be read all the same if the deed has a move."""
        screen = yield replace(deed, slip=slip, where=where, tidy=False)
        return screen.moved

    def cheat(
        self,
        cheat: Cheat,
        seen: Things,
        breach: Move | None,
        right: tuple[Things, Move | None],
        *,
        says_done: bool,
        may_stand: bool,
    ) -> Trying:
        """Cheats, and puts it right if the referee says so, unless a judge lets it stand.

        `breach` is the cheat as a move, if it is one; `right` how the table should lie, and the
        move that this is, if any.
        """
        fair = breach is not None and is_legal(self.state, breach)
        presses = (DONE,) if says_done else ()
        deed = self.deed(seen, breach if fair else None, presses=presses, cheat=cheat)
        screen = yield deed
        if screen.moved and breach is not None:
            self.go_on(breach, seen)
            return True
        judged = screen.apart and self.rng.random() < _JUDGED
        if judged and may_stand and breach is not None:
            screen = yield self.deed(seen, breach, presses=(TABLE_RIGHT,))
            if not screen.moved:
                raise StuckError(f"the table is right: {self.text(breach)}")
            self.go_on(breach, seen)
            return True
        things, move = right
        deed = self.deed(things, move, before=(RECORD_RIGHT,) if judged else ())
        if move is None:
            yield deed
            return False
        yield from self.until(move, things, deed)
        return True
