"""The print-and-play set: prints and rasterises the drawings of any game."""

from referee.kit.document import PrintSet, write_pdf
from referee.kit.faces import kit_faces
from referee.kit.overview import TableView
from referee.kit.raster import rasterise, render_pages
from referee.kit.sheets import PAPERS, Paper, SheetError

__all__ = [
    "PAPERS",
    "Paper",
    "PrintSet",
    "SheetError",
    "TableView",
    "kit_faces",
    "rasterise",
    "render_pages",
    "write_pdf",
]
