"""Events: what happened, who caused it, and the hash that ties each to the one before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
CauseKind = Literal["camera", "box", "person", "referee"]


@dataclass(frozen=True, slots=True)
class Cause:
    """What made an event happen; `who` is a person's name, or says which camera or box."""

    kind: CauseKind
    who: str = ""

    def __post_init__(self) -> None:
        if self.kind not in get_args(CauseKind):
            raise ValueError(f"A cause is one of {get_args(CauseKind)}, not {self.kind!r}.")


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be put on record.

    `state` is the id of the position that holds after it. `data` is JSON, and not to be changed.
    """

    kind: str
    cause: Cause
    state: int
    data: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Event(Entry):
    """An entry on record: its number from 1, its time (UTC, seconds since 1970) and its hash."""

    seq: int
    at: float
    hash: str


def canonical(value: Json) -> str:
    """The one JSON text of a value: keys in order, no spaces. Raises ValueError if it is no JSON.

    What UTF-8 can't write (half a surrogate pair), and numbers that are none, are no JSON.
    """
    try:
        text = json.dumps(
            value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
        )
        text.encode()
    except (TypeError, ValueError) as error:
        raise ValueError(f"This can't be written as JSON ({error}): {value!r:.200}") from None
    return text


def digest(before: str, head: Sequence[Json], data: str) -> str:
    """SHA-256 (hex) of an event: of the hash before it, of its head and of its data as stored."""
    return hashlib.sha256(f"{before}\n{canonical(head)}\n{data}".encode()).hexdigest()
