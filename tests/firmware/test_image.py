"""The binary that goes to users: rebuilt the same, small enough, and clean."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tomllib

import pytest

from tests.firmware.machine import FIRMWARE, IMAGE, build

#: What the bootloader leaves is twice that.
FLASH_LIMIT = 16 * 1024
#: Of Debian 12; another one is free to make other bytes.
COMPILER = "5.4.0"


def _records(text: str) -> list[bytes]:
    return [bytes.fromhex(line[1:]) for line in text.split()]


def test_the_committed_hex_equals_a_rebuild() -> None:
    built = build("hex", "avr-gcc", "avr-objcopy", "make", "/usr/lib/avr/include/avr/io.h")
    version = subprocess.run(
        ["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True
    )
    if version.stdout.strip() != COMPILER:
        pytest.skip(f"avr-gcc {version.stdout.strip()} makes other bytes than {COMPILER}")
    assert IMAGE.read_bytes() == built.read_bytes(), "run make -C firmware install"


def test_the_committed_hash_is_that_of_the_sources() -> None:
    sources = [p for folder in ("avr", "src") for p in (FIRMWARE / folder).glob("*.[ch]")]
    names = sorted(str(p.relative_to(FIRMWARE)) for p in sources)
    digest = hashlib.sha256(b"".join((FIRMWARE / name).read_bytes() for name in names)).digest()
    card = tomllib.loads(IMAGE.with_suffix(".toml").read_text(encoding="utf-8"))
    assert card["source_hash"] == int.from_bytes(digest[:4], "big"), "run make -C firmware install"


def test_the_hex_is_sound_and_small() -> None:
    records = _records(IMAGE.read_text(encoding="ascii"))
    assert all(sum(record) % 256 == 0 for record in records)
    assert records[-1] == bytes([0, 0, 0, 1, 0xFF])
    end = max(int.from_bytes(r[1:3], "big") + r[0] for r in records if r[3] == 0)
    assert end <= FLASH_LIMIT


def test_cppcheck_finds_nothing() -> None:
    if shutil.which("cppcheck") is None:
        pytest.skip("cppcheck is missing (see firmware/README.md)")
    done = subprocess.run(
        ["make", "-C", str(FIRMWARE), "check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
