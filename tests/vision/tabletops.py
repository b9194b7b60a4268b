"""Small rendered tables for the tests of landings, and a watcher that is led through them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from companion import art
from companion.art.draw.raster import Pixels
from companion.art.scene import Conditions, Placed, Scene, View
from companion.art.scene.play import Move, Performance
from companion.core.observations import Landing, Removal, Sighting, Watched
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.tracking.landing import LandingWatcher

FPS = 10.0
WHOLE = {"pile": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}
VIEW = View(width=960, height=540, span=420.0, tilt=8.0)
LIGHT = Conditions("cloth", 1.0, (1.03, 1.0, 0.97), 0.2, blur=0.4, noise=2.5, jpeg=100, worn=0.4)


@cache
def drawn_deck(game: str) -> Deck:
    """The deck that comes with the companion, otherwise enrolled from the drawings of its cards."""
    shipped = Path(__file__).parents[2] / "models" / "decks" / game
    if (shipped / "deck.npz").is_file():
        return Deck.load(shipped)
    labels = art.card_labels(game)
    return enrol_pictures(game, labels, [art.draw_card(game, label, 440) for label in labels]).deck


@cache
def scene() -> Scene:
    """A table for The Nasty 7."""
    return Scene("nasty_7", VIEW, LIGHT, np.random.default_rng(5))


class Led:
    """A watcher, what it has told, and the time."""

    def __init__(self, zones: dict[str, list[tuple[float, float]]] | None = None) -> None:
        self.watcher = LandingWatcher(drawn_deck("nasty_7"), zones or WHOLE)
        self.t = 100.0
        self.told: list[Landing] = []
        self.removed: list[Removal] = []
        self.told_at: list[float] = []
        self.mark = 0.0
        self.behind = 0.0

    @property
    def labels(self) -> list[str | None]:
        """What landed, in the order in which it was told."""
        return [one.sighting.label if one.sighting else None for one in self.told]

    @property
    def lying(self) -> list[str]:
        """What lies on the table, sorted."""
        return sorted(card.label for card in self.watcher.lying)

    def card(self, index: int) -> Sighting:
        """The sighting of a landing."""
        sighting = self.told[index].sighting
        assert sighting is not None
        return sighting

    def see(self, images: Iterable[Pixels]) -> Led:
        """Shows pictures, ten a second; watermarks never go back and never overtake a landing."""
        for image in images:
            for seen in self.watcher.feed(image, self.t):
                if isinstance(seen, Watched):
                    assert self.mark <= seen.t <= self.t
                    self.mark = seen.t
                elif isinstance(seen, Removal):
                    self.removed.append(seen)
                else:
                    self.told.append(seen)
                    self.told_at.append(self.t)
            self.behind = max(self.behind, self.t - self.mark)
            self.t += 1.0 / FPS
        return self

    def table(self, cards: Sequence[Placed], seconds: float = 0.7) -> Led:
        """Shows a table on which nothing moves."""
        return self.see(scene().render(cards).image for _ in range(round(seconds * FPS)))

    def play(self, moves: Sequence[Move], start: Sequence[Placed] = (), seconds: float = 0.0) -> Led:
        """Shows moves until the last hand has left, and a little longer."""
        shown = Performance(scene(), moves, np.random.default_rng(3), start)
        length = seconds or shown.seconds + 0.8
        return self.see(shown.frame(i / FPS).image for i in range(round(length * FPS)))
