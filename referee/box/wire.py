"""Bytes on the line to the box: COBS frames with a CRC, and messages of fixed fields.

What the messages are stands in `protocol.toml`; `protocol.py` is generated from it.
"""

from __future__ import annotations

import binascii
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

#: Ends each frame; stands nowhere else.
END = b"\x00"
#: A frame's bytes beside its payload, before COBS: sequence, type, CRC.
OVERHEAD = 4


class ProtocolError(ValueError):
    """A message can't be put on the line, or can't be read from it.

    `what` names the offending input, `remedy` says what to do next.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} {remedy}")
        self.what = what
        self.remedy = remedy


class FrameError(ProtocolError):
    """Bytes between two frame ends are no frame."""


class RangeError(ProtocolError):
    """A field is out of its range; `index` is the field's number in the message, from 0."""

    def __init__(self, what: str, remedy: str, index: int) -> None:
        super().__init__(what, remedy)
        self.index = index


def crc16(data: bytes) -> int:
    """Returns the CRC-16/CCITT-FALSE of `data`."""
    return binascii.crc_hqx(data, 0xFFFF)


def stuff(data: bytes) -> bytes:
    """Returns `data` by COBS (Cheshire and Baker 1999): without zeros, at most 254 bytes in."""
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(b"\x00"))


def unstuff(data: bytes) -> bytes:
    """Returns what was stuffed into `data`; FrameError if nothing can have been."""
    runs = []
    at = 0
    while at < len(data):
        length = data[at]
        run = data[at + 1 : at + length]
        if length == 0 or len(run) != length - 1:
            raise FrameError(f"{data.hex(' ')} is no COBS.", "It was damaged on the line.")
        runs.append(run)
        at += length
    return b"\x00".join(runs)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a message: `code` of struct, range, and the class that its value becomes.

    A field whose `count` is set is a list that takes the rest of the payload.
    """

    name: str
    code: str
    least: int
    most: int
    kind: type[int] = int
    count: tuple[int, int] | None = None

    def check(self, value: object, index: int) -> None:
        """Raises RangeError unless `value` can be sent as this field."""
        values = value if self.count and isinstance(value, tuple) else (value,)
        if self.count and not self.count[0] <= len(values) <= self.count[1]:
            raise RangeError(
                f"{self.name} has {len(values)} entries.",
                f"Give {self.count[0]} to {self.count[1]}.",
                index,
            )
        for one in values:
            if not isinstance(one, int) or not self.least <= one <= self.most:
                raise RangeError(
                    f"{self.name} is {one!r}.",
                    f"Give a whole number from {self.least} to {self.most}.",
                    index,
                )
            try:
                self.kind(one)
            except ValueError as error:
                raise RangeError(f"{self.name} is {one!r}.", f"{error}.", index) from error


class Message:
    """Base of all messages: a frozen dataclass whose FIELDS say how it lies in a payload."""

    ID: ClassVar[int]
    FIELDS: ClassVar[tuple[Field, ...]] = ()

    def check(self) -> None:
        """Raises RangeError for the first field that is out of its range."""
        for index, field in enumerate(self.FIELDS):
            field.check(getattr(self, field.name), index)

    def payload(self) -> bytes:
        """Returns the payload; RangeError if a field is out of its range."""
        self.check()
        parts = []
        for field in self.FIELDS:
            value = getattr(self, field.name)
            values = value if field.count else (value,)
            parts.append(struct.pack(f"<{len(values)}{field.code}", *values))
        return b"".join(parts)

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        """Reads a payload; ProtocolError if its length is wrong or a field is out of its range."""
        values: list[object] = []
        rest = payload
        for index, field in enumerate(cls.FIELDS):
            size = struct.calcsize(f"<{field.code}")
            count = len(rest) // size if field.count else 1
            if len(rest) < size * count:
                raise _wrong_length(cls.__name__, payload)
            found = struct.unpack(f"<{count}{field.code}", rest[: size * count])
            rest = rest[size * count :]
            value = found if field.count else found[0]
            field.check(value, index)
            values.append(value if field.count else field.kind(found[0]))
        if rest:
            raise _wrong_length(cls.__name__, payload)
        return cls(*values)


def _wrong_length(name: str, payload: bytes) -> ProtocolError:
    return ProtocolError(
        f"{name} can't be {len(payload)} bytes ({payload.hex(' ')}).",
        "Host and box speak different versions: flash the box.",
    )


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: `sequence` and `type` from 0 to 255."""

    sequence: int
    type: int
    payload: bytes = b""

    def to_bytes(self) -> bytes:
        """Returns the frame as it goes over the line, with its end."""
        body = bytes([self.sequence, self.type]) + self.payload
        return stuff(body + struct.pack("<H", crc16(body))) + END

    @classmethod
    def from_bytes(cls, data: bytes) -> Frame:
        """Reads what lay between two frame ends; FrameError if it is no frame."""
        body = unstuff(data)
        if len(body) < OVERHEAD:
            raise FrameError(f"A frame of {len(body)} bytes is too short.", "It was cut short.")
        if crc16(body[:-2]) != int.from_bytes(body[-2:], "little"):
            raise FrameError(f"The CRC of {body.hex(' ')} is wrong.", "It was damaged on the line.")
        return cls(body[0], body[1], body[2:-2])


class Deframer:
    """Cuts a stream of bytes into frames. `bad` counts what was dropped."""

    def __init__(self, max_payload: int) -> None:
        self.bad = 0
        self._longest = max_payload + OVERHEAD + 1
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yields the frames that `data` completes; drops what is none."""
        *ended, self._rest = (self._rest + data).split(END)
        if len(self._rest) > self._longest:
            # Keep one byte too many, so that the end still finds it too long.
            self._rest = self._rest[: self._longest + 1]
        for piece in ended:
            if not piece:
                continue
            try:
                if len(piece) > self._longest:
                    raise FrameError(f"A frame of {len(piece)} bytes is too long.", "Drop it.")
                yield Frame.from_bytes(piece)
            except FrameError:
                self.bad += 1
