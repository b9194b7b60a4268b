"""Which games there are evenings of, and what each needs to be drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bench.evenings import bugs, dice, merry, nasty_7, thirteen, trio
from bench.evenings.evening import Properties
from bench.evenings.script import Script


@dataclass(frozen=True)
class Kind:
    """Evenings of one game."""

    script: Callable[[int], Script]
    """The game of a seed."""
    properties: Callable[[], Properties] = Properties


KINDS = {
    "seven_merry_monsters": Kind(merry.script),
    "nasty_7": Kind(nasty_7.script),
    "trio_monsters": Kind(trio.script),
    "bugs_and_co": Kind(bugs.script),
    "thirteen_monsters": Kind(thirteen.script, lambda: Properties(dice.DiceScene, dice.deck())),
}
"""By the game's name."""
