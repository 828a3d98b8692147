"""Writes the Python codec."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.generator.declaration import NOTE, Field, Message, Protocol
from firmware.generator.text import docstring, in_unit, wrapped


def python(protocol: Protocol) -> str:
    """The Python codec."""
    return "\n".join(_python(protocol)) + "\n"


def _python(protocol: Protocol) -> Iterator[str]:
    yield f'"""The messages between host and box.\n\n{NOTE}'
    yield 'PROTOCOL.md in firmware/ explains them.\n"""'
    yield """
from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar

from referee.box.wire import Field, Frame, Message, ProtocolError
"""
    yield f"#: Version of the protocol.\nPROTOCOL = {protocol.version}"
    for c in protocol.constants:
        yield from wrapped(f"{c['doc']}{in_unit(c['unit'])}", "#: ", 99)
        yield f"{c['name']} = {c['value']}"
    for base, sets in (("IntEnum", protocol.enums), ("IntFlag", protocol.flags)):
        for e in sets:
            yield f"\n\nclass {e['name']}({base}):"
            yield from docstring(e["doc"])
            yield ""
            for v in e["values"]:
                yield from wrapped(v["doc"], "    #: ", 99)
                yield f"    {v['name']} = {v['value']}"
    for kind, messages in (
        ("Command", protocol.commands),
        ("Reply", protocol.replies),
        ("Event", protocol.events),
        ("Message", protocol.acknowledgements),
    ):
        if kind != "Message":
            yield from _python_base(kind)
        for m in messages:
            yield from _python_message(m, kind)
    yield "\n\n#: Commands, and what answers them, by the command's type."
    yield "COMMANDS: dict[int, type[Command]] = {"
    yield from (f"    {m.name}.ID: {m.name}," for m in protocol.commands)
    yield "}\nREPLIES: dict[int, type[Reply]] = {"
    yield from (f"    {m.name}.ID: {m.name}Reply," for m in protocol.commands)
    yield "}\n#: Events by type.\nEVENTS: dict[int, type[Event]] = {"
    yield from (f"    {m.name}.ID: {m.name}," for m in protocol.events)
    yield "}"
    yield PYTHON_END


def _python_base(kind: str) -> Iterator[str]:
    doc = {
        "Command": "What the host asks of the box. `REPLY` is the class of its answer.",
        "Reply": "What the box answers to a command that it did.",
        "Event": "What the box tells by itself. `at_us`: its clock at that moment, wraps at 2**32.",
    }[kind]
    yield f"\n\nclass {kind}(Message):"
    yield from docstring(doc)
    if kind == "Event":
        yield "\n    at_us: int"


def _python_message(m: Message, base: str) -> Iterator[str]:
    yield f"\n\n@dataclass(frozen=True, slots=True)\nclass {m.name}({base}):"
    lines = [m.doc]
    if m.fields:
        lines.append("")
        for f in m.fields:
            lines.extend(wrapped(f"{f.name}: {f.doc}{in_unit(f.unit)}", "", 95, "    "))
    yield from docstring(lines[0], lines[1:])
    yield ""
    for f in m.fields:
        yield f"    {f.name}: {f'tuple[{f.kind}, ...]' if f.count else f.kind}"
    if m.fields:
        yield ""
    yield f"    ID: ClassVar[int] = 0x{m.id:02X}"
    if m.fields:
        declared = [_python_field(f) for f in m.fields]
        one = f"    FIELDS: ClassVar[tuple[Field, ...]] = ({declared[0]},)"
        if len(declared) == 1 and len(one) <= 100:
            yield one
            return
        yield "    FIELDS: ClassVar[tuple[Field, ...]] = ("
        yield from (f"        {field}," for field in declared)
        yield "    )"


def _python_field(f: Field) -> str:
    args = [f'"{f.name}"', f'"{f.code}"', str(f.least), str(f.most)]
    if f.kind != "int":
        args.append(f.kind)
    if f.count:
        args.append(f"count={f.count}")
    return f"Field({', '.join(args)})"


PYTHON_END = '''

@dataclass(frozen=True, slots=True)
class Refusal:
    """The box did not do a command.

    result: Why.
    detail: For OUT_OF_RANGE the number of the field, for WRONG_PROTOCOL the box's version.
    """

    result: Result
    detail: int = 0


def command_frame(sequence: int, command: Command) -> Frame:
    """Returns the frame of a command; RangeError if a field is out of its range."""
    return Frame(sequence, command.ID, command.payload())


def read_command(frame: Frame) -> Command:
    """Reads a command, as the box does; ProtocolError if it is none, or none of this version."""
    if (kind := COMMANDS.get(frame.type)) is None:
        raise ProtocolError(f"0x{frame.type:02x} is no command.", "Flash the box.")
    return kind.from_payload(frame.payload)


def reply_frame(sequence: int, command_type: int, answer: Reply | Refusal) -> Frame:
    """Returns the frame of an answer to the command of that type, as the box sends it."""
    if isinstance(answer, Refusal):
        return Frame(sequence, command_type | 0x40, bytes([answer.result, answer.detail]))
    return Frame(sequence, command_type | 0x40, bytes([Result.OK, 0]) + answer.payload())


def read_reply(frame: Frame) -> Reply | Refusal:
    """Reads an answer; ProtocolError if it is none, or none of this version."""
    kind = REPLIES.get(frame.type & ~0x40)
    if kind is None or frame.type & 0x40 == 0 or len(frame.payload) < 2:
        raise ProtocolError(f"0x{frame.type:02x} is no answer.", "Flash the box.")
    result, detail = frame.payload[:2]
    if result == Result.OK:
        return kind.from_payload(frame.payload[2:])
    if result not in set(Result):
        raise ProtocolError(f"The box answers with result {result}.", "Flash the box.")
    return Refusal(Result(result), detail)


def event_frame(sequence: int, event: Event) -> Frame:
    """Returns the frame of an event, as the box sends it."""
    return Frame(sequence, event.ID, event.payload())


def read_event(frame: Frame) -> Event:
    """Reads an event; ProtocolError if it is none, or none of this version."""
    if (kind := EVENTS.get(frame.type)) is None:
        raise ProtocolError(f"0x{frame.type:02x} is no event.", "Flash the box.")
    return kind.from_payload(frame.payload)


def ack_frame(sequence: int) -> Frame:
    """Returns the frame that acknowledges the event of that sequence."""
    return Frame(sequence, EventAck.ID)'''
