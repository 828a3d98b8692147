"""Training pictures: tables of varied pieces on varied grounds, drawn from a seed, with labels."""

from models.tables.prints import Stock, printed, stock
from models.tables.table import Table, draw_table

__all__ = ["Stock", "Table", "draw_table", "printed", "stock"]
