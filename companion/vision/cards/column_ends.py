"""Finds covered cards of columns by the end that still shows: the strips beyond the top and the bottom of
each card are searched, then those of each card found there.

Flat number cards have too few features to be found once half covered. But one known card of a column
determines where the card below it must be: moved along its long side by a part of its height that is not
known, and a little to the side. The end of every card of the deck, as normalised light, is therefore searched
for in the stripe of the picture beyond the known card (normalised cross-correlation; Lewis, "Fast normalized
cross-correlation", 1995). About the best places the strip is read (cards.strips); fitted limits decide
whether it is named. Only what nothing else explains counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.vision.cards.edges import has_edge_pair
from companion.vision.cards.evaluator import Evaluator
from companion.vision.cards.quad_score import SHORTLIST
from companion.vision.cards.strips import StripReader, strip_evidence
from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match import descriptor
from companion.vision.match.limits import StripLimits
from companion.vision.match.score import CardMatch, blocks_outside
from companion.vision.match.suppression import ExplainedMap, same_place
from companion.vision.verifier.limits import verifier_limits

WIDTH, HEIGHT = descriptor.WIDTH, descriptor.HEIGHT
END_ROWS = (13, 20)
"""Rows (of 72) of a card's end that are searched for: a fifth, and more than a quarter of the card."""


def ends_up(card: CardMatch) -> tuple[Floats, Floats]:
    """The quad of a card (4, 2) from either end: its top first, then its bottom."""
    return card.quad, geometry.rotated_half_turn(card.quad)


class EndFinder:
    """Looks for the ends of covered cards in one picture. The deck must suit the networks."""

    def __init__(
        self, evaluator: Evaluator, deck: Deck, cards: Sequence[CardMatch], limits: StripLimits
    ) -> None:
        """`cards`: those that were found in the picture."""
        self._evaluator, self._deck, self._limits = evaluator, deck, limits
        self._beside = round(limits.beside * WIDTH)
        self._cards = list(cards)
        self._explained = ExplainedMap(evaluator.scene.image.shape)
        for card in cards:
            if card.is_open:
                self._explained.add_whole(card.quad)
            else:
                self._explained.add(card)
        self._strips = StripReader(evaluator.scene, deck, self._explained, limits)

    def with_covered(self) -> list[CardMatch]:
        """The cards that were found and those under them."""
        for card in self._cards:
            for pose in ends_up(card):
                under = self._under(pose)
                if under is not None and not any(same_place(under.quad, one.quad) for one in self._cards):
                    self._explained.add(under)
                    self._cards.append(under)  # which looks for further ones under it as well
        return self._cards

    def strip(self, pose: Floats) -> tuple[VerifiedCard, ...]:
        """The cards that may stick out at the top of the card in `pose` (4, 2); none if nothing does."""
        if not has_edge_pair(self._evaluator.scene, pose, self._limits):  # reading a strip takes 30 ms
            return ()
        strip = self._strips.read(self._starts(pose), pose)
        return () if strip is None else strip.cards_looked_at_again(self._limits.judged)

    def _under(self, pose: Floats) -> CardMatch | None:
        """The card that lies under the one in `pose`, sticking out at its top."""
        strip = self.strip(pose)
        if not strip:
            return None
        naming = verifier_limits().strips
        probabilities = naming.model.probabilities(strip_evidence(strip))
        at = int(probabilities.argmax())
        if probabilities[at] <= naming.limit.probability(self._deck.enrolled.likeness_of_ends):
            return None
        named = replace(strip[at], probability=float(probabilities[at]))
        return replace(self._evaluator.matched(named), seen=self._visible_blocks(named.quad))

    def _visible_blocks(self, quad: Floats) -> Array:
        """The blocks of a place that are in the picture and under no known card (BLOCKS,), bool."""
        outside = blocks_outside(quad, self._evaluator.scene.image.shape)
        return np.asarray((self._explained.explained_share(quad) < 0.5) & ~outside)

    def _starts(self, pose: Floats) -> list[Floats]:
        """The different places above the card in `pose` where ends fit best and no known card explains them:
        quads of whole cards, the end that is seen first."""
        starts: list[Floats] = []
        for fit, quad in sorted(self._ends(pose), key=lambda end: -end[0]):
            if fit < self._limits.least_correlation or len(starts) == self._limits.starts:
                break
            if not self._is_explained(quad) and not any(same_place(quad, other) for other in starts):
                starts.append(quad)
        return starts

    def _ends(self, pose: Floats) -> Iterator[tuple[float, Floats]]:
        """Where the likeliest ends fit best above `pose`: how well (-1 to 1), and the whole card's quad."""
        onto, width = geometry.homography(geometry.UNIT, pose), WIDTH + 2 * self._beside
        share = self._beside / WIDTH
        above = geometry.rectangle(-share, -1, 1 + share, 0)
        stripe = self._evaluator.scene.warped(geometry.transform(above, onto), width, HEIGHT)
        light, _ = descriptor.normalised_planes(stripe)
        half = cv2.resize(light, (width // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA)
        for rows in END_ROWS:
            for which, y, x in self._likely_ends(np.asarray(half, np.float32), rows):
                left, top = max(0, 2 * x - 2), max(0, 2 * y - 2)
                window = light[top : 2 * y + 3 + rows, left : 2 * x + 3 + WIDTH]
                look = self._deck.light_template(which // 2).light
                end = np.asarray(look[::-1, ::-1] if which % 2 else look)[1:rows, 1:-1]
                fits = cv2.matchTemplate(window, end, cv2.TM_CCOEFF_NORMED)
                _, fit, _, (right, below) = cv2.minMaxLoc(fits)
                offset = ((left + right - 1 - self._beside) / WIDTH, (top + below - 1) / HEIGHT - 1.0)
                if top + below <= HEIGHT - self._limits.least_rows:
                    yield fit, geometry.transform(geometry.UNIT + np.array(offset, np.float32), onto)

    def _likely_ends(self, half: Floats, rows: int) -> Iterator[tuple[int, int, int]]:
        """The likeliest of the ends of so many rows, as an index into EndTemplates, and where (row, column)
        they fit the stripe best, which is shown at half the size."""
        ends = self._deck.end_templates(rows)
        windows = np.lib.stride_tricks.sliding_window_view(half, ends.size)
        across, down = windows.shape[1], (HEIGHT - self._limits.least_rows) // 2 + 1
        flat = windows[:down].reshape(-1, ends.size[0] * ends.size[1])
        # The ends have mean 0, so that of a place need not be subtracted.
        fits = (flat @ ends.values.T) / (flat.std(axis=1) * flat.shape[1] ** 0.5 + 0.5)[:, None]
        for which in np.argsort(-fits.max(axis=0))[:SHORTLIST].tolist():
            yield which, *divmod(int(fits[:, which].argmax()), across)

    def _is_explained(self, quad: Floats) -> bool:
        """Whether the end that is seen of a card in this quad belongs to a card that is known."""
        blocks = self._explained.explained_share(quad)
        return bool(blocks[: descriptor.COLUMNS * (END_ROWS[0] // descriptor.SIDE)].mean() > 0.5)
