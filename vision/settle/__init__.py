"""Many quiet frames become one Observation, and what changed since the last one: events."""

from vision.settle.events import Events, Kind, Subject
from vision.settle.settle import Settle, Settled

__all__ = ["Events", "Kind", "Settle", "Settled", "Subject"]
