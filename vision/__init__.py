"""Pixels to Observation: reads a board-game table through a camera.

This package knows no game rule and imports nothing of `referee`.
"""
