"""Writes what is generated from referee/box/protocol.toml; with --check only says what is stale.

python -m firmware.generator [--check]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware.generator.declaration import declared
from firmware.generator.header import header
from firmware.generator.page import page
from firmware.generator.python import python

ROOT = Path(__file__).resolve().parents[2]
DECLARED = ROOT / "referee/box/protocol.toml"
OUTPUTS = {
    ROOT / "referee/box/protocol.py": python,
    ROOT / "firmware/src/protocol.h": header,
    ROOT / "firmware/PROTOCOL.md": page,
}


def main() -> int:
    """Writes the outputs, or checks them; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if one is stale")
    check = parser.parse_args().check
    protocol = declared(DECLARED.read_text(encoding="utf-8"))
    stale = 0
    for path, make in OUTPUTS.items():
        text = make(protocol)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            print(f"{path.relative_to(ROOT)} is stale: run python -m firmware.generator")
            stale = 1
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    return stale


if __name__ == "__main__":
    sys.exit(main())
