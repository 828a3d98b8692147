"""A match: joins what vision sees, what the rules say, and people."""
