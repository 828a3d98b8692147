"""The number at a dial's arrow: the disc is found by its print, the arrow by its own."""

from vision.dial.reading import DialReader, DialReading

__all__ = ["DialReader", "DialReading"]
