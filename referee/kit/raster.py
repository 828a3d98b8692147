"""Turns drawings into pictures, by way of the same PDF that is printed."""

from __future__ import annotations

import io
import threading

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from reportlab.pdfgen.canvas import Canvas

from referee.games.drawing import Drawing
from referee.kit.pdf import millimetres, paint, paint_paper

Image = NDArray[np.uint8]

#: PDFium can't be used by two threads at once: the program would crash.
_PDFIUM = threading.Lock()


def rasterise(drawing: Drawing, px_per_mm: float) -> Image:
    """Renders a drawing as BGRA of shape (h, w, 4), transparent outside its outline.

    Width and height are those of the drawing times `px_per_mm`, rounded to whole pixels. Raises
    ValueError if that leaves no pixel.
    """
    width, height = (round(length * px_per_mm) for length in drawing.size)
    if min(width, height) < 1:
        raise ValueError(
            f"the drawing {drawing.name!r} of {drawing.size[0]} x {drawing.size[1]} mm has no "
            f"pixel at {px_per_mm} px/mm; ask for more pixels per millimetre"
        )
    # One PDF point a pixel: PDFium then makes a picture of exactly this size.
    page = io.BytesIO()
    canvas = Canvas(page, pagesize=(width, height))
    canvas.scale(width / drawing.size[0], height / drawing.size[1])
    millimetres(canvas, drawing.size[1], scale=1.0)
    paint_paper(canvas, drawing)
    paint(canvas, drawing)
    canvas.save()
    return _render_page(page.getvalue(), 0, 1.0, transparent=True)


def render_pages(pdf: bytes, dots_per_inch: float) -> list[Image]:
    """Renders every page of a PDF on white paper as BGR of shape (h, w, 3)."""
    with _PDFIUM, pypdfium2.PdfDocument(pdf) as document:
        pages = range(len(document))
    return [_render_page(pdf, page, dots_per_inch / 72, transparent=False) for page in pages]


def on_paper(image: Image, paper: tuple[int, int, int] = (255, 255, 255)) -> Image:
    """Lays a BGRA picture on paper of a BGR colour; returns BGR of the same height and width."""
    alpha = image[..., 3:].astype(np.float32) / 255
    mixed = image[..., :3] * alpha + np.asarray(paper, np.float32) * (1 - alpha)
    return np.asarray(np.rint(mixed), dtype=np.uint8)


def _render_page(pdf: bytes, number: int, scale: float, *, transparent: bool) -> Image:
    fill = (0, 0, 0, 0) if transparent else (255, 255, 255, 255)
    with _PDFIUM, pypdfium2.PdfDocument(pdf) as document:
        page = document[number]
        bitmap = page.render(scale=scale, fill_color=fill)
        picture = np.array(bitmap.to_numpy(), dtype=np.uint8)
        # Left to the garbage collector they would be closed in any thread.
        bitmap.close()
        page.close()
    return picture
