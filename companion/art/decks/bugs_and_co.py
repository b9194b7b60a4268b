"""Bugs & Co: 25 creatures with one, two or three eyes on round tiles, three tiles of each.

Which creature a tile shows is told by its outline alone; the colours of the three tiles of a kind do not
matter to the game. Names are ours: an owner's tiles have the names that the owner gives them.
"""

from __future__ import annotations

from companion.art.decks.frame import halo
from companion.art.decks.glyphs import GLYPHS, glyph
from companion.art.draw.palette import INK, MONSTERS, NIGHT, PAPER
from companion.art.draw.patterns import dots
from companion.art.draw.vector import Clip, Drawing, Node, Shape, ellipse, moved, place

TITLE = "Bugs & Co"
TILE = 42.0
"""Diameter of a tile in mm."""
CARD_MM = (TILE, TILE)
COPIES = 3
_MIDDLE = (TILE / 2, TILE / 2)


def labels() -> tuple[str, ...]:
    """The 15 creatures with two eyes, then five with one, then five with three."""
    return tuple(GLYPHS)


def eyes(label: str) -> int:
    """How many eyes the creature has."""
    return len(GLYPHS[label].eyes)


def copies(label: str) -> int:
    """How often the tile is in the box."""
    return COPIES


def draw(label: str) -> Drawing:
    """The tile of a label of `labels()`."""
    tones = list(MONSTERS.values())
    place_in_box = labels().index(label)
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
