"""Writes the protocol's page for people."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.generator.declaration import NOTE, Field, Protocol, whole


def page(protocol: Protocol) -> str:
    """The page for people."""
    return "\n".join(_page(protocol)) + "\n"


def _page(protocol: Protocol) -> Iterator[str]:
    yield f"# The box's protocol, version {protocol.version}\n\n<!-- {NOTE} -->\n\n{protocol.doc}\n"
    yield "## Constants\n\n| name | value | meaning |\n|---|---|---|"
    for c in protocol.constants:
        yield f"| `{c['name']}` | {c['value']} {c['unit']} | {c['doc']} |"
    for title, messages in (
        ("Commands", protocol.commands),
        ("Events", protocol.events),
        ("Acknowledgement", protocol.acknowledgements),
    ):
        yield f"\n## {title}"
        for m in messages:
            yield f"\n### 0x{m.id:02x} {m.name}\n\n{m.doc}"
            if m.fields:
                yield ""
                yield from _page_table(m.fields)
            if title == "Commands":
                reply = protocol.replies[protocol.commands.index(m)]
                if reply.fields:
                    yield f"\nReply 0x{reply.id:02x}, after result and detail:\n"
                    yield from _page_table(reply.fields)
                else:
                    yield f"\nReply 0x{reply.id:02x}: result and detail only."
    yield "\n## Values"
    for e in protocol.enums + protocol.flags:
        yield f"\n### {e['name']}\n\n{e['doc']}\n\n| value | name | meaning |\n|---|---|---|"
        for v in e["values"]:
            yield f"| {v['value']} | {v['name']} | {v['doc']} |"


def _page_table(fields: tuple[Field, ...]) -> Iterator[str]:
    yield "| field | type | range | unit | meaning |\n|---|---|---|---|---|"
    for f in fields:
        narrow = f.kind == "int" and (f.least, f.most) != whole(f)
        span = f"{f.least} to {f.most}" if narrow else ""
        if f.count:
            span = f"{f.count[0]} to {f.count[1]} values"
        yield f"| `{f.name}` | {f.type} | {span} | {f.unit} | {f.doc} |"
