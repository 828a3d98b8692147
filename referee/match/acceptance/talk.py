"""What an acceptance says and hears: prompts, replies, and the result of each step."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from referee.games.said import say


class Asks(Enum):
    """What a prompt wants of people."""

    NOTHING = "nothing"
    """Only to wait: the program looks for itself."""
    DEED = "deed"
    """To do something at the table or the box. It is noticed by itself; DONE says that it should
    be noticed now."""
    ANSWER = "answer"
    """To answer a question by YES or NO."""


class Reply(Enum):
    """What a person says; SKIP fits any prompt."""

    DONE = "done"
    YES = "yes"
    NO = "no"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is to be done, or a question; `said` is what the referee says of it now."""

    step: str
    title: str
    text: str
    asks: Asks
    said: str = ""


#: How the reason begins of a step that was not tried since another one did not pass.
_NOT_TRIED = "Not tried, for want of this:"


class Mark(Enum):
    """How a step ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Result:
    """How a step ended and why; it took so many `seconds`."""

    step: str
    title: str
    mark: Mark
    reason: str
    seconds: float

    @property
    def hinders(self) -> str:
        """Why what needs this step was not tried: the first step that did not pass is named."""
        if self.reason.startswith(_NOT_TRIED):
            return self.reason
        return say("Not tried, for want of this: {step:lower}.", step=self.title)

    def to_json(self) -> dict[str, Any]:
        """As it goes on record."""
        return {
            "step": self.step,
            "outcome": self.mark.value,
            "reason": self.reason,
            "seconds": round(self.seconds, 1),
        }


class EndedError(Exception):
    """A step is over, and not passed: `reason` says why in a sentence."""

    mark: Mark

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class FailedError(EndedError):
    """What should be is not."""

    mark = Mark.FAILED


class SkippedError(EndedError):
    """It was not tried, or not to its end."""

    mark = Mark.SKIPPED


#: Shows prompts until it knows more: a sentence on what was found. Raises EndedError.
Asking: TypeAlias = Generator[Prompt, Reply | None, str]
#: A step's own part: shows prompts, and tells what was found.
Deed: TypeAlias = Callable[[Prompt], Asking]
#: All of an acceptance: prompts, and results as steps end.
Walk: TypeAlias = Generator[Prompt | Result, Reply | None, None]
