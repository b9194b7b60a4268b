"""What a photographed table of triangles shows, compared with the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from companion.core.observations import LatticeCard
from companion.games.spotter import GameView

Place = tuple[int, int]
"""Row and column on the game's table."""
PhotoKind = Literal["known", "new", "unsure", "differs", "lost"]
"""Known to the game; new; not certain; different from the game; at no valid place."""


class ComparedLattice(msgspec.Struct, frozen=True):
    """The cards of a photograph by kind, at their places on the game's table."""

    matched: bool
    """Whether the known cards were found; if not, no place is valid."""
    cards: Mapping[PhotoKind, Mapping[Place, LatticeCard]]
    """The new cards are in an order in which they can have been laid."""
    ordered: bool
    """Whether the rules allow only that order."""
    missing: Mapping[Place, str]
    """Known cards that the photograph does not show."""


LatticeComparison = Callable[[Sequence[LatticeCard], Sequence[LatticeCard], GameView], ComparedLattice]
"""(certain cards, uncertain cards, game) -> the photograph compared with the game."""
