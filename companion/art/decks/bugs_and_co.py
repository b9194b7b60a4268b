"""Bugs & Co: 25 creatures with one, two or three eyes on round tiles, three tiles of each.

The outline alone identifies the creature of a tile; the colours of the three tiles of a kind do not
matter to the game. Names are ours: an owner's tiles have the names that the owner gives them.
"""

from __future__ import annotations

from companion.art.decks.frame import halo
from companion.art.decks.glyphs import GLYPHS, glyph
from companion.art.draw.palette import INK, MONSTERS, NIGHT, PAPER
from companion.art.draw.patterns import dots
from companion.art.draw.vector import Clip, Drawing, Node, Shape, ellipse, moved, place

TILE = 42.0
"""Diameter of a tile in mm."""
CARD_MM = (TILE, TILE)
_MIDDLE = (TILE / 2, TILE / 2)


def eyes(label: str) -> int:
    """How many eyes the creature has."""
    return len(GLYPHS[label].eyes)


def draw(label: str) -> Drawing:
    """The tile of a label."""
    tones = list(MONSTERS.values())
    place_in_box = list(GLYPHS).index(label)
    tone, ground = tones[place_in_box % 7], tones[(place_in_box * 3 + 2) % 7]
    if ground is tone:
        ground = tones[(place_in_box + 3) % 7]
    creature = moved(glyph(label, tone.body), place(*_MIDDLE, 13.2))
    return _tile(ground.ground, [*halo(creature, 0.9), *creature])


def back() -> Drawing:
    """Dots in the dark."""
    return _tile(NIGHT, [], dots((0.0, 0.0, TILE, TILE), 5.0, "#3d3766"))


def _tile(ground: str, nodes: list[Node], pattern: list[Shape] | None = None) -> Drawing:
    field = ellipse(*_MIDDLE, TILE / 2 - 1.8)
    return Drawing(
        TILE,
        TILE,
        (
            Shape(ellipse(*_MIDDLE, TILE / 2), fill=PAPER, stroke="#bbbbbb", width=0.15),
            Shape(field, fill=ground),
            Clip(field, tuple(pattern or ())),
            *nodes,
            Shape(field, stroke=INK, width=0.5),
        ),
        ellipse(*_MIDDLE, TILE / 2),
    )
