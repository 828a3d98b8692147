"""Writes the C header."""

from __future__ import annotations

import re
from collections.abc import Iterator

from firmware.generator.declaration import NOTE, Field, Message, Protocol, whole


def header(protocol: Protocol) -> str:
    """The C header."""
    return "\n".join(_header(protocol)) + "\n"


def _header(protocol: Protocol) -> Iterator[str]:
    yield f"/* The messages between host and box. {NOTE} */"
    yield "#ifndef PROTOCOL_H\n#define PROTOCOL_H\n\n#include <stdbool.h>\n#include <stdint.h>\n"
    yield f"#define PROTOCOL_VERSION {protocol.version}"
    for c in protocol.constants:
        suffix = "UL" if c["value"] > 0x7FFF else ""
        yield f"#define {c['name']} {c['value']}{suffix}"
    for e in protocol.enums + protocol.flags:
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", e["name"]).upper()
        yield f"\n/* {e['doc']} */\nenum {{"
        yield from (f"    {name}_{v['name']} = {v['value']}," for v in e["values"])
        yield "};"
    yield "\n/* Types of frames. */\nenum {"
    for m in protocol.commands + protocol.events + protocol.acknowledgements:
        yield f"    TYPE_{m.snake.upper()} = 0x{m.id:02x},"
    yield "    TYPE_REPLY = 0x40, /* added to a command's type */"
    yield "};\n"
    yield HEADER_HELPERS
    for m in protocol.commands:
        if m.fields:
            yield from _c_struct(m)
            yield from _c_reader(m)
    for m in protocol.replies + protocol.events:
        fields = m.fields[1:] if m in protocol.events else m.fields
        if fields:
            short = Message(m.name, m.id, m.doc, fields)
            yield from _c_struct(short)
            yield from _c_writer(short)
    yield "\n#endif"


HEADER_HELPERS = """static inline uint16_t protocol_u16(const uint8_t *p) {
    return (uint16_t)(p[0] | (uint16_t)(p[1] << 8));
}

static inline uint32_t protocol_u32(const uint8_t *p) {
    return protocol_u16(p) | (uint32_t)protocol_u16(p + 2) << 16;
}

static inline void protocol_put_u16(uint8_t *p, uint16_t v) {
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void protocol_put_u32(uint8_t *p, uint32_t v) {
    protocol_put_u16(p, (uint16_t)v);
    protocol_put_u16(p + 2, (uint16_t)(v >> 16));
}
"""


def _c_struct(m: Message) -> Iterator[str]:
    yield f"/* {m.doc} */\ntypedef struct {{"
    for f in m.fields:
        unit = f" {f.unit}:" if f.unit else ""
        if f.count:
            yield f"    uint8_t {f.name}_count;"
            yield f"    {f.c_type} {f.name}[{f.count[1]}]; /*{unit} {f.doc} */"
        else:
            yield f"    {f.c_type} {f.name}; /*{unit} {f.doc} */"
    yield f"}} {m.snake}_t;\n"


def _c_reader(m: Message) -> Iterator[str]:
    listed = m.fields[-1] if m.fields[-1].count else None
    yield f"/* Reads a {m.name}; returns a result, and in *detail the number of a bad field. */"
    yield f"static inline uint8_t {m.snake}_read({m.snake}_t *m, const uint8_t *p,"
    yield "    uint8_t size, uint8_t *detail) {"
    if listed is None:
        yield f"    if (size != {m.size}) return RESULT_BAD_LENGTH;"
    else:
        low, high = (m.size + listed.size * n for n in listed.count or (0, 0))
        odd = f" || (size - {m.size}) % {listed.size}" if listed.size > 1 else ""
        odd = odd.replace("(size - 0)", "size")
        yield f"    if (size < {low} || size > {high}{odd}) return RESULT_BAD_LENGTH;"
    at = 0
    for f in m.fields:
        if f.count:
            yield f"    m->{f.name}_count = (uint8_t)((size - {at}) / {f.size});"
            yield f"    for (uint8_t i = 0; i < m->{f.name}_count; i++)"
            yield f"        m->{f.name}[i] = {_c_get(f, f'{at} + {f.size} * i')};"
        elif f.kind == "bool":
            yield f"    if (p[{at}] > 1) {_refuse(m.fields.index(f))}"
            yield f"    m->{f.name} = p[{at}] != 0;"
        else:
            yield f"    m->{f.name} = {_c_get(f, str(at))};"
        at += f.size
    for number, f in enumerate(m.fields):
        if f.count or f.kind == "bool":
            continue
        tests = []
        low, high = whole(f)
        suffix = "UL" if f.code == "I" else ""
        if f.least > low:
            tests.append(f"m->{f.name} < {f.least}{suffix}")
        if f.most < high:
            tests.append(f"m->{f.name} > {f.most}{suffix}")
        if tests:
            yield f"    if ({' || '.join(tests)}) {_refuse(number)}"
    if all(f.count for f in m.fields):
        yield "    (void)detail;"
    yield "    return RESULT_OK;\n}\n"


def _refuse(number: int) -> str:
    return f"{{ *detail = {number}; return RESULT_OUT_OF_RANGE; }}"


def _c_get(f: Field, at: str) -> str:
    if f.size == 1:
        return f"p[{at}]" if f.code == "B" else f"(int8_t)p[{at}]"
    inner = f"protocol_u{8 * f.size}(p + {at})"
    return inner if f.code.isupper() else f"({f.c_type}){inner}"


def _c_writer(m: Message) -> Iterator[str]:
    yield f"enum {{ {m.snake.upper()}_SIZE = {m.size} }};\n"
    yield f"static inline void {m.snake}_write(uint8_t *p, const {m.snake}_t *m) {{"
    at = 0
    for f in m.fields:
        if f.size == 1:
            yield f"    p[{at}] = {'' if f.c_type == 'uint8_t' else '(uint8_t)'}m->{f.name};"
        else:
            cast = "" if f.code.isupper() else f"(uint{8 * f.size}_t)"
            yield f"    protocol_put_u{8 * f.size}(p + {at}, {cast}m->{f.name});"
        at += f.size
    yield "}\n"
