"""The network that finds the cubes in a tray, and how its piles of cubes are made."""
