"""Bugs & Co as the rest of the companion knows it."""

from __future__ import annotations

from companion.games.bugs_and_co.rules import BugsAndCo
from companion.games.bugs_and_co.spotter import BugsAndCoSpotter
from companion.games.bugs_and_co.state import SAME, tile_points
from companion.games.game import Game, Hearing, card_words

TWO_EYES = (
    *("spiral", "antenna", "claw", "wing", "shell", "spike", "worm", "spider", "squid", "bat", "mushroom"),
    *("flame", "crystal", "ant", "fish"),
)
ONE_EYE = ("ring", "tadpole", "tower", "slug", "cactus")
THREE_EYES = ("clover", "tripod", "crown", "caterpillar", "gem_bug")
TILES = dict.fromkeys((*TWO_EYES, *ONE_EYE, *THREE_EYES), SAME)
"""The symbols are named by us: an owner's tiles have the names that the owner gives them."""

GAME = Game(
    package="companion.games.bugs_and_co",
    rulebook=BugsAndCo(),
    spotter=BugsAndCoSpotter,
    uses_buttons=True,
    hearing=Hearing(words="countdown", one_by_one=True, only_with=("countdown", "heard")),
    cards=TILES,
    card_shape="square",
    drawing="companion.art.decks.bugs_and_co",
    words=card_words(TILES),
    without={"microphone": {"countdown": "companion"}},
    photographed="tiles",
    tile_points=tile_points,
    page=True,
)
