"""The network that finds tiles, and the code that trains it."""
