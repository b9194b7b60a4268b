"""The table of Trio Monsters: house rules, the cards on the table, the state of a game."""

from __future__ import annotations

import msgspec

from companion.core.errors import BadSetting
from companion.games.contract.fields import Setup

BLACK = "black"
START = (0, 0)
HAND = 3
"""Cards in a hand at the start of a turn (TRIO-3, TRIO-8)."""
CHAIN = 4
"""Length from which a chain of one colour is caught (TRIO-12)."""


class TrioMonstersSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules of Trio Monsters."""

    deck_size: int = 60
    """Cards in the deck (TRIO-2)."""
    colours: tuple[str, ...] | None = None
    """The colours enrolled; empty: any."""
    black_follows_colour_rule: bool = True
    """Black is laid next to black, as any colour (TRIO-R4); off: anywhere."""
    black_counts_as_colour: bool = True
    """A black neighbour may be one of the three colours round a black monster (TRIO-R5)."""
    first_player: str | None = None
    """Begins: the youngest (TRIO-5)."""

    def __post_init__(self) -> None:
        colours = self.colours
        if colours is not None and (not colours or len(set(colours)) != len(colours) or "" in colours):
            raise BadSetting("setting.colours")


class TrioMonstersState(msgspec.Struct, frozen=True):
    """One game of Trio Monsters at one moment."""

    setup: Setup
    phase: str
    turn: str | None
    laid: int
    """Cards laid this turn."""
    draw_pile: int
    hands: tuple[int, ...]
    won: tuple[int, ...]
    table: dict[int, str]
    """Cell (companion.games.trio_monsters.cells) -> colour of the card there, in the order of laying. Never
    changed in place."""
    time: float
