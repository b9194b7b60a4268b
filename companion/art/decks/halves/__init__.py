"""The parts of the thirteen monsters: tops, eyes and bottoms that fit on each other in any mixture.

A part is drawn over two cards side by side: x from -44 to 44 mm, y from 0 (top of the cards) to 56. The head
is as wide at y = 56 of every top and y = 0 and 56 of every eye part as at y = 0 of every bottom, so that any
top, any eyes and any bottom meet.
"""

from __future__ import annotations

from companion.art.decks.halves.bottoms import BOTTOMS
from companion.art.decks.halves.eyes import EYES
from companion.art.decks.halves.tops import TOPS

__all__ = ["BOTTOMS", "EYES", "TOPS"]
