"""Procedural printed faces of tiles and cards, for training; see README.md."""

from models.prints.sets import Face, Prints

__all__ = ["Face", "Prints"]
