"""What goes wrong with the box: each error says what happened, and what to do about it."""

from __future__ import annotations

from referee.box.protocol import HomeOutcome, Result, SpinOutcome
from referee.games.said import joined, say


class BoxError(RuntimeError):
    """`what` happened, in a sentence or two; `remedy` says what to do next.

    unsure: The command may have been done all the same.
    """

    def __init__(self, what: str, remedy: str, *, unsure: bool = False) -> None:
        super().__init__(joined([what, remedy]))
        self.what = what
        self.remedy = remedy
        self.unsure = unsure


class NoBoxError(BoxError):
    """There is no such port."""


class ManyBoxesError(BoxError):
    """More than one port may be the box."""


class PortDeniedError(BoxError):
    """The system does not let this user open the port."""


class PortBusyError(BoxError):
    """Another program has the port open."""


class NotABoxError(BoxError):
    """The port opens, but nothing that speaks the protocol answers."""


class WrongProtocolError(BoxError):
    """The box speaks another version of the protocol."""


class LinkLostError(BoxError):
    """The box is not connected: unplugged, or it does not answer."""


class StateLostError(BoxError):
    """The box was reset: it has forgotten all but a running hourglass."""


class ClosedError(BoxError):
    """The box was closed by this program."""


class RefusedError(BoxError):
    """The box refused a command; `result` says why. The command was not done."""

    def __init__(self, what: str, remedy: str, result: Result) -> None:
        super().__init__(what, remedy)
        self.result = result


class SpinnerError(BoxError):
    """The arrow did not come to where it was sent; `outcome` says how it ended, None: unknown."""

    def __init__(
        self, what: str, remedy: str, outcome: SpinOutcome | HomeOutcome | None = None
    ) -> None:
        super().__init__(what, remedy)
        self.outcome = outcome


class FlashError(BoxError):
    """The firmware could not be written to the board."""


#: What a refusal means to a person, and what to do.
REFUSALS: dict[Result, tuple[str, str]] = {
    Result.NO_SESSION: (
        say("it knows no session: it was reset"),
        say("Do it again if it is still wanted."),
    ),
    Result.OUT_OF_ORDER: (
        say("its session is another one: a second program spoke to it"),
        say("Close the other program, then do it again if it is still wanted."),
    ),
    Result.UNKNOWN_COMMAND: (
        say("its firmware has no such command"),
        say("Flash it: referee box flash."),
    ),
    Result.BAD_LENGTH: (
        say("its firmware differs from this program"),
        say("Flash it: referee box flash."),
    ),
    Result.OUT_OF_RANGE: (
        say("a value is out of its range"),
        say("Give one that its range allows."),
    ),
    Result.WRONG_PROTOCOL: (
        say("it speaks another version of the protocol"),
        say("Flash it: referee box flash."),
    ),
    Result.BUSY: (say("the arrow is still turning"), say("Wait until it stands.")),
    Result.NOT_HOMED: (say("the arrow's place is not known"), say("Home it first.")),
    Result.NO_SECTORS: (say("it knows no such sector"), say("Tell the sectors again.")),
}
