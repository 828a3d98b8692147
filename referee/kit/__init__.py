"""The print-and-play set: prints and rasterises the drawings of any game."""
