"""Seven Merry Monsters: seven monsters with the numbers 1 to 7 and eleven jokers, 60 cards.

A covered card of a display shows its top third: the number, the sign and the patterned ground, which is
why these three are large.
"""

from __future__ import annotations

import math

from companion.art.digits import number, number_width
from companion.art.faces import MOODS
from companion.art.frame import HEIGHT, INNER, WIDTH, card
from companion.art.monsters import NAMES, bust, monster, sign
from companion.art.palette import INK, LIGHT, MONSTERS
from companion.art.patterns import PATTERNS
from companion.art.vector import Drawing, Node, Shape, ellipse, moved, place

TITLE = "Seven Merry Monsters"
JOKERS = 11
NIGHT = "#2c2748"
"""The joker's ground: no monster's colour."""


def labels() -> tuple[str, ...]:
    """ "red 1" to "pink 7", then "joker"."""
    return (*(f"{name} {value}" for name in NAMES for value in range(1, 8)), "joker")


def copies(label: str) -> int:
    """How often the card is in the deck."""
    return JOKERS if label == "joker" else 1


def draw(label: str) -> Drawing:
    """The card of a label of `labels()`."""
    if label == "joker":
        return _joker()
    name, value = label.split()
    return _monster(name, int(value))


def _monster(name: str, value: int) -> Drawing:
    tone = MONSTERS[name]
    pattern = PATTERNS[name](INNER, 8.0, tone.faint)
    middle = moved(monster(name, value), place(WIDTH / 2, HEIGHT / 2 + 1.5, 17.0))
    figure = number(value, 8.6, 8.4, 13.0, ink=INK, light=LIGHT)
    left = 8.6 + number_width(value, 13.0) + 4.2 + 6.2
    small = moved(sign(name), place(left, 13.5, 5.9))
    return card(tone.ground, pattern, middle, [*figure, *small])


def _joker() -> Drawing:
    ring: list[Node] = []
    small: list[Node] = []
    for index, name in enumerate(NAMES):
        turn = math.radians(-90 + index * 360 / 7)
        x, y = math.cos(turn), math.sin(turn)
        ring += moved(bust(name, MOODS[index + 1]), place(WIDTH / 2 + 19.5 * x, HEIGHT / 2 + 19.5 * y, 7.4))
        small += moved(sign(name), place(14.0 + 6.0 * x, 13.5 + 6.0 * y, 1.9))
    stars = PATTERNS["red"](INNER, 6.0, "#3d3766")
    halo = [Shape(ellipse(14.0, 13.5, 8.9), fill=LIGHT, stroke=INK, width=0.6)]
    glow = [Shape(ellipse(WIDTH / 2, HEIGHT / 2, 10.0), stroke="#fbd22c", width=1.2)]
    return card(NIGHT, stars, [*glow, *ring], [*halo, *small])
