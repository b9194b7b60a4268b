"""Finds covered cards of a column by the end that still shows.

Flat number cards have too few features to be found once half covered. But whoever knows one card of a column
knows where the card below it must lie: moved along its long side by a part of its height that is not known,
and a little to the side. The end of every card of the deck, as normalised light, is therefore searched for in
the stripe of the picture beyond the known card (normalised cross-correlation; Lewis, "Fast normalized
cross-correlation", 1995), and the best places are moved onto the card and judged like any other reading. Only
what nothing else explains counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.cards import edges
from companion.vision.cards.hypothesis import Judge
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match import descriptor
from companion.vision.match.refine import refined
from companion.vision.match.score import SEEN, Judged, believed
from companion.vision.match.strip_match import Strip, Strips
from companion.vision.match.suppression import Explained, same_place

WIDTH, HEIGHT = descriptor.WIDTH, descriptor.HEIGHT
ENDS = (13, 20)
"""Rows (of 72) of a card's end that are searched for: a fifth, and more than a quarter of the card."""
BESIDE = 9
"""Columns (of 48) that a covered card may lie to either side."""
NEAREST = 8
"""Rows that a covered card must stick out at least."""
MOST_JUDGED = 4
MOST_STARTS, SAME_START = 3, 0.05
"""Places that a contest starts from, and card widths within which two are the same."""
LIKELY = 0.45
"""Correlation from which on a place is judged; what is no card of the deck stays below 0.4."""
SUSPICIOUS = 0.5
"""Correlation from which on a card must lie there, even if it cannot be told which."""
FITS, FITS_CLEARLY = 0.12, 0.5
"""Shares of a strip that a reading must explain: the smaller one if its lead is CLEAR."""
MARGIN, CLEAR, CLEAR_IF_NARROW = 0.35, 0.5, 0.65
"""Leads over every other card from which a reading stands."""
FITS_EDGES = 0.4
"""The share that must be explained where nothing but edges tells that a card lies there."""
FURTHER = (0.0, -0.08, 0.08, 0.16, 0.24)
"""By how many heights a card may stick out less (or further) than its edges tell, which may be those of
another card below it."""
HOPELESS = (0.3, 0.25)
"""What a reading must explain, or its lead, for another card to be tried at that place: all cards have been
compared there already."""
NARROW = 20
"""Bare blocks up to which a strip is narrow."""
DOUBT = 0.12
"""Lead of a reading that does not stand from which on a card must lie there."""
AHEAD = 1.3
"""How many times the worth of any other card's reading a reading must have."""
FEWEST_BARE = 7
"""Blocks (of 96) of a place that must be explained by nothing else."""
MOST_FOLLOWED = 16
"""Ends that are looked at closely after a rough comparison with all of them."""
PLAIN = 0.05
"""Mean of the light beside a card up to which there is nothing to be seen."""
CLEAR_DRAWING = 0.6
"""Rough correlation of an end from which on it needs no edges to be looked at: of 43 strips that were named
all had edges (contrast 24 and more; wood and printed mats mostly none at all), and wood reached .59. A place
found that clearly is also looked at if nothing there is like a card at first glance."""
_MIDDLES = np.stack(
    np.meshgrid(
        (np.arange(descriptor.COLUMNS) + 0.5) / descriptor.COLUMNS,
        (np.arange(descriptor.ROWS) + 0.5) / descriptor.ROWS,
    ),
    axis=2,
).reshape(-1, 2)
_ASIDE = BESIDE / WIDTH
_BOX = np.array([[-_ASIDE, -1], [1 + _ASIDE, -1], [1 + _ASIDE, 0], [-_ASIDE, 0]], np.float32)
"""The stripe above the unit card."""


@dataclass(frozen=True)
class Found:
    """What lies under a card on one side: a reading, or the suspicion that a card lies there."""

    judged: Judged | None
    suspicious: bool
    """Something there looks like the end of a card of the deck, but cannot be told."""


@dataclass(frozen=True)
class Place:
    """Where the end of a look was found: how well it fits (-1 to 1) and the quad of the whole card."""

    fit: float
    look: int
    quad: Floats
    turned: bool
    """The end is the card's bottom."""


