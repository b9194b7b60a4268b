"""Seven Merry Monsters: seven monsters with the numbers 1 to 7 and eleven jokers, 60 cards.

A covered card of a display shows its top third: the number, the sign and the patterned ground, which is
why these three are large.
"""

from __future__ import annotations

import math

from companion.art.decks.digits import number, number_width
from companion.art.decks.faces import MOODS
from companion.art.decks.frame import HEIGHT, INNER, SIZE, WIDTH, card, halo
from companion.art.decks.frame import back as card_back
from companion.art.decks.monsters import NAMES, bust, monster, sign
from companion.art.draw.palette import INK, LIGHT, MONSTERS, NIGHT, mix
from companion.art.draw.patterns import PATTERNS, diamonds
from companion.art.draw.vector import Drawing, Node, Shape, ellipse, moved, place, rounded

CARD_MM = SIZE
GOLD = "#fbd22c"
FIGURE = 14.5
"""Height of the number in mm."""


def draw(label: str) -> Drawing:
    """The card of a label."""
    if label == "joker":
        return _joker()
    name, value = label.split()
    return _monster(name, int(value))


def back() -> Drawing:
    """Seven pairs of eyes in the dark, once each way up."""
    places = [(13, 12), (33, 10), (50, 17), (20, 24), (41, 30), (11, 36), (28, 38)]
    eyes: list[Node] = []
    for index, (x, y) in enumerate(places):
        tone = MONSTERS[NAMES[index]]
        for side in (-1, 1):
            eyes.append(Shape(ellipse(x + side * 3.1, y, 2.7), fill=LIGHT, stroke=tone.body, width=0.9))
            eyes.append(Shape(ellipse(x + side * 3.1 + 0.5, y + 0.6, 1.2), fill=INK))
    return card_back(NIGHT, diamonds(INNER, 10.0, "#37325c"), eyes)


def _monster(name: str, value: int) -> Drawing:
    tone = MONSTERS[name]
    pattern = PATTERNS[name](INNER, 8.0, tone.faint)
    shade = Shape(ellipse(WIDTH / 2, HEIGHT / 2 + 20.0, 16.0, 2.6), fill=mix(tone.faint, tone.deep, 0.45))
    middle = moved(monster(name, value), place(WIDTH / 2, HEIGHT / 2 + 1.8, 16.6))
    figure = number(value, 8.8, 8.8, FIGURE, ink=INK, light=LIGHT)
    left = 8.8 + number_width(value, FIGURE) + 4.2 + 6.4
    small = moved(sign(name), place(left, 13.6, 6.3))
    return card(tone.ground, pattern, [shade, *halo(middle, 1.4), *middle], [*figure, *small])


def _joker() -> Drawing:
    ring: list[Node] = []
    small: list[Node] = []
    for index, name in enumerate(NAMES):
        turn = math.radians(-90 + index * 360 / 7)
        x, y = math.cos(turn), math.sin(turn)
        ring += moved(bust(name, MOODS[index + 1]), place(WIDTH / 2 + 20.0 * x, HEIGHT / 2 + 20.0 * y, 7.2))
        small += moved(sign(name), place(12.6 + 5.2 * x, 12.6 + 5.2 * y, 1.75))
    motley = diamonds(INNER, 10.0, "#3d3766")
    disc = [Shape(ellipse(12.6, 12.6, 7.8), fill=LIGHT, stroke=INK, width=0.6)]
    hoop = Shape(ellipse(WIDTH / 2, HEIGHT / 2, 20.0), stroke=GOLD, width=1.2)
    return card(NIGHT, motley, [hoop, *_sun(), *halo(ring, 1.0), *ring], [*disc, *small])


def _sun() -> list[Node]:
    """Seven rays in the middle of the ring."""
    points = []
    for index in range(14):
        turn = math.radians(-90 + index * 180 / 7)
        radius = 9.0 if index % 2 == 0 else 4.4
        points.append((WIDTH / 2 + radius * math.cos(turn), HEIGHT / 2 + radius * math.sin(turn)))
    return [Shape(rounded(points, 1.0), fill=GOLD, stroke=INK, width=0.8)]
