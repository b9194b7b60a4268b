"""The project's own print-and-play decks, drawn as vectors by code.

One drawing serves paper (PDF), browsers (SVG) and pixels (what the eyes learn from). Labels are those
that the eyes report: "red 4", "joker", "twin_phone".
"""

from __future__ import annotations

from companion.art.decks.registry import (
    card_back,
    card_labels,
    card_size,
    card_svg,
    deck_list,
    draw_card,
    drawing,
    drawn_games,
    title,
)
from companion.art.draw.raster import Pixels

__all__ = [
    "Pixels",
    "card_back",
    "card_labels",
    "card_size",
    "card_svg",
    "deck_list",
    "draw_card",
    "drawing",
    "drawn_games",
    "title",
]
