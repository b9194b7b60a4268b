"""Finds covered cards of a column by the end that still shows.

Flat number cards have too few features to be found once half covered. But one known card of a column
determines where the card below it must be: moved along its long side by a part of its height that is not
known, and a little to the side. The end of every card of the deck, as normalised light, is therefore searched
for in the stripe of the picture beyond the known card (normalised cross-correlation; Lewis, "Fast normalized
cross-correlation", 1995). About the best places the strip is read (cards.strips); fitted limits decide
whether it is named. Only what nothing else explains counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.cards import edges
from companion.vision.cards.evaluator import Evaluator
from companion.vision.cards.strips import JUDGED, StripReader, strip_evidence
from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match import descriptor
from companion.vision.match.score import CardMatch, blocks_outside
from companion.vision.match.suppression import ExplainedMap, same_place
from companion.vision.verifier.limits import verifier_limits

WIDTH, HEIGHT = descriptor.WIDTH, descriptor.HEIGHT
END_ROWS = (13, 20)
"""Rows (of 72) of a card's end that are searched for: a fifth, and more than a quarter of the card."""
SIDE_COLUMNS = 9
"""Columns (of 48) that a covered card may be to either side."""
LEAST_VISIBLE_ROWS = 8
"""Rows that a covered card must stick out at least."""
MOST_SCORED = 4
"""Ends that are followed up."""
MOST_STARTS = 3
"""Places about which cards are compared."""
LEAST_CORRELATION = 0.45
"""Least correlation of a place that is evaluated; what is no card of the deck stays below 0.4."""
MOST_FOLLOWED = 16
"""Ends that are compared exactly after a coarse comparison with all of them."""
_SIDE_SHARE = SIDE_COLUMNS / WIDTH
_STRIPE = geometry.rectangle(-_SIDE_SHARE, -1, 1 + _SIDE_SHARE, 0)
"""The stripe above the unit card."""


@dataclass(frozen=True)
class EndPlace:
    """Where the end of a look was found: how well it fits (-1 to 1) and the quad of the whole card."""

    fit: float
    look: int
    quad: Floats
    turned: bool
    """The end is the card's bottom."""


@dataclass(frozen=True, eq=False)
class EndScan:
    """Where in a stripe the ends of so many `rows` seem to be: of every end (as in EndTemplates) the best
    place, as an index into lines of `across` places, and how well it fits there (-1 to 1)."""

    rows: int
    across: int
    at: Array
    best: Floats


