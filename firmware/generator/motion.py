"""Writes the curve by which the arrow speeds up and slows down."""

from __future__ import annotations

KNOTS = 64
#: Speed at the very start, as a part of the top speed: a stepper can't start from nothing.
START = 0.04


def speed_at(way: float) -> float:
    """Returns the speed, 0 to 1, after `way` (0 to 1) of the ramp.

    The ramp is eased: with u the time, v = 3u^2 - 2u^3, so the way is w = 2u^3 - u^4.
    """
    low, high = 0.0, 1.0
    for _ in range(60):
        u = (low + high) / 2
        low, high = (low, u) if 2 * u**3 - u**4 > way else (u, high)
    return max(3 * low**2 - 2 * low**3, START)


def curve(note: str) -> str:
    """Returns the C header: for each knot of the way 256 / speed."""
    slowness = [round(256 / speed_at(knot / KNOTS)) for knot in range(KNOTS + 1)]
    rows = [slowness[i : i + 12] for i in range(0, len(slowness), 12)]
    lines = [
        f"/* 256 / speed, at each of the knots along an eased ramp. {note} */",
        "#ifndef MOTION_CURVE_H\n#define MOTION_CURVE_H\n\n#include <stdint.h>\n",
        f'#include "flash.h"\n\nenum {{ CURVE_KNOTS = {KNOTS} }};\n',
        "static const uint16_t CURVE[CURVE_KNOTS + 1] IN_FLASH = {",
        *("    " + " ".join(f"{value}," for value in row) for row in rows),
        "};\n\n#endif",
    ]
    return "\n".join(lines) + "\n"
