"""Writes the firmware that belongs to this program to the board, by avrdude."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from importlib.resources import as_file

from referee.box.errors import FlashError
from referee.box.firmware import image

#: Speeds of the bootloaders of an Uno and of newer Nanos, and of older Nanos. (baud)
SPEEDS = (115200, 57600)
#: avrdude gives up by itself after some tries; this is if it hangs. (s)
LONGEST_S = 120.0

Run = Callable[[Sequence[str]], int]


def run_avrdude(command: Sequence[str]) -> int:
    """Runs it with its progress on this terminal; returns its exit status."""
    return subprocess.run(command, check=False, timeout=LONGEST_S).returncode


def flash(
    device: str,
    speeds: Sequence[int] = SPEEDS,
    *,
    say: Callable[[str], None] = lambda _: None,
    run: Run = run_avrdude,
) -> int:
    """Writes the firmware and has it read back; returns the speed of the bootloader that took it.

    Tries one speed after the other. FlashError says what went wrong and what to do.
    """
    tool = shutil.which("avrdude")
    if tool is None:
        raise FlashError(
            "The program avrdude, which writes to the board, is not installed.",
            "On Debian or Ubuntu type: sudo apt-get install avrdude; on macOS: brew install "
            "avrdude; on Windows take it from github.com/avrdudes/avrdude/releases.",
        )
    with as_file(image()) as hex_file:
        for speed in speeds:
            say(f"Writing to {device} at {speed} baud")
            command = [tool, "-c", "arduino", "-p", "m328p", "-P", device, "-b", str(speed)]
            try:
                if run([*command, "-U", f"flash:w:{hex_file}:i"]) == 0:
                    return speed
            except subprocess.TimeoutExpired:
                say("avrdude hangs and was ended.")
    raise FlashError(
        f"No bootloader answered on {device}.",
        "Close other programs that use the port, and take out the capacitor at RST while you "
        "flash. A new chip needs a bootloader first.",
    )
