"""Selects the card matches that stand: every part of the picture is explained by one card only.

Matches are taken in the order of the marks they explain. A match stands if it explains marks that no stronger
match explains and leads over every other card at the same place, and if the verifier does not find that
another card lies there."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from companion.vision.cards.compare import winner
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match.score import CardMatch, is_acceptable
from companion.vision.match.suppression import ExplainedMap, by_strength, same_place, unexplained_blocks
from companion.vision.namer.network import FOLDER
from companion.vision.verifier.network import ABOUT

LEAST_LEAD = 0.03
"""Least lead of a match over another card's match of the same place, in the blocks in which they differ."""
LEAST_GAIN = 3.5
"""Marks that a card must explain which no other card explains."""
SAME_PART = 0.5
"""Share of the smaller of two quads that both cover from which on they are about one card."""
LEAST_FIT, MOST_READINGS = 0.45, 4
"""Fit from which the verifier is asked about a match that nothing else names, and matches of a place that it
is asked about, those that explain most."""


EVIDENCE = ("one", "log_odds", "lead", "share")
"""What is known of a match when it may be of a card that is not enrolled: a constant; the verifier's log
odds; its lead over the next card; its visible share. Less of a card gives lower log odds of the right one as
well."""


@dataclass(frozen=True)
class MatchLimits:
    """`weights` of EVIDENCE give the log odds that a match is wrong; from `refused` on it is refused. A match
    that nothing else names is named from the verifier's log odds `alone` on."""

    weights: tuple[float, ...]
    refused: float
    alone: float

    def refuses(self, match: CardMatch) -> bool:
        """Whether another card lies there, which is not enrolled."""
        return float(match_evidence(match) @ np.array(self.weights)) > self.refused


def match_evidence(match: CardMatch) -> Floats:
    """EVIDENCE (4,) of a match that the verifier was asked about."""
    return np.array([1.0, match.log_odds, min(match.lead, 1.0), match.seen.mean()], np.float32)


@lru_cache(maxsize=1)
def match_limits() -> MatchLimits:
    """The fitted limits (`python -m bench --fit verifier`)."""
    found = json.loads((FOLDER / ABOUT).read_text())["matches"]
    weights = tuple(float(found["weights"][name]) for name in EVIDENCE)
    return MatchLimits(weights, float(found["refused"]), float(found["alone"]))


Verify = Callable[[Sequence[CardMatch]], Floats]
"""Gives the log odds (n,) that each match is right and nothing else (see companion.vision.verifier)."""


def select_matches(
    deck: Deck,
    found: Sequence[CardMatch],
    shape: tuple[int, ...],
    verify: Verify | None = None,
    limits: MatchLimits | None = None,
) -> list[CardMatch]:
    """The matches that stand, strongest first, each part of the picture explained once.

    Args:
        deck: the enrolled cards.
        found: all matches, also several of one place.
        shape: of the picture, height first.
        verify: asks the verifier, which also refuses cards that are not enrolled. None: it is not asked.
        limits: of the verifier; the fitted ones if none are given.
    """
    explained = ExplainedMap(shape)
    limits = match_limits() if limits is None else limits
    accepted: list[CardMatch] = []
    refused: list[CardMatch] = []
    waiting = by_strength(found)
    while waiting and waiting[0].gain > 0:
        here = [j for j in waiting if same_place(waiting[0].quad, j.quad, 0.25)]
        waiting = [j for j in waiting if not any(j is other for other in here)]
        best = _standing(deck, here, verify, limits, refused)
        if best is not None and _adds(best, explained):
            accepted.append(best)
            explained.add(best)
    return accepted


def _standing(
    deck: Deck,
    here: Sequence[CardMatch],
    verify: Verify | None,
    limits: MatchLimits,
    refused: list[CardMatch],
) -> CardMatch | None:
    """The match of one place that stands, with its log odds; None if none does. What is refused is added to
    `refused`: its label is not given to that part of the picture by another match either."""
    best, lead = winner(deck, sorted(here, key=lambda j: not is_acceptable(j)))
    named = is_acceptable(best) and (lead > LEAST_LEAD or best.distinct > 0)
    if verify is None:
        return best if named else None
    if named:
        asked = replace(best, log_odds=float(verify([best])[0]))
        if not limits.refuses(asked):
            return asked
        refused.append(asked)
    readings: dict[str, CardMatch] = {}
    for match in here:
        if match.fit > LEAST_FIT and not any(_is_same_card(match, other) for other in refused):
            readings.setdefault(match.label, match)
    likeliest = list(readings.values())[:MOST_READINGS]
    if not likeliest:
        return None
    log_odds = verify(likeliest)
    first = int(log_odds.argmax())
    if log_odds[first] <= limits.alone:
        return None
    return replace(likeliest[first], log_odds=float(log_odds[first]))


def _is_same_card(one: CardMatch, other: CardMatch) -> bool:
    """Whether two matches give one part of the picture the same name."""
    return one.label == other.label and geometry.shared_part(one.quad, other.quad) > SAME_PART


def _adds(match: CardMatch, explained: ExplainedMap) -> bool:
    """Whether a match explains enough that no stronger one does."""
    fresh = unexplained_blocks(match, explained.explained_share(match.quad))
    share, least = (0.35, 0.5) if match.distinct else (0.6, LEAST_GAIN)
    return bool(fresh.sum() >= share * match.seen.sum() and match.gain_of(fresh) > least)
