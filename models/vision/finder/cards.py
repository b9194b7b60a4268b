"""Invented decks for training pictures of displays: monsters with numbers, a joker, worn cards. The decks are
those of the namer (models/vision/namer/made_decks.py), many of them pale."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.vision.finder.grounds import Floats, Rng
from models.vision.namer.made_decks import MOTIFS, DeckSources, DeckStyle, drawn_card, pale, random_style

CARD_WIDTH = 132
"""Width in pixels of a drawn card."""
PALE = 0.4
"""Share of decks with pale cards."""
NUMBERS = 7
ASPECTS, CORNERS = (1.3, 1.62), (0.0, 0.09)
"""Lengths of cards in widths, and radii of their corners in card widths."""
LIGHT, TINT = (0.0, 0.05), (0.0, 0.04)
"""Deviations of the light and of the colour of the cards of one deck, which were not used alike."""


@dataclass(frozen=True, eq=False)
class InventedDeck:
    """A deck as it is drawn. `height`: pixels of a card; `corner`: the radius of its corners in card widths;
    `light`, `tint`: deviations between its cards; `is_pale`: whether its cards are of one light colour."""

    sources: DeckSources
    seed: int
    style: DeckStyle
    joker: DeckStyle
    height: int
    corner: float
    light: float
    tint: float
    is_pale: bool

    def card(self, monster: int, rng: Rng, *, may_be_joker: bool) -> Floats:
        """A random card (height, CARD_WIDTH, 3) of a monster, any way round, at times a joker."""
        style = self.joker if may_be_joker and rng.random() < 0.2 else self.style
        group, number = monster % len(style.colours), int(rng.integers(NUMBERS))
        own = np.random.default_rng([self.seed, group, number])
        drawn = drawn_card(style, group, number, own, self.sources)
        small = cv2.resize(drawn, (CARD_WIDTH, self.height), interpolation=cv2.INTER_AREA)
        worn = np.exp(rng.normal(0, self.light) + rng.normal(0, self.tint, 3))
        face = np.asarray(small * worn.astype(np.float32), np.float32)
        return np.ascontiguousarray(face[::-1, ::-1]) if rng.random() < 0.5 else face


def random_deck(rng: Rng, sources: DeckSources) -> InventedDeck:
    """A deck that nobody has seen."""
    style, is_pale = random_style(rng, sources), bool(rng.random() < PALE)
    joker = replace(style, motif=str(rng.choice(MOTIFS)), texture=style.texture + 1)
    if rng.random() < 0.5:
        joker = replace(joker, ground=str(rng.choice(["group", "white", "photograph"])))
    if is_pale:
        style = pale(style, rng)
        joker = pale(joker, rng) if rng.random() < 0.5 else joker
    return InventedDeck(
        sources=sources,
        seed=int(rng.integers(1 << 30)),
        style=style,
        joker=joker,
        height=round(CARD_WIDTH * float(rng.uniform(*ASPECTS))),
        corner=float(rng.uniform(*CORNERS)),
        light=float(rng.uniform(*LIGHT)),
        tint=float(rng.uniform(*TINT)),
        is_pale=is_pale,
    )
