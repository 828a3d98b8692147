"""A table without a table: lays a game's things out as people do, and moves them by hand."""
