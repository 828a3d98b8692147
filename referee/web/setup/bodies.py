"""What the setup's routes take and tell."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictStr, StringConstraints

from referee.web.setup.settings import KIT
from referee.web.setup.teaching import MOST_PIECES

Json = dict[str, Any]
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
#: A value of an edition as it is typed.
Typed = (
    bool | int | float | Annotated[str, Field(max_length=400)] | list[Any] | dict[str, int] | None
)


class Closed(BaseModel):
    """No other fields than these."""

    model_config = ConfigDict(extra="forbid")


class SettingsBody(Closed):
    """Settings to be changed; what is not named stays."""

    camera: Line | None = None
    lens: Line | None = None
    mains: Literal[0, 50, 60] | None = None
    box: Line | None = None
    edition: Line | None = None
    book: Line | None = None
    language: Literal["", "en", "de"] | None = None
    watchers: Literal["here", "network"] | None = None
    paper: Literal["a4", "letter"] | None = None


class GridBody(Closed):
    """How many pieces lie in the photo: rows below each other, and pieces in each."""

    rows: Annotated[int, Field(strict=True, ge=1, le=20)]
    columns: Annotated[int, Field(strict=True, ge=1, le=20)]


class NamesBody(Closed):
    """The names of the photo's pieces, row by row."""

    names: Annotated[list[Line], Field(min_length=1, max_length=MOST_PIECES)]


class NameBody(Closed):
    """What something is to be called."""

    name: Name


class EditionBody(Closed):
    """Values of an edition by key, null for open; `base` is copied if there is none yet."""

    name: Name
    base: Line = KIT
    values: Annotated[dict[StrictStr, Typed], Field(max_length=200)] = {}


class TrialBody(Closed):
    """A part of the box to be tried."""

    what: Literal["hello", "light", "buzz", "glass", "arrow", "arrow-back"]


class SeatBody(Closed):
    """Who sits at a seat: the game's word for its colour, and the person's name."""

    piece: Annotated[str, StringConstraints(pattern="^[a-z]{1,20}$")]
    name: Line = ""


class BeginBody(Closed):
    """A match to be begun: seats in the order in which they sit; what is left out is drawn."""

    seats: Annotated[list[SeatBody], Field(max_length=20)]
    ranks: Line = ""
    regions: Line = ""
    by: Name = "host"


class TakeUpBody(Closed):
    """A match to go on with; `changed` says why, though the program changed meanwhile."""

    id: Line = ""
    changed: Line = ""


class EndBody(Closed):
    """The open match is to end; `reason` is needed if its game is not over."""

    by: Name
    reason: Line = ""


class CheckBody(Closed):
    """Who checks."""

    by: Name = "judge"


class ReplyBody(Closed):
    """What a person says to a prompt of the check."""

    step: Name
    reply: Literal["done", "yes", "no", "skip"]


class DoneTold(BaseModel):
    """What became of it: `text` says why not."""

    accepted: bool
    text: str


class SetupTold(BaseModel):
    """All of the setup: what is chosen, what is found, and how far each step is."""

    settings: Json
    reach: Json
    locked: Annotated[str, Field(description="Why most of it can't be changed now; else empty.")]
    camera: Json
    markers: Json
    table: Json
    faces: Json
    edition: Json
    box: Json
    match: Json
    check: Json
    steps: list[Json]


class FormTold(BaseModel):
    """An edition as a form."""

    name: str
    ours: Annotated[bool, Field(description="It comes with the program, and can't be changed.")]
    open: int
    faults: int
    complete: bool
    sections: list[Json]
