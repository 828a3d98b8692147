"""Coloured pieces that stand on the fields of boards."""

from vision.pieces.reading import PieceReader

__all__ = ["PieceReader"]
