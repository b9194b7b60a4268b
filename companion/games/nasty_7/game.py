"""The Nasty 7 as the rest of the companion knows it."""

from __future__ import annotations

from companion.games.game import Game, Hearing, card_words
from companion.games.nasty_7.rules import Nasty7
from companion.games.nasty_7.spotter import Nasty7Spotter
from companion.games.zone import Zone

CARDS = {"racketeer": 44, "twin_racketeer": 22, "phone": 20, "twin_phone": 10, "gun": 14}
"""The published box says 110 cards and not how many of each kind. Ours: so that the count keeps moving, four
in ten are a plain racketeer, twins skip somebody every third card or so, and a gun is rare enough to
surprise."""

GAME = Game(
    package="companion.games.nasty_7",
    rulebook=Nasty7(),
    spotter=Nasty7Spotter,
    fewest_points_win=True,
    hearing=Hearing(),
    watcher="landings",
    zones=(Zone("pile", "the pile"),),
    cards=CARDS,
    drawing="companion.art.decks.nasty_7",
    words=card_words(CARDS),
    page=True,
)
