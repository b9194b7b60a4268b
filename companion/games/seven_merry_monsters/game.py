"""Seven Merry Monsters as the rest of the companion knows it."""

from __future__ import annotations

from companion.games.game import Game, card_words
from companion.games.seven_merry_monsters.rules import SevenMerryMonsters
from companion.games.seven_merry_monsters.spotter import SevenMerryMonstersSpotter
from companion.games.seven_merry_monsters.state import (
    JOKER,
    JOKERS,
    MONSTERS,
    PER_MONSTER,
    display_points,
)
from companion.games.zone import Zone

CARDS = {
    **{f"{monster} {number}": 1 for monster in MONSTERS for number in range(1, PER_MONSTER + 1)},
    JOKER: JOKERS,
}

GAME = Game(
    package="companion.games.seven_merry_monsters",
    rulebook=SevenMerryMonsters(),
    spotter=SevenMerryMonstersSpotter,
    watcher="landings",
    zones=(
        Zone("trick", "the trick", ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))),
        Zone("display", "the display", each_player=True),
    ),
    cards=CARDS,
    joker=JOKER,
    drawing="companion.art.decks.seven_merry_monsters",
    words=card_words(CARDS),
    without={"camera": {"tracking": "scan"}},
    photographed="display",
    display_points=display_points,
    page=True,
)
