"""The constants of stillness, in seconds and shares; none of them belongs to one camera."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """When a frame is quiet. The limits of scores were chosen on generated pictures."""

    hold: float = 0.4
    """Seconds without any motion before a frame can be quiet."""
    gap: float = 2.0
    """Seconds between two frames after which nobody knows what happened meanwhile."""
    frozen: float = 5.0
    """Seconds of bit-identical pictures after which the camera counts as frozen."""
    doubt: float = 20.0
    """Seconds that something new that may be an arm must lie still before it is none after all."""
    limb: float = 0.9
    """Score of the network for arms from which it sees one where something is new."""
    limb_alone: float = 0.95
    """The same while no earlier table is known to compare with."""
    limb_doubt: float = 0.8
    """Score from which something new at the border stays an arm for as long as it is there."""
    limb_hint: float = 0.5
    """Score from which something new at the table's edge, but not beyond it, may be an arm."""
    palm: float = 0.5
    """Score of the palm detector from which it sees a hand where something is new."""
    palm_alone: float = 0.8
    """The same while no earlier table is known to compare with."""