class EndFinder:
    """Looks for the ends of covered cards in one picture. The deck must suit the networks."""

    def __init__(self, evaluator: Evaluator, deck: Deck, explained: ExplainedMap) -> None:
        """`explained` is kept up to date by the caller."""
        self._evaluator = evaluator
        self._deck = deck
        self._explained = explained
        self._strips = StripReader(evaluator.scene, deck, explained)

    def find(self, card: CardMatch, side: int) -> CardMatch | None:
        """The card that lies under `card`, sticking out at its top (`side` -1) or bottom (1)."""
        strip = self.strip(card, side)
        if not strip:
            return None
        naming = verifier_limits().strips
        probabilities = naming.model.probabilities(strip_evidence(strip))
        at = int(probabilities.argmax())
        if probabilities[at] <= naming.limit.probability(self._deck.enrolled.likeness_of_ends):
            return None
        named = replace(strip[at], probability=float(probabilities[at]))
        return replace(self._evaluator.matched(named), seen=self._visible_blocks(named.quad))

    def strip(self, card: CardMatch, side: int) -> tuple[VerifiedCard, ...]:
        """The cards that may stick out from under `card` at that side; none if nothing does."""
        pose = card.quad if side < 0 else geometry.rotated_half_turn(card.quad)
        if not edges.has_edge_pair(self._evaluator.scene, pose):
            return ()
        starts = _distinct_starts(list(self._candidates(pose)))
        return self._strips.read(starts, card.quad).cards(JUDGED)

    def _visible_blocks(self, quad: Floats) -> Array:
        """The blocks of a place that are in the picture and under no known card (BLOCKS,), bool."""
        outside = blocks_outside(quad, self._evaluator.scene.image.shape)
        return np.asarray((self._explained.explained_share(quad) < 0.5) & ~outside)

    def _candidates(self, pose: Floats) -> Iterator[EndPlace]:
        """The most likely places that no known card explains, best first."""
        tried: list[EndPlace] = []
        for place in sorted(self._places(pose), key=lambda place: place.fit, reverse=True):
            if place.fit < LEAST_CORRELATION or len(tried) == MOST_SCORED:
                return
            if not self._explained_already(place) and not any(
                _is_same_place(place, other) for other in tried
            ):
                tried.append(place)
                yield place

    def _places(self, card: Floats) -> list[EndPlace]:
        """Where above `card` the ends of looks fit best, at most one place for each look and orientation."""
        onto = geometry.homography(geometry.UNIT, card)
        stripe = self._evaluator.scene.warped(
            geometry.transform(_STRIPE, onto), WIDTH + 2 * SIDE_COLUMNS, HEIGHT
        )
        light = descriptor.normalised_light(stripe)
        places: dict[tuple[int, bool], EndPlace] = {}
        half = (light.shape[1] // 2, light.shape[0] // 2)
        small = np.asarray(cv2.resize(light, half, interpolation=cv2.INTER_AREA), np.float32)
        glances = [self._scan(small, rows) for rows in END_ROWS]
        for look, turned, rows, at in _best_ends(glances):
            template = self._light(look, turned)[1:rows, 1:-1]
            y, x = max(0, at[0] - 2), max(0, at[1] - 2)
            window = light[y : at[0] + 3 + rows, x : at[1] + 3 + WIDTH]
            if window.shape[0] < template.shape[0] or window.shape[1] < template.shape[1]:
                continue
            fits = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
            _, fit, _, (right, down) = cv2.minMaxLoc(fits)
            offset = np.array(
                [(x + right - 1 - SIDE_COLUMNS) / WIDTH, (y + down - 1) / HEIGHT - 1.0], np.float32
            )
            if (y + down) > HEIGHT - LEAST_VISIBLE_ROWS:
                continue
            known = places.get((look, turned))
            if known is None or known.fit < fit:
                quad = geometry.transform(geometry.UNIT + offset, onto)
                places[look, turned] = EndPlace(
                    float(fit), look, geometry.rotated_half_turn(quad) if turned else quad, turned
                )
        return list(places.values())

    def _light(self, look: int, turned: bool) -> Floats:
        light = self._deck.light_template(look).light
        return np.asarray(light[::-1, ::-1] if turned else light)

    def _scan(self, small: Floats, rows: int) -> EndScan:
        """The ends of that many rows compared with every place of the stripe, at half the size."""
        bank = self._deck.end_templates(rows)
        windows = np.lib.stride_tricks.sliding_window_view(small, bank.size)
        down, across = windows.shape[:2]
        down = min(down, (HEIGHT - LEAST_VISIBLE_ROWS) // 2 + 1)
        flat = windows[:down].reshape(down * across, -1)
        sums, squares = flat.sum(axis=1), np.einsum("ij,ij->i", flat, flat)
        deviation = np.sqrt(np.maximum(squares - sums * sums / flat.shape[1], 0.0))
        # The ends have mean 0, so that of a place need not be subtracted.
        fits = (flat @ bank.values.T) / (deviation + 0.5)[:, None]
        at = fits.argmax(axis=0)
        return EndScan(rows, across, at, np.take_along_axis(fits, at[None], 0)[0])

    def _explained_already(self, place: EndPlace) -> bool:
        """Whether the end that was found belongs to a card that is known."""
        rows = descriptor.COLUMNS * (END_ROWS[0] // descriptor.SIDE)
        blocks = self._explained.explained_share(place.quad)
        end = blocks[-rows:] if place.turned else blocks[:rows]
        return bool(end.mean() > 0.5)


def _best_ends(glances: Sequence[EndScan]) -> Iterator[tuple[int, bool, int, tuple[int, int]]]:
    """Looks, orientations and rows of the ends that seem to be in the stripe, and where (row, column)."""
    for glance in glances:
        for which in np.argsort(-glance.best)[:MOST_FOLLOWED]:
            y, x = divmod(int(glance.at[which]), glance.across)
            yield int(which) // 2, bool(which % 2), glance.rows, (2 * y, 2 * x)


def _distinct_starts(places: list[EndPlace]) -> list[Floats]:
    """The different places among these, with the end that is seen first, whichever card was found there."""
    starts: list[Floats] = []
    for place in places:
        quad = geometry.rotated_half_turn(place.quad) if place.turned else place.quad
        if not any(same_place(quad, other) for other in starts):
            starts.append(quad)
    return starts[:MOST_STARTS]


def _is_same_place(first: EndPlace, second: EndPlace) -> bool:
    """The same look at nearly the same place."""
    return first.look == second.look and same_place(first.quad, second.quad)
