"""A person's command as a page sends it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from referee.match.commands import Command, Do
from referee.web.access import Access

#: The box's own word, for whoever pressed its button.
_BUTTON = "button"

#: What players decide themselves, unless it overrules the rules; all else is for who judges.
_PLAYERS = frozenset(
    {Do.ENTER, Do.DONE, Do.START, Do.STOP, Do.UNDO, Do.RECORD_RIGHT, Do.CORRECT, Do.NOTE}
)

Number = Annotated[int, Field(strict=True, ge=-1, lt=2**31)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]


class CommandBody(BaseModel):
    """Exactly the fields of `Command`; anything else is refused."""

    model_config = ConfigDict(extra="forbid")

    do: Do
    at: Number
    id: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    by: Name
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)] = ""
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)] = ""
    to: Number = -1
    frame: Number = -1
    overrule: Annotated[bool, Field(strict=True)] = False

    @field_validator("by", "id")
    @classmethod
    def _is_no_button(cls, value: str) -> str:
        """A page can't pass for the box. Raises ValueError."""
        if value.lower().startswith(_BUTTON):
            raise ValueError(f"must not begin with {_BUTTON!r}, which is the box's")
        return value

    def command(self) -> Command:
        """The command."""
        return Command(**dict(self))

    @property
    def needs(self) -> Access:
        """Who may want it; that an undo takes back no more than the last move is asked apart."""
        players = self.do in _PLAYERS and not self.overrule
        return Access.PLAY if players else Access.JUDGE
