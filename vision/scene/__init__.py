"""Renders labelled tables: for the demo, the tests and training. Knows no game."""
