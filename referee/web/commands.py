"""A person's command as a page sends it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from referee.match.commands import Command, Do
from referee.web.access import Access

#: The box's own word, for whoever pressed its button.
_BUTTON = "button"

#: What only a judge decides, beside overruling the rules.
_JUDGES = (Do.POSITION, Do.TABLE_RIGHT, Do.REVIEW, Do.RESUME)

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
        return Access.JUDGE if self.overrule or self.do in _JUDGES else Access.PLAY
