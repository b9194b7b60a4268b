"""Paper: a deck as PDF sheets with cut marks, in exact size.

Every card becomes one form of the PDF and is placed as often as the deck holds it, so that a deck of 110
cards stays a small file. Cards stand edge to edge: one cut parts two of them.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from companion.art.decks.registry import card_back, card_size, deck_list, drawing, title
from companion.art.draw.vector import Drawing, Node, Path, Shape
from companion.core.errors import UsageError

MM = 72 / 25.4
"""Points in a millimetre."""
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet in mm."""
LARGE = 1.4
"""How much larger the cards of a large-print deck are: 88.2 x 123.2 mm instead of 63 x 88."""
MARGIN = 6.0
"""What a printer may be unable to print, in mm."""
MARK = (0.8, 3.8)
"""From where to where a cut mark reaches, in mm outside the cards; it leaves room for the footer."""
RULE_MM = 50
"""Length of the line by which a print's size can be checked."""


@dataclass(frozen=True)
class Layout:
    """Cards on a sheet: how many across and down, their size and the place of the first, in mm."""

    columns: int
    rows: int
    width: float
    height: float
    left: float
    top: float
    paper: tuple[float, float]

    @property
    def room(self) -> int:
        """Cards on one sheet."""
        return self.columns * self.rows

    def corner(self, index: int) -> tuple[float, float]:
        """Top left corner of the card at `index` of a sheet, in mm from the sheet's."""
        row, column = divmod(index, self.columns)
        return self.left + column * self.width, self.top + row * self.height


def layout(paper: str, size: tuple[float, float], scale: float = 1.0) -> Layout:
    """As many cards of `size` mm as fit on the paper ("a4" or "letter"), in the middle of it."""
    if paper not in PAPERS:
        raise UsageError("art.no_paper", paper=paper, papers=tuple(PAPERS))
    across, down = PAPERS[paper]
    width, height = size[0] * scale, size[1] * scale
    columns, rows = int((across - 2 * MARGIN) / width), int((down - 2 * MARGIN) / height)
    if not columns or not rows:
        raise UsageError("art.card_too_large", width=round(width), height=round(height), paper=paper)
    left, top = (across - columns * width) / 2, (down - rows * height) / 2
    return Layout(columns, rows, width, height, left, top, PAPERS[paper])


def sheet_count(game: str, room: int) -> int:
    """Sheets that the deck takes with `room` cards on each, backs not counted."""
    return math.ceil(sum(copies for _, copies in deck_list(game)) / room)


def deck_pdf(game: str, paper: str = "a4", *, scale: float = 1.0, backs: bool = False) -> bytes:
    """The game's deck as a PDF. With `backs` each sheet is followed by its reverse, to print on both sides.

    The same arguments give the same bytes. UsageError for an unknown game or paper.
    """
    plan = layout(paper, card_size(game), scale)
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(plan.paper[0] * MM, plan.paper[1] * MM), invariant=1, pageCompression=1)
    canvas.setTitle(f"{title(game)}: print-and-play deck")
    canvas.setLineJoin(1)
    canvas.setLineCap(1)
    _form(canvas, "back", card_back(game))
    cards: list[str] = []
    for index, (label, copies) in enumerate(deck_list(game)):
        _form(canvas, f"card{index}", drawing(game, label))
        cards += [f"card{index}"] * copies
    count = sheet_count(game, plan.room)
    for sheet in range(count):
        here = cards[sheet * plan.room : (sheet + 1) * plan.room]
        _sheet(canvas, plan, scale, here, f"{title(game)}   {sheet + 1} / {count}")
        if backs:
            _sheet(canvas, plan, scale, ["back"] * plan.room, f"{title(game)}   {sheet + 1} / {count}: backs")
    canvas.save()
    return out.getvalue()


def _sheet(canvas: Canvas, plan: Layout, scale: float, cards: list[str], note: str) -> None:
    for index, name in enumerate(cards):
        x, y = plan.corner(index)
        canvas.saveState()
        canvas.transform(MM * scale, 0, 0, -MM * scale, x * MM, (plan.paper[1] - y) * MM)
        canvas.doForm(name)
        canvas.restoreState()
    _cut_marks(canvas, plan)
    _footer(canvas, plan, note)
    canvas.showPage()


def _cut_marks(canvas: Canvas, plan: Layout) -> None:
    right, bottom = plan.left + plan.columns * plan.width, plan.top + plan.rows * plan.height
    near, far = MARK
    canvas.setLineWidth(0.3)
    canvas.setStrokeColorRGB(0, 0, 0)
    for column in range(plan.columns + 1):
        x = plan.left + column * plan.width
        _line(canvas, plan, (x, plan.top - far), (x, plan.top - near))
        _line(canvas, plan, (x, bottom + near), (x, bottom + far))
    for row in range(plan.rows + 1):
        y = plan.top + row * plan.height
        _line(canvas, plan, (plan.left - far, y), (plan.left - near, y))
        _line(canvas, plan, (right + near, y), (right + far, y))


def _footer(canvas: Canvas, plan: Layout, note: str) -> None:
    x, y = plan.left + 4, plan.paper[1] - 4.5
    canvas.setLineWidth(0.8)
    _line(canvas, plan, (x, y), (x + RULE_MM, y))
    canvas.setFont("Helvetica", 7)
    canvas.drawString((x + RULE_MM + 3) * MM, 3.7 * MM, f"{RULE_MM} mm: print at 100 %.   {note}")


def _line(canvas: Canvas, plan: Layout, start: tuple[float, float], end: tuple[float, float]) -> None:
    high = plan.paper[1]
    canvas.line(start[0] * MM, (high - start[1]) * MM, end[0] * MM, (high - end[1]) * MM)


def _form(canvas: Canvas, name: str, card: Drawing) -> None:
    canvas.beginForm(name, 0, 0, card.width, card.height)
    canvas.setLineJoin(1)
    canvas.setLineCap(1)
    for node in card.nodes:
        _draw(canvas, node)
    canvas.endForm()


def _draw(canvas: Canvas, node: Node) -> None:
    if isinstance(node, Shape):
        _draw_shape(canvas, node)
        return
    canvas.saveState()
    canvas.clipPath(_path(canvas, node.path), stroke=0, fill=0, fillMode=FILL_EVEN_ODD)
    for inside in node.nodes:
        _draw(canvas, inside)
    canvas.restoreState()


def _draw_shape(canvas: Canvas, shape: Shape) -> None:
    if shape.fill:
        canvas.setFillColor(shape.fill)
    if shape.stroke:
        canvas.setStrokeColor(shape.stroke)
        canvas.setLineWidth(shape.width)
    canvas.drawPath(
        _path(canvas, shape.path),
        stroke=int(shape.stroke is not None),
        fill=int(shape.fill is not None),
        fillMode=FILL_EVEN_ODD,
    )


def _path(canvas: Canvas, path: Path) -> PDFPathObject:
    drawn = canvas.beginPath()
    for contour in path.contours:
        drawn.moveTo(*contour.start)
        for command in contour.commands:
            if len(command) == 1:
                drawn.lineTo(*command[0])
            else:
                drawn.curveTo(*command[0], *command[1], *command[2])
        if contour.closed:
            drawn.close()
    return drawn