@dataclass(frozen=True, eq=False)
class Glance:
    """Where in a stripe the ends of so many `rows` seem to be: of every end (as in Bank) the best place, as
    an index into lines of `across` places, and how well it fits there (-1 to 1)."""

    rows: int
    across: int
    at: Array
    best: Floats


class Ends:
    """Looks for the ends of covered cards in one picture."""

    def __init__(self, judge: Judge, deck: Deck, explained: Explained, *, thorough: bool = False) -> None:
        """`explained` is kept up to date by the caller. `thorough`: places where nothing looks like a card at
        first glance, or has its edges, are looked at as well."""
        self._judge = judge
        self._deck = deck
        self._explained = explained
        self._thorough = thorough
        self._strips = Strips(judge.scene, deck.strips, explained)

    def beside(self, card: Judged, side: int) -> Found:
        """The card that lies under `card`, sticking out at its top (`side` -1) or bottom (1)."""
        pose = card.quad if side < 0 else geometry.turned(card.quad)
        has_edges = self._thorough or edges.edges_in(self._judge.scene, pose) is not None
        places = list(self._candidates(pose, 0.0 if has_edges else CLEAR_DRAWING))
        if not places:
            return Found(None, False)
        starts = _starts(places)
        clear = self._thorough or places[0].fit > CLEAR_DRAWING
        if not clear and self._strips.nothing_like(starts, card.quad):
            return Found(None, any(place.fit > SUSPICIOUS for place in places))
        strip = self._strips.read(starts, card.quad)
        if strip is not None:
            read = self._contested(strip, card)
            return Found(read if believed(read) else None, not believed(read))
        return self._by_drawing(places, card)

    def _contested(self, strip: Strip, above: Judged) -> Judged:
        """The reading of a strip that all cards contested."""
        bare, lead = self._free(strip.quad), 1.0 - 1.0 / max(strip.ratio, 1.0)
        read = self._reading(above, strip.quad, bare, strip.look, strip.fit, lead)
        return replace(read, ratio=strip.ratio, is_contested=True)

    def _reading(
        self, above: Judged, quad: Floats, bare: Array, look: int, fit: float, lead: float
    ) -> Judged:
        """What sticks out from under `above`, as a card of its own: the look that its bare blocks show, how
        well they fit it, and by how much better than the next one."""
        costs = self._judge.cost_of(quad, look)
        return replace(
            above,
            quad=quad,
            look=look,
            label=self._deck.labels[look],
            costs=costs,
            seen=bare,
            cost=1.0 - fit,
            seen_cost=1.0 - fit,
            margin=lead,
            support=float((1.0 - costs[bare]).sum()),
            gain=float((SEEN - costs[bare]).sum()),
            inliers=1,
            distinct=0,
            fit=fit,
            lead=lead,
            is_strip=True,
        )

    def _by_drawing(self, places: list[Place], card: Judged) -> Found:
        """What lies there by the drawing of one end after the other, where no contest found anything."""
        standing: list[tuple[float, Judged]] = []
        suspicious = False
        asked = {place.look for place in places}
        hopeless: list[Floats] = []
        while places:
            place = places.pop(0)
            if any(same_place(place.quad, other, SAME_START) for other in hopeless):
                continue
            read, rivals = self._read(place, card)
            if read is None:
                continue
            fit = 1.0 - read.seen_cost
            if fit < HOPELESS[0] and read.margin < HOPELESS[1]:
                hopeless.append(place.quad)
            if _stands(read):
                standing.append(((0.5 + fit) * read.margin, read))
                fresh = [look for look in rivals if look not in asked]
                places.extend(Place(place.fit, look, read.quad, place.turned) for look in fresh)
                asked.update(rivals)
            suspicious |= place.fit > SUSPICIOUS and read.margin > DOUBT
        best = _clear_winner(standing)
        return Found(best, best is None and suspicious)

    def by_edges(self, card: Judged, side: int, usual: float, suspicious: bool) -> Found:
        """What lies there by its long edges alone (companion.vision.cards.edges), whichever card it is;
        dearer than `beside`. `usual` is the contrast of the edges of known cards, `suspicious` what
        `beside` found. A card with another one's edges beyond it is taken to cover that one, glare on it
        or not.
        """
        pose = card.quad if side < 0 else geometry.turned(card.quad)
        pair = edges.edges_in(self._judge.scene, pose)
        if pair is None or pair.contrast < edges.CONTRAST * usual:
            return Found(None, suspicious and pair is not None and pair.contrast > edges.SUSPECT * usual)
        self._explained.add_whole(card)
        quad = edges.place_of(self._judge.scene, pose, pair)
        standing: list[tuple[float, Judged]] = []
        for further in FURTHER:
            place = np.asarray(quad + further * (quad[[3, 2, 2, 3]] - quad[[0, 1, 1, 0]]), np.float32)
            for way in (False, True):
                read = self._told(geometry.turned(place) if way else place, way, card)
                if read is not None and _stands(read) and 1.0 - read.seen_cost > FITS_EDGES:
                    standing.append(((1.5 - read.seen_cost) * read.margin, read))
        best = _clear_winner(standing)
        return Found(best, best is None)

    def _told(self, quad: Floats, turned: bool, above: Judged) -> Judged | None:
        """What the bare blocks of a place show if nothing is known of it but where it lies."""
        bare = self._free(quad)
        if int(bare.sum()) < FEWEST_BARE:
            return None
        look = self._deck.teller.tell(self._judge.scene.card(quad), bare).look
        return self._read(Place(1.0, look, quad, turned), above)[0]

    def _free(self, quad: Floats) -> Array:
        """The blocks of a place that lie in the picture and under no known card (BLOCKS,), bool."""
        return np.asarray((self._explained.of(quad) < 0.5) & ~self._outside(quad))

    def _outside(self, quad: Floats) -> Array:
        """The blocks of a place whose middle lies outside the picture (BLOCKS,), bool."""
        height, width = self._judge.scene.image.shape[:2]
        x, y = geometry.moved(_MIDDLES, geometry.homography(geometry.UNIT, quad)).T
        return np.asarray((x < 0) | (y < 0) | (x > width - 1) | (y > height - 1))

    def _read(self, place: Place, above: Judged) -> tuple[Judged | None, tuple[int, ...]]:
        """What the bare blocks of a place show, None if there are too few of them; and the looks it may be
        mistaken for, which deserve to be moved onto the place themselves.

        The card on top may be of the same monster, so blocks seen under it say nothing.
        """
        look, quad = place.look, place.quad
        for _ in range(2):
            bare = self._free(quad)
            if int(bare.sum()) < FEWEST_BARE:
                return None, ()
            quad, _ = refined(self._judge.scene, quad, self._deck.template(look), freedom=4, bare=bare)
            bare = self._free(quad)
            if int(bare.sum()) < FEWEST_BARE:
                return None, ()
            told = self._deck.teller.tell(self._judge.scene.card(quad), bare)
            if told.look == look:
                break
            look = told.look
        return self._reading(above, quad, bare, told.look, told.fit, told.lead), told.rivals

    def _candidates(self, pose: Floats, least: float) -> Iterator[Place]:
        """The most likely places that no known card explains, best first; none if no short end of a look
        fits as well as `least` at first glance."""
        tried: list[Place] = []
        for place in sorted(self._places(pose, least), key=lambda place: place.fit, reverse=True):
            if place.fit < LIKELY or len(tried) == MOST_JUDGED:
                return
            if not self._explained_already(place) and not any(_alike(place, other) for other in tried):
                tried.append(place)
                yield place

    def _places(self, card: Floats, least: float) -> list[Place]:
        """Where above `card` the ends of looks fit best, at most one place for each look and way up; none if
        no short end fits as well as `least` at first glance."""
        onto = geometry.homography(geometry.UNIT, card)
        stripe = self._judge.scene.warped(geometry.moved(_BOX, onto), WIDTH + 2 * BESIDE, HEIGHT)
        light = descriptor.light_seen(stripe)
        if float(np.abs(light[-HEIGHT // 4 :, BESIDE:-BESIDE]).mean()) < PLAIN:
            return []
        places: dict[tuple[int, bool], Place] = {}
        half = (light.shape[1] // 2, light.shape[0] // 2)
        small = np.asarray(cv2.resize(light, half, interpolation=cv2.INTER_AREA), np.float32)
        glances = [self._glance(small, ENDS[0])]
        if float(glances[0].best.max()) < least:
            return []
        glances.extend(self._glance(small, rows) for rows in ENDS[1:])
        for look, turned, rows, at in _followed(glances):
            template = self._light(look, turned)[1:rows, 1:-1]
            y, x = max(0, at[0] - 2), max(0, at[1] - 2)
            window = light[y : at[0] + 3 + rows, x : at[1] + 3 + WIDTH]
            if window.shape[0] < template.shape[0] or window.shape[1] < template.shape[1]:
                continue
            fits = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
            _, fit, _, (right, down) = cv2.minMaxLoc(fits)
            offset = np.array([(x + right - 1 - BESIDE) / WIDTH, (y + down - 1) / HEIGHT - 1.0], np.float32)
            if (y + down) > HEIGHT - NEAREST:
                continue
            known = places.get((look, turned))
            if known is None or known.fit < fit:
                quad = geometry.moved(geometry.UNIT + offset, onto)
                places[look, turned] = Place(
                    float(fit), look, geometry.turned(quad) if turned else quad, turned
                )
        return list(places.values())

    def _light(self, look: int, turned: bool) -> Floats:
        light = self._deck.template(look).light
        return np.asarray(light[::-1, ::-1] if turned else light)

    def _glance(self, small: Floats, rows: int) -> Glance:
        """The ends of that many rows held against every place of the stripe, at half the size."""
        bank = self._deck.ends(rows)
        windows = np.lib.stride_tricks.sliding_window_view(small, bank.size)
        down, across = windows.shape[:2]
        down = min(down, (HEIGHT - NEAREST) // 2 + 1)
        flat = windows[:down].reshape(down * across, -1)
        flat = flat - flat.mean(axis=1, keepdims=True)
        flat = flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 0.5)
        fits = flat @ bank.values.T
        at = fits.argmax(axis=0)
        return Glance(rows, across, at, np.take_along_axis(fits, at[None], 0)[0])

    def _explained_already(self, place: Place) -> bool:
        """Whether the end that was found belongs to a card that is known."""
        rows = descriptor.COLUMNS * (ENDS[0] // descriptor.SIDE)
        blocks = self._explained.of(place.quad)
        end = blocks[-rows:] if place.turned else blocks[:rows]
        return bool(end.mean() > 0.5)


def _followed(glances: Sequence[Glance]) -> Iterator[tuple[int, bool, int, tuple[int, int]]]:
    """Looks, ways up and rows of the ends that seem to be in the stripe, and where (row, column)."""
    for glance in glances:
        for which in np.argsort(-glance.best)[:MOST_FOLLOWED]:
            y, x = divmod(int(glance.at[which]), glance.across)
            yield int(which) // 2, bool(which % 2), glance.rows, (2 * y, 2 * x)


def _starts(places: list[Place]) -> list[Floats]:
    """The different places among these, with the end that is seen first, whichever card was found there."""
    starts: list[Floats] = []
    for place in places:
        quad = geometry.turned(place.quad) if place.turned else place.quad
        if not any(same_place(quad, other, SAME_START) for other in starts):
            starts.append(quad)
    return starts[:MOST_STARTS]


def _stands(read: Judged) -> bool:
    """Whether a strip's reading is good enough to be named."""
    fit, narrow = 1.0 - read.seen_cost, int(read.seen.sum()) <= NARROW
    if narrow:
        return read.margin > CLEAR_IF_NARROW and fit > FITS_CLEARLY
    if read.margin > CLEAR:
        return fit > FITS
    return read.margin > MARGIN and fit > FITS_CLEARLY


def _clear_winner(standing: list[tuple[float, Judged]]) -> Judged | None:
    """The reading that is worth most, unless another card's is worth nearly as much."""
    if not standing:
        return None
    worth, best = max(standing, key=lambda entry: entry[0])
    rivals = [other for other, judged in standing if judged.label != best.label]
    return best if max(rivals, default=0.0) * AHEAD < worth else None


def _alike(first: Place, second: Place) -> bool:
    """The same look at nearly the same place."""
    return first.look == second.look and same_place(first.quad, second.quad, 0.08)
