"""13 Monsters as the rest of the companion knows it."""

from __future__ import annotations

from companion.games.game import Game
from companion.games.thirteen_monsters.rules import ThirteenMonsters
from companion.games.thirteen_monsters.sets import HEALTH, KINDS, PARTS
from companion.games.thirteen_monsters.spotter import ThirteenMonstersSpotter
from companion.games.thirteen_monsters.state import POWERS, ThirteenMonstersSettings
from companion.games.zone import Zone

CARDS = {
    f"{number} {part} {side}": 1
    for number in range(1, KINDS + 1)
    for part in PARTS
    for side in ("left", "right")
}

GAME = Game(
    package="companion.games.thirteen_monsters",
    rulebook=ThirteenMonsters(),
    spotter=ThirteenMonstersSpotter,
    watcher="grid_and_dice",
    zones=(Zone("dice", "the dice", ((0.8, 0.0), (1.0, 0.0), (1.0, 1.0), (0.8, 1.0)), beside_mat=True),),
    cards=CARDS,
    drawing="companion.art.decks.thirteen_monsters",
    words=(*dict.fromkeys(ThirteenMonstersSettings().elements), *PARTS, *HEALTH, *POWERS),
    photographed="dice",
    page=True,
)
