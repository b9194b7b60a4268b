"""Trio Monsters as the rest of the companion knows it."""

from __future__ import annotations

from companion.games.game import Game, card_words
from companion.games.trio_monsters.photo import compare
from companion.games.trio_monsters.rules import TrioMonsters
from companion.games.trio_monsters.spotter import TrioMonstersSpotter
from companion.games.zone import Zone

CARDS = {
    **dict.fromkeys(("red", "orange", "yellow", "green", "blue", "purple", "pink"), 8),
    "black": 4,
}
"""The published box holds 60 cards; how many of each colour is not printed in the rules. The numbers are
ours."""

GAME = Game(
    package="companion.games.trio_monsters",
    rulebook=TrioMonsters(),
    spotter=TrioMonstersSpotter,
    watcher="lattice",
    zones=(Zone("table", "the triangles"),),
    cards=CARDS,
    card_shape="triangle",
    drawing="companion.art.decks.trio_monsters",
    words=card_words(CARDS),
    photographed="lattice",
    compare_lattice=compare,
    page=True,
)
