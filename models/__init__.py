"""The trained networks, and what trains them; see README.md."""
