"""Distinguishes an enrolled card from a similar one that is not enrolled, on every route to a name.

The cards of a deck share a frame and differ in some blocks: numbers, pictures, colours. A card that is not
enrolled fits the most similar enrolled card in the shared blocks and less well in those; glare, blur and
noise make both worse alike. A card of the same print in another colour fits everywhere but for a turn of its
hues, which no lamp makes. A logistic function weighs this evidence; its weights and limit are fitted by
`python -m bench --fit strangers` (models/vision/strangers.json).
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Array, Floats
from companion.vision.match.descriptor import RectifiedCard, cells_of, colours_of
from companion.vision.match.open_set import shows_other_card
from companion.vision.match.score import CardMatch
from companion.vision.namer.network import FOLDER

FILE = FOLDER / "strangers.json"
NEIGHBOURS = 4
"""Most similar other cards by which a card's distinguishing blocks are found."""
LEAST_CHROMA = 0.2
"""Root mean square of the colour ratios of what is visible, below which its hues say nothing."""
LEAST_STRENGTH = 0.65
"""How strong the colours are against those of the look, below which their hues say nothing: a webcam shows
pale colours of any hue. Other cards of another colour had 0.84 and more."""
CAST = 0.35
"""Radians by which a lamp may turn hues. Blue cards of uno on a green cloth have 0.34 and 0.37; cards of the
same print in another colour 0.42 and more."""
LARGEST_CONTRAST = (-0.05, 0.3)
"""Bounds of the difference of costs; beyond them something covers the card."""
WHOLE_SHARE, PLAIN_FIT = 0.8, 0.85
"""Visible share and fit above which neither another card nor glare lies on a card, so wrong ink is another
card's. Three right cards under glare had a fit of 0.73 to 0.80, six similar cards that were not enrolled 0.89
to 0.93."""
EVIDENCE = ("one", "lead", "contrast", "turn", "distinct")
"""What is known of a match: a constant; its lead over the next card; by how much its distinguishing blocks
cost more than the shared ones, times 1 - lead (blocks full of detail always cost more); how far its hues are
turned, in radians; the logarithm of 1 + its distinct features."""


@dataclass(frozen=True)
class StrangerLimits:
    """Weights of EVIDENCE, and the log odds from which on a card is taken for one that is not enrolled."""

    weights: tuple[float, ...]
    least: float


@lru_cache(maxsize=1)
def stranger_limits() -> StrangerLimits:
    """The fitted limits."""
    found = json.loads(FILE.read_text())
    return StrangerLimits(tuple(float(found["weights"][name]) for name in EVIDENCE), float(found["least"]))


def is_stranger(deck: Deck, match: CardMatch, card: RectifiedCard) -> bool:
    """Whether a similar card that is not enrolled lies at a match's place; `card` is what is in its quad."""
    limits = stranger_limits()
    return float(stranger_evidence(deck, match, card) @ np.asarray(limits.weights)) > limits.least


def has_other_marks(deck: Deck, match: CardMatch, card: RectifiedCard, shown: Array, *, soft: bool) -> bool:
    """Whether the card in the quad has marks of its own colours in other places than the look (see
    match.open_set). `shown`: blocks that lie in the picture (BLOCKS,); `soft`: the picture is a webcam's."""
    plain = float(match.seen.mean()) > WHOLE_SHARE and match.fit > PLAIN_FIT
    if match.distinct and not plain:  # other cards or glare may cover it
        return False
    look = deck.looks[match.look]
    return shows_other_card(card, look, match.seen, shown, soft=soft, lead=match.lead)


def stranger_evidence(deck: Deck, match: CardMatch, card: RectifiedCard) -> Floats:
    """EVIDENCE (5,) of a match."""
    lead, distinct = min(match.lead, 1.0), math.log1p(match.distinct)
    turn = max(0.0, hue_turn(card, deck.looks[match.look], match.seen) - CAST)
    return np.array([1.0, lead, (1.0 - lead) * mark_contrast(deck, match), turn, distinct], np.float32)


def mark_contrast(deck: Deck, match: CardMatch) -> float:
    """By how much the visible blocks that distinguish the card from the most similar others cost more than
    those that it shares with them."""
    others = np.flatnonzero(deck.cards != deck.cards[match.look])
    if not len(others):
        return 0.0
    apart = deck.block_differences(match.look, others)
    near = apart[np.argsort(apart.mean(axis=1))[:NEIGHBOURS]].mean(axis=0)
    own, shared = near**2 * match.seen, np.maximum(1.0 - near, 0.0) ** 4 * match.seen
    if own.sum() < 1e-6 or shared.sum() < 1e-6:
        return 0.0
    contrast = float((own * match.costs).sum() / own.sum() - (shared * match.costs).sum() / shared.sum())
    return float(np.clip(contrast, *LARGEST_CONTRAST))


def hue_turn(card: RectifiedCard, look: Array, seen: Array) -> float:
    """The angle (0 to pi) by which the colour ratios of the visible blocks are turned against those of the
    look, about grey; 0 where there is too little colour, or all colours are pale."""
    own, wanted = _complex(card.cell_colours), _complex(colours_of(np.asarray(look, np.uint8)))
    weight = cells_of(seen)
    strength = float((weight * np.abs(wanted) ** 2).sum())
    turned = complex((weight * np.conj(wanted) * own).sum())
    pale = abs(turned) < LEAST_STRENGTH * strength
    if pale or strength < LEAST_CHROMA**2 * max(1.0, float(weight.sum())):
        return 0.0
    return abs(float(np.angle(turned)))


def _complex(colour: Floats) -> Array:
    """Two colour ratios as one complex number."""
    return np.asarray(colour[..., 0] + 1j * colour[..., 1])
