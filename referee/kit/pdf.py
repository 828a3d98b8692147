"""Paints drawings onto a PDF canvas: the only place where the vector vocabulary meets a printer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reportlab.lib.colors import Color
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from referee.games.drawing import (
    Colour,
    CurveTo,
    Drawing,
    Ellipse,
    Group,
    LineTo,
    MarkerImage,
    MoveTo,
    Paint,
    Path,
    Rect,
    Shape,
    Text,
)
from referee.kit.markers import bit_pattern, marker_bits

#: Points of PDF in one millimetre.
MM = 72.0 / 25.4

#: Gives a text in the language that is printed.
Tell = Callable[[str], str]

_WHITE: Colour = (255, 255, 255)


def paint(canvas: Canvas, drawing: Drawing, bleed: float = 0.0, tell: Tell = str) -> None:
    """Paints a drawing with its top left corner at the origin of `canvas`, cut to its outline.

    The canvas must count millimetres, x right and y down (see `millimetres`). `bleed` mm of what
    is drawn beyond the outline are kept, for sides that a printer may shift.
    """
    canvas.saveState()
    canvas.clipPath(_outline(canvas, drawing, bleed), stroke=0, fill=0)
    paint_shapes(canvas, drawing.shapes, tell)
    canvas.restoreState()


def paint_paper(canvas: Canvas, drawing: Drawing) -> None:
    """Paints the outline of a drawing white, for a canvas that is not paper."""
    _set_paint(canvas, Paint(fill=_WHITE))
    canvas.drawPath(_outline(canvas, drawing, 0.0), stroke=0, fill=1)


def paint_shapes(canvas: Canvas, shapes: Iterable[Shape], tell: Tell = str) -> None:
    """Paints shapes in order onto a canvas that counts millimetres."""
    for shape in shapes:
        _paint_shape(canvas, shape, tell)


def millimetres(canvas: Canvas, page_height: float, scale: float = MM) -> None:
    """Makes `canvas` count millimetres from the top left corner, x right and y down.

    `page_height` is in mm; `scale` is the number of PDF points in a millimetre.
    """
    canvas.transform(scale, 0, 0, -scale, 0, page_height * scale)


def _paint_shape(canvas: Canvas, shape: Shape, tell: Tell) -> None:
    match shape:
        case Rect(corner=(x, y), size=(width, height), paint=colours, radius=radius):
            stroke, fill = _set_paint(canvas, colours)
            if radius > 0:
                canvas.roundRect(x, y, width, height, radius, stroke=stroke, fill=fill)
            else:
                canvas.rect(x, y, width, height, stroke=stroke, fill=fill)
        case Ellipse(centre=(x, y), radii=(rx, ry), paint=colours):
            stroke, fill = _set_paint(canvas, colours)
            canvas.ellipse(x - rx, y - ry, x + rx, y + ry, stroke=stroke, fill=fill)
        case Path():
            _paint_path(canvas, shape)
        case Text():
            _paint_text(canvas, shape, tell)
        case MarkerImage(id=marker_id, corner=corner, side=side):
            _paint_path(canvas, bit_pattern(marker_bits(marker_id), corner, side))
        case Drawing():
            paint(canvas, shape, tell=tell)
        case Group(at=at, turn=turn, scale=scale):
            canvas.saveState()
            canvas.translate(*at)
            # The y axis points down, so that a positive turn is clockwise on the page.
            canvas.rotate(turn)
            canvas.scale(scale, scale)
            paint_shapes(canvas, shape.shapes, tell)
            canvas.restoreState()


def _paint_path(canvas: Canvas, path: Path) -> None:
    stroke, fill = _set_paint(canvas, path.paint)
    outline = canvas.beginPath()
    for step in path.steps:
        match step:
            case MoveTo(to=to):
                outline.moveTo(*to)
            case LineTo(to=to):
                outline.lineTo(*to)
            case CurveTo(control_1=control_1, control_2=control_2, to=to):
                outline.curveTo(*control_1, *control_2, *to)
    if path.closed:
        outline.close()
    canvas.drawPath(outline, stroke=stroke, fill=fill)


def _paint_text(canvas: Canvas, text: Text, tell: Tell) -> None:
    canvas.saveState()
    canvas.setFillColor(_colour(text.colour))
    canvas.setFont("Helvetica-Bold" if text.bold else "Helvetica", text.size)
    canvas.translate(*text.at)
    canvas.scale(1, -1)
    put = {
        "start": canvas.drawString,
        "middle": canvas.drawCentredString,
        "end": canvas.drawRightString,
    }[text.anchor]
    put(0, 0, tell(text.text))
    canvas.restoreState()


def _outline(canvas: Canvas, drawing: Drawing, bleed: float) -> PDFPathObject:
    width, height = drawing.size
    box = (-bleed, -bleed, width + 2 * bleed, height + 2 * bleed)
    outline = canvas.beginPath()
    if drawing.outline == "ellipse":
        outline.ellipse(*box)
    elif drawing.radius > 0:
        outline.roundRect(*box, drawing.radius + bleed)
    else:
        outline.rect(*box)
    return outline


def _set_paint(canvas: Canvas, colours: Paint) -> tuple[int, int]:
    """Sets colours; says whether to stroke and to fill, as reportlab's 0 or 1."""
    if colours.fill is not None:
        canvas.setFillColor(_colour(colours.fill))
    if colours.stroke is not None:
        canvas.setStrokeColor(_colour(colours.stroke))
        canvas.setLineWidth(colours.stroke_width)
    return int(colours.stroke is not None), int(colours.fill is not None)


def _colour(colour: Colour) -> Color:
    return Color(*(channel / 255 for channel in colour))
