"""The one currency between vision and referee: what was seen in one frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from vision.dial import DialReading

#: The id of "none" in every id array: no label, no rival, no zone, no field.
NONE = -1
#: How many candidate labels a reading keeps, best first.
CANDIDATES = 4


class Facing(IntEnum):
    """Which side of a tile is seen."""

    UP = 0
    DOWN = 1


def column(dtype: type[np.generic], *tail: int) -> Any:
    """A field that holds an array of `dtype` and shape (n, *tail)."""
    return field(metadata={"dtype": np.dtype(dtype), "tail": tail})


@dataclass(frozen=True, eq=False)
class Aligned:
    """Arrays that share their first axis; shapes and types are checked when made."""

    def __post_init__(self) -> None:
        n = len(self)
        for spec in fields(self):
            array = getattr(self, spec.name)
            name = f"{type(self).__name__}.{spec.name}"
            want = (spec.metadata["dtype"], (n, *spec.metadata["tail"]))
            if not isinstance(array, np.ndarray):
                raise TypeError(f"{name}: expected an array, got {type(array).__name__}")
            if (array.dtype, array.shape) != want:
                raise ValueError(
                    f"{name}: expected {want[0]} of shape {want[1]}, "
                    f"got {array.dtype} of shape {array.shape}"
                )

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    @classmethod
    def empty(cls) -> Self:
        """No entries."""
        return cls(
            **{f.name: np.zeros((0, *f.metadata["tail"]), f.metadata["dtype"]) for f in fields(cls)}
        )

    def select(self, mask: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        """The entries that `mask` keeps: a boolean mask of shape (n,), or indices."""
        return replace(self, **{f.name: getattr(self, f.name)[mask] for f in fields(self)})

    def merged(self, other: Self) -> Self:
        """These entries, followed by those of `other`."""
        return replace(
            self,
            **{
                f.name: np.concatenate([getattr(self, f.name), getattr(other, f.name)])
                for f in fields(self)
            },
        )


@dataclass(frozen=True, eq=False)
class TileReadings(Aligned):
    """What was read of each tile; n tiles.

    A tile whose `label_ids` is NONE shows nothing that was taught, or nothing that can be told
    apart: its candidates say between what. A tile seen from its back has facing DOWN and no label.
    """

    quads_mm: NDArray[np.float32] = column(np.float32, 4, 2)
    """Corners on the plane, clockwise from the top left of the print as drawn."""
    quads_px: NDArray[np.float32] = column(np.float32, 4, 2)
    """The same corners in pixels of the frame; an integer is the centre of a pixel."""
    found_scores: NDArray[np.float32] = column(np.float32)
    """How sure it is that a tile lies there, 0 to 1."""
    label_ids: NDArray[np.int16] = column(np.int16)
    """Index into `Observation.labels`, or NONE."""
    facings: NDArray[np.int8] = column(np.int8)
    """A `Facing`."""
    certain: NDArray[np.bool_] = column(np.bool_)
    """Whether label and facing may be relied on without a person or a rule."""
    candidate_ids: NDArray[np.int16] = column(np.int16, CANDIDATES)
    """The likeliest labels, best first, the chosen one included; NONE pads."""
    candidate_scores: NDArray[np.float32] = column(np.float32, CANDIDATES)
    """Likeness of each candidate, 0 to 1; 0 pads."""
    zone_ids: NDArray[np.int16] = column(np.int16)
    """Index into `Observation.zones`, or NONE."""

    @property
    def centres_mm(self) -> NDArray[np.float32]:
        """Middle of each quad on the plane, shape (n, 2)."""
        return np.asarray(self.quads_mm.mean(axis=1), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class PieceReadings(Aligned):
    """What was read of each standing piece; n pieces."""

    points_mm: NDArray[np.float32] = column(np.float32, 2)
    """Middle of the foot on the plane."""
    points_px: NDArray[np.float32] = column(np.float32, 2)
    """The same point in pixels of the frame."""
    colour_ids: NDArray[np.int16] = column(np.int16)
    """Index into `Observation.colours`, or NONE."""
    field_ids: NDArray[np.int16] = column(np.int16)
    """Index into `Observation.fields`, or NONE."""
    scores: NDArray[np.float32] = column(np.float32)
    """How sure it is that such a piece stands there, 0 to 1."""
    certain: NDArray[np.bool_] = column(np.bool_)
    """Whether colour and field may be relied on without a person or a rule."""


@dataclass(frozen=True, eq=False)
class Observation:
    """Everything that was seen in one frame.

    `labels`, `zones`, `fields` and `colours` are the vocabularies that the id arrays index.
    """

    frame_id: int
    captured_at: float
    """Time of capture in seconds of the source's clock."""
    size_px: tuple[int, int]
    """Width and height of the frame."""
    calibration_id: str
    """Changes whenever the plane was found anew; empty if there is no plane."""
    model_hash: str
    """Identifies the faces and models that the readings rest on."""
    labels: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    markers: tuple[int, ...] = ()
    """Ids of the markers of the plane that were seen."""
    boards: tuple[str, ...] = ()
    """Names of the boards that were found where they lie, rather than assumed."""
    sure_fields: tuple[str, ...] = ()
    """Names of the fields of which is sure that exactly the pieces read stand there, or none."""
    tiles: TileReadings = field(default_factory=TileReadings.empty)
    pieces: PieceReadings = field(default_factory=PieceReadings.empty)
    dial: DialReading | None = None
    """What the table's dial shows; None if it has none, or nobody looked."""
    ms: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds spent on "plane", "tiles", "faces", "pieces", "dial" and in "total"."""

    def __post_init__(self) -> None:
        unknown = set(self.sure_fields) - set(self.fields)
        if unknown:
            raise ValueError(f"sure_fields: expected names of fields, got {sorted(unknown)}")
        for name, ids, vocabulary in (
            ("label_ids", self.tiles.label_ids, self.labels),
            ("candidate_ids", self.tiles.candidate_ids, self.labels),
            ("zone_ids", self.tiles.zone_ids, self.zones),
            ("colour_ids", self.pieces.colour_ids, self.colours),
            ("field_ids", self.pieces.field_ids, self.fields),
        ):
            if ids.size and not NONE <= int(ids.min()) <= int(ids.max()) < len(vocabulary):
                raise ValueError(
                    f"{name}: expected ids from {NONE} to {len(vocabulary) - 1}, "
                    f"got {int(ids.min())} to {int(ids.max())}"
                )

    def tile_label(self, tile: int) -> str | None:
        """The label of a tile, or None if it has none."""
        return _word(self.labels, self.tiles.label_ids[tile])

    def tile_zone(self, tile: int) -> str | None:
        """The zone that a tile lies in, or None."""
        return _word(self.zones, self.tiles.zone_ids[tile])

    def tile_candidates(self, tile: int) -> list[tuple[str, float]]:
        """The likeliest labels of a tile with their scores, best first."""
        return [
            (self.labels[label], float(score))
            for label, score in zip(
                self.tiles.candidate_ids[tile], self.tiles.candidate_scores[tile], strict=True
            )
            if label != NONE
        ]

    def piece_colour(self, piece: int) -> str | None:
        """The colour of a piece, or None."""
        return _word(self.colours, self.pieces.colour_ids[piece])

    def piece_field(self, piece: int) -> str | None:
        """The field that a piece stands on, or None."""
        return _word(self.fields, self.pieces.field_ids[piece])


def _word(vocabulary: tuple[str, ...], index: int) -> str | None:
    return None if index == NONE else vocabulary[index]
