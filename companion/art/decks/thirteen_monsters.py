"""13 Monsters: top, eyes and bottom of each monster, each part on a left and a right card; 78 cards.

The halves of a part meet across the gap between two cards. The monster's number stands in the outer corner,
the pattern of the ground and the sign beside the number show its element.
"""

from __future__ import annotations

from companion.art.decks.digits import number, number_width
from companion.art.decks.halves import BOTTOMS, EYES, TOPS
from companion.art.draw.palette import INK, LIGHT, NIGHT, PAPER
from companion.art.draw.patterns import Pattern, checks, crosses, diamonds, rings, stripes, waves
from companion.art.draw.vector import (
    Clip,
    Drawing,
    Node,
    Shape,
    box,
    curve,
    ellipse,
    moved,
    place,
    polygon,
)

WIDTH, HEIGHT = CARD_MM = 44.0, 56.0
BORDER = 1.8
PARTS = {"top": TOPS, "eyes": EYES, "bottom": BOTTOMS}
SIDES = ("left", "right")
LOOKS: tuple[tuple[str, str, str], ...] = (
    ("earth", "#a9713f", "#e8c27a"),
    ("earth", "#8c8f7a", "#5c6152"),
    ("earth", "#7aa23f", "#3f6b1f"),
    ("air", "#8fc7e8", "#fbd22c"),
    ("air", "#c9d6de", "#e02f38"),
    ("air", "#b9a7dd", "#ffffff"),
    ("fire", "#d9402f", "#fbb22c"),
    ("fire", "#b3245a", "#3a2440"),
    ("fire", "#f08a3c", "#e02f38"),
    ("water", "#2f7fd6", "#1f4f8f"),
    ("water", "#35508a", "#fbe25a"),
    ("water", "#2a9d8f", "#f58dbd"),
    ("ghost", "#e6e2f2", "#8f7fd0"),
)
"""Element, skin and accent of monsters 1 to 13."""
GROUNDS: dict[str, tuple[str, Pattern, str]] = {
    "earth": ("#ead9bd", checks, "#dcc49c"),
    "air": ("#e3f1f8", stripes, "#cbe4f1"),
    "fire": ("#fbd9c5", diamonds, "#f5bd9c"),
    "water": ("#cfe3f5", waves, "#a9cbe9"),
    "ghost": ("#4a4268", rings, "#5c5380"),
}


def draw(label: str) -> Drawing:
    """The card of a label."""
    value, part, side = label.split()
    element, skin, accent = LOOKS[int(value) - 1]
    ground, pattern, faint = GROUNDS[element]
    middle = WIDTH if side == "left" else 0.0
    figure = moved(PARTS[part][int(value) - 1](skin, accent), place(middle, 0.0))
    field = box(BORDER, BORDER, WIDTH - 2 * BORDER, HEIGHT - 2 * BORDER, 1.4)
    area = (BORDER, BORDER, WIDTH - 2 * BORDER, HEIGHT - 2 * BORDER)
    nodes = [
        Shape(box(0, 0, *CARD_MM), fill=PAPER),
        Shape(field, fill=ground),
        Clip(field, (*pattern(area, 7.0, faint), *figure)),
        *_corner(int(value), element, side),
        Shape(field, stroke=INK, width=0.45),
    ]
    return Drawing(WIDTH, HEIGHT, tuple(nodes), box(0, 0, *CARD_MM, 2.5))


def whole_part(value: int, part: str) -> Drawing:
    """Both halves of a part without the gap, for pages: a top, eyes and a bottom below each other are a
    monster."""
    element, skin, accent = LOOKS[value - 1]
    ground = GROUNDS[element][0]
    field = box(0, 0, 2 * WIDTH, HEIGHT)
    figure = moved(PARTS[part][value - 1](skin, accent), place(WIDTH, 0.0))
    return Drawing(2 * WIDTH, HEIGHT, (Shape(field, fill=ground), Clip(field, tuple(figure))), field)


def back() -> Drawing:
    """Crosses in the dark, the same both ways up."""
    field = box(BORDER, BORDER, WIDTH - 2 * BORDER, HEIGHT - 2 * BORDER, 1.4)
    area = (BORDER, BORDER, WIDTH - 2 * BORDER, HEIGHT - 2 * BORDER)
    disc = ellipse(WIDTH / 2, HEIGHT / 2, 13.0)
    half = number_width(13, 11.0) / 2
    nodes: list[Node] = [
        Shape(box(0, 0, *CARD_MM), fill=PAPER),
        Shape(field, fill=NIGHT),
        Clip(field, tuple(crosses(area, 6.0, "#3d3766"))),
        Shape(disc, fill=NIGHT, stroke=LIGHT, width=1.0),
        *number(13, WIDTH / 2 - half, HEIGHT / 2 - 5.5, 11.0, ink=INK, light="#fbd22c"),
        Shape(field, stroke=INK, width=0.45),
    ]
    return Drawing(WIDTH, HEIGHT, tuple(nodes), box(0, 0, *CARD_MM, 2.5))


def _corner(value: int, element: str, side: str) -> list[Node]:
    """Number and element on a light plate in the outer top corner."""
    high = 6.2
    wide = number_width(value, high)
    room = wide + 5.0
    left = 2.6 if side == "left" else WIDTH - 2.6 - room
    plate = Shape(box(left, 2.6, room, 19.4, 2.2), fill=LIGHT, stroke=INK, width=0.5)
    sign = moved(_SIGNS[element], place(left + room / 2, 17.6, 2.6))
    return [plate, *number(value, left + 2.5, 5.0, high, ink=INK, light=INK, weight=0.05), *sign]


def _signs() -> dict[str, list[Node]]:
    mountain = polygon([(-1.1, 0.9), (-0.3, -0.8), (0.1, -0.1), (0.4, -0.5), (1.1, 0.9)])
    gust = [curve((-1.0, y), ((-0.4, y - 0.5), (0.3, y + 0.5), (1.0, y - 0.1))) for y in (-0.5, 0.0, 0.5)]
    flame = curve(
        (0.1, -1.1),
        ((0.2, -0.4), (0.9, -0.2), (0.8, 0.4)),
        ((0.7, 1.1), (-0.7, 1.1), (-0.8, 0.4)),
        ((-0.8, 0.0), (-0.3, -0.3), (0.1, -1.1)),
        closed=True,
    )
    drop = curve(
        (0.0, -1.1),
        ((0.3, -0.5), (0.85, -0.1), (0.8, 0.4)),
        ((0.7, 1.1), (-0.7, 1.1), (-0.8, 0.4)),
        ((-0.85, -0.1), (-0.3, -0.5), (0.0, -1.1)),
        closed=True,
    )
    ghost = curve(
        (-0.8, 1.0),
        ((-0.8, -1.4), (0.8, -1.4), (0.8, 1.0)),
        ((0.4, 0.6),),
        ((0.0, 1.0),),
        ((-0.4, 0.6),),
        closed=True,
    )
    holes = [Shape(ellipse(x, -0.2, 0.17, 0.26), fill=INK) for x in (-0.3, 0.3)]
    return {
        "earth": [Shape(mountain, fill="#a9713f", stroke=INK, width=0.24)],
        "air": [Shape(path, stroke=INK, width=0.4) for path in gust],
        "fire": [Shape(flame, fill="#f0642f", stroke=INK, width=0.24)],
        "water": [Shape(drop, fill="#2f7fd6", stroke=INK, width=0.24)],
        "ghost": [Shape(ghost, fill=LIGHT, stroke=INK, width=0.24), *holes],
    }


_SIGNS = _signs()
