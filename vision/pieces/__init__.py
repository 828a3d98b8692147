"""Coloured pieces that stand on the fields of boards."""

from vision.pieces.search import find_pieces

__all__ = ["find_pieces"]
