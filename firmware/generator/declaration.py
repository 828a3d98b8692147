"""Reads referee/box/protocol.toml, and checks that it is in order."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

NOTE = "Generated from referee/box/protocol.toml by firmware/generator: change it there."

#: Type in the declaration: type in C, code of struct, least and most value.
PLAIN = {
    "u8": ("uint8_t", "B", 0, 0xFF),
    "i8": ("int8_t", "b", -0x80, 0x7F),
    "u16": ("uint16_t", "H", 0, 0xFFFF),
    "i16": ("int16_t", "h", -0x8000, 0x7FFF),
    "u32": ("uint32_t", "I", 0, 0xFFFFFFFF),
    "bool": ("bool", "B", 0, 1),
}
SIZE = {"B": 1, "b": 1, "H": 2, "h": 2, "I": 4}
RESULT_AND_DETAIL = 2
STAMP = {"name": "at_us", "type": "u32", "unit": "us", "doc": "The box's clock at that moment."}


@dataclass(frozen=True)
class Field:
    """A field with all that its type says resolved."""

    name: str
    type: str
    c_type: str
    code: str
    least: int
    most: int
    kind: str
    unit: str
    doc: str
    count: tuple[int, int] | None

    @property
    def size(self) -> int:
        """Bytes of one value."""
        return SIZE[self.code]


@dataclass(frozen=True)
class Message:
    """A command, reply or event: `name` in CamelCase, `id` its type on the line."""

    name: str
    id: int
    doc: str
    fields: tuple[Field, ...]

    @property
    def snake(self) -> str:
        """The name as C and Python functions have it."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", self.name).lower()

    @property
    def size(self) -> int:
        """Bytes of the payload, without a list at its end."""
        return sum(f.size for f in self.fields if not f.count)


@dataclass(frozen=True)
class Protocol:
    """The whole declaration."""

    version: int
    doc: str
    constants: list[dict[str, Any]]
    enums: list[dict[str, Any]]
    flags: list[dict[str, Any]]
    commands: list[Message]
    replies: list[Message]
    events: list[Message]
    acknowledgements: list[Message]


def declared(text: str) -> Protocol:
    """Reads the declaration; ValueError says what contradicts itself."""
    raw = tomllib.loads(text)
    sets = {e["name"]: e for e in raw["enum"]} | {e["name"]: e for e in raw["flags"]}
    flags = {e["name"] for e in raw["flags"]}

    def field(row: dict[str, Any]) -> Field:
        of = row["type"].removesuffix("[]")
        if of in sets:
            values = [v["value"] for v in sets[of]["values"]]
            low, high = (0, sum(values)) if of in flags else (min(values), max(values))
            if of not in flags and sorted(values) != list(range(low, high + 1)):
                raise ValueError(f"the values of {of} are not a row without gaps")
            plain = ("uint8_t", "B", low, high)
        else:
            plain = PLAIN[of]
        return Field(
            name=row["name"],
            type=row["type"],
            c_type=plain[0],
            code=plain[1],
            least=row.get("min", plain[2]),
            most=row.get("max", plain[3]),
            kind=of if of in sets else ("bool" if of == "bool" else "int"),
            unit=row.get("unit", ""),
            doc=row["doc"],
            count=tuple(row["count"]) if row["type"].endswith("[]") else None,
        )

    def message(row: dict[str, Any], rows: list[dict[str, Any]]) -> Message:
        return Message(row["name"], row["id"], row["doc"], tuple(map(field, rows)))

    protocol = Protocol(
        version=raw["version"],
        doc=raw["doc"].strip(),
        constants=raw["constant"],
        enums=raw["enum"],
        flags=raw["flags"],
        commands=[message(c, c["fields"]) for c in raw["command"]],
        replies=[
            Message(
                c["name"] + "Reply",
                c["id"] | 0x40,
                f"Answer to {c['name']}.",
                tuple(map(field, c["reply"])),
            )
            for c in raw["command"]
        ],
        events=[message(e, [STAMP, *e["fields"]]) for e in raw["event"]],
        acknowledgements=[message(a, []) for a in raw["acknowledgement"]],
    )
    _check(protocol)
    return protocol


def _check(protocol: Protocol) -> None:
    messages = protocol.commands + protocol.replies + protocol.events + protocol.acknowledgements
    ids = [m.id for m in messages]
    if len(set(ids)) != len(ids):
        raise ValueError("two messages share an id")
    longest = next(c["value"] for c in protocol.constants if c["name"] == "MAX_PAYLOAD")
    for m in messages:
        spare = RESULT_AND_DETAIL if m in protocol.replies else 0
        size = m.size + spare + sum(f.size * f.count[1] for f in m.fields if f.count)
        if size > longest:
            raise ValueError(f"{m.name} takes {size} bytes, more than MAX_PAYLOAD")
        if any(f.count for f in m.fields[:-1]):
            raise ValueError(f"{m.name} has a list that is not its last field")


def whole(f: Field) -> tuple[int, int]:
    """Returns the least and most value that the field's bytes can hold."""
    return next((low, high) for _, code, low, high in PLAIN.values() if code == f.code)
