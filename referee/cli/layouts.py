"""A table's layout written down by hand, as a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar

from vision.errors import UnreadableError
from vision.layout import Board, Field, Layout, Marker, Zone

T = TypeVar("T")


def load_layout(path: Path) -> Layout:
    """A layout from a TOML file whose keys are those of `vision.layout.Layout`.

    Raises UnreadableError for a file that isn't there or isn't TOML, and for an unknown, missing
    or wrong key, which it names.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UnreadableError(
            f"There is no file {path}.", "Check the name and the folder."
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnreadableError(f"{path} is no TOML file: {error}.", "Correct it there.") from None
    try:
        return _layout(table, "the layout")
    except ValueError as error:
        raise UnreadableError(f"{path}: {error}.", "Correct it there.") from None


def _record(made: type[T], readers: Mapping[str, Callable[[Any, str], Any]]) -> Callable[..., T]:
    """A reader of a TOML table into the dataclass `made`; a key without a reader is an error."""

    needed = [
        field.name
        for field in fields(made)  # type: ignore[arg-type]
        if field.default is MISSING and field.default_factory is MISSING
    ]

    def read(table: Any, where: str) -> T:
        if not isinstance(table, dict):
            raise ValueError(f"{where} must be a table, not {table!r}")  # noqa: TRY004
        for key in table:
            if key not in readers:
                raise ValueError(f"{where} has an unknown key {key!r}; known: {', '.join(readers)}")
        lacking = [key for key in needed if key not in table]
        if lacking:
            raise ValueError(f"{where} lacks {', '.join(lacking)}")
        return made(**{key: readers[key](value, f"{where}.{key}") for key, value in table.items()})

    return read


def _many(reader: Callable[[Any, str], T]) -> Callable[[Any, str], tuple[T, ...]]:
    def read(items: Any, where: str) -> tuple[T, ...]:
        if not isinstance(items, list):
            raise ValueError(f"{where} must be a list, not {items!r}")  # noqa: TRY004
        return tuple(reader(item, f"{where}[{i}]") for i, item in enumerate(items))

    return read


def _number(value: Any, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(f"{where} must be a number, not {value!r}")  # noqa: TRY004
    return float(value)


def _whole(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{where} must be a whole number, not {value!r}")  # noqa: TRY004
    return value


def _name(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{where} must be a text, not {value!r}")  # noqa: TRY004
    return value


def _pair(value: Any, where: str) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{where} must be two numbers, not {value!r}")
    return _number(value[0], where), _number(value[1], where)


def _quad(value: Any, where: str) -> tuple[tuple[float, float], ...]:
    corners = _many(_pair)(value, where)
    if len(corners) != 4:
        raise ValueError(f"{where} must have four corners, not {len(corners)}")
    return corners


def _colours(value: Any, where: str) -> dict[str, tuple[int, ...]]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} must be a table of colours, not {value!r}")  # noqa: TRY004
    colours = {name: _many(_whole)(rgb, f"{where}.{name}") for name, rgb in value.items()}
    for name, rgb in colours.items():
        if len(rgb) != 3 or not all(0 <= part <= 255 for part in rgb):
            raise ValueError(f"{where}.{name} must be red, green, blue from 0 to 255, not {rgb!r}")
    return colours


_marker = _record(Marker, {"id": _whole, "centre": _pair, "side": _number})
_zone = _record(Zone, {"name": _name, "polygon": _many(_pair)})
_field = _record(Field, {"name": _name, "quad": _quad})
_board = _record(
    Board,
    {
        "name": _name,
        "size": _pair,
        "origin": _pair,
        "angle": _number,
        "thickness": _number,
        "markers": _many(_marker),
        "zones": _many(_zone),
        "fields": _many(_field),
    },
)
_layout = _record(
    Layout,
    {
        "size": _pair,
        "tile": _pair,
        "tile_thickness": _number,
        "markers": _many(_marker),
        "boards": _many(_board),
        "zones": _many(_zone),
        "piece_colours": _colours,
        "piece_diameter": _number,
        "piece_height": _number,
    },
)
