"""The network that sees hands, arms and sleeves over a table, and what trains it."""
