"""Identifies the card whose end sticks out from under another one: all cards of the deck compete for the
strip.

A fifth of a covered card may be visible: a border, plain colour and a number five pixels wide. Refining the
strip onto one likely card and then asking which card it is favours that one; a digit is recognised only at
the right place. But few places are possible: the card lies on the same table as its cover, so it may be
shifted, rotated a little and hardly differ in size. At each place all cards, in both orientations, are
compared over the pixels that nothing else explains (strip_templates), and the place moves towards the best of
them (Gauss-Newton as in Lucas and Kanade 1981, numerical derivatives). The likeliest cards are then each
moved to where they fit best, some also from further along the card, and compared in colour (strip_colour).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match import descriptor
from companion.vision.match.descriptor import CELL, HEIGHT, WIDTH, PicturePyramid
from companion.vision.match.refine import STRIP_MOTION_UNITS, move_quad
from companion.vision.match.strip_colour import StripCandidate, StripColours
from companion.vision.match.strip_templates import (
    StripSample,
    StripTemplates,
    TemplateTable,
    cell_colours,
    sample_strip,
)
from companion.vision.match.suppression import ExplainedMap

DEEPEST_ROW = 42
"""Rows (of 72) of a strip that are compared at most."""
COVER_RADIUS = 2.0
"""Gaussian radius in pixels (of 48 x 72) within which a cover spoils what is seen beside it."""
RESIDUAL_WEIGHT = 2.0
"""What is explained wrongly counts so many times what is explained."""
LARGEST_STEP = np.array([3.0, 3.0, 0.08, 0.05, 0.05])
TYPICAL_MOTION = np.array([40.0, 60.0, 0.1, 0.02, 0.02])
"""How far all of these usually are from the pose of the card on top."""
MOTION_PENALTY = 0.002
"""Penalty of a place whose offset is typical."""
ROUNDS, SOFT_ROUNDS, LATE_ROUNDS = 9, 4, 6
"""Steps at most, those of them with smoothed light, and those of each of the likeliest cards."""
COARSE_BLUR = 1.7
"""Gaussian radius by which light is smoothed for the first steps."""
LEAST_SCORE, LEAST_FIT = 0.008, 0.75
"""What must be explained of a place, and the share of it, for its cards to be distinguished."""
LEAST_INITIAL_FIT = 0.3
"""Share of a place that its likeliest card must explain before it is moved at all: right strips had 0.34 and
more (N = 20), wood, cloth and printed mats 0.28 at most (N = 42)."""
LEAST_INITIAL_SCORE = -0.01
"""What a place must explain before it is moved with care."""
FINALISTS, COMPARED = 8, 10
"""Cards (each orientation counts) that are refined on their own, and that are compared exactly."""
COMPARED_ROUNDS = 2
"""Steps of the likeliest card where all cards are only compared."""
NEAR_MOTIONS = np.array([(x, y, 0, 0, 0) for x in (-2.5, 0, 2.5) for y in (-4, -2, 0, 2, 4)])
SURVEYED = 400
"""Cards at places that are noted, the likeliest first."""
TURNED_MOTIONS = np.array(
    [(0, 0, turn, size, 0) for turn in (-0.04, 0, 0.04) for size in (-0.05, 0, 0.05) if turn or size]
)
"""Where cards are compared first, and then about the best of these places."""
SLID_CARDS, SLIDES = 3, np.array([(0, y, 0, 0, 0) for y in (-2.2, 2.2)])
"""Of how many of them a climb starts anew on both sides along the card, and how far from where they are."""
MOST_ENTRIES = 700
"""Entries (see StripLooks) that are followed of a deck which has more."""
KEPT_CARDS = 24
"""Cards of which each place is noted."""
SHIFTS = np.array([(x, y, 0, 0, 0) for x in (-2, 0, 2) for y in (-2, 0, 2)])
TURNS = np.array([(0, 0, turn, 0, 0) for turn in (-0.07, -0.035, 0.035, 0.07)])
"""How a start is shifted, and the best place then turned, before anything is moved with care."""
SURROUNDING_MOTIONS = np.array(
    [(x, y, 0, 0, 0) for x in (-1.4, 0, 1.4) for y in (-4.2, -2.8, -1.4, 0, 1.4, 2.8, 4.2)]
)
"""Where all cards are compared round the best place: references are cut out more or less closely."""
LEAST_VISIBLE = 0.03
"""Share of a card that must be seen."""


@dataclass(frozen=True, eq=False)
class StripPlace:
    """A place of a strip with what is seen there."""

    motion: Array
    """How it differs from where it was first searched for (5,), as DELTAS."""
    quad: Floats
    shown: StripSample
    left: Floats
    """What each entry leaves unexplained (entries,)."""
    total: float
    entry: int
    """The entry that explains most, and what it explains less what it explains wrongly."""
    worth: float

    @property
    def fit(self) -> float:
        """The share of what is seen that the entry explains."""
        return 1.0 - float(self.left[self.entry]) / max(self.total, 1e-6)


@dataclass(frozen=True)
class StripMatch:
    """What a strip shows: the look, the quad of its card as that lies, the share of what is seen that it
    explains, and by how many times more the next card leaves unexplained where they differ (see inks)."""

    look: int
    quad: Floats
    fit: float
    ratio: float


@dataclass(frozen=True, eq=False)
class StripComparison:
    """A card at the visible part of a card: its look, the quad of the whole card as it lies, and the share of
    what is seen that it leaves unexplained."""

    look: int
    quad: Floats
    left: float


class StripMatcher:
    """Reads strips in one picture. `explained` is kept up to date by the caller."""

    def __init__(self, scene: PicturePyramid, looks: StripTemplates, explained: ExplainedMap) -> None:
        self._scene, self._templates, self._explained = scene, looks, explained

    def match(self, starts: Sequence[Floats], cover: Floats) -> StripMatch | None:
        """The strip that starts at one of these quads, its end seen first, under a card in `cover`; None if
        nothing of the deck is there."""
        climber = self._climber(cover)
        near = [place for start in starts if (place := climber.coarse_search(start)) is not None]
        likely = [place for place in near if place.worth > LEAST_INITIAL_SCORE]
        places = [place for start in likely if (place := climber.optimise(start.quad)) is not None]
        best = max(places, key=_place_score, default=None)
        if best is None or best.worth < LEAST_SCORE or best.fit < LEAST_FIT:
            return None
        climber.score_surroundings(best.quad)
        return self._decide(climber)

    def compare(self, start: Floats, cover: Floats) -> list[StripComparison]:
        """What each card of the deck, in either orientation, leaves unexplained of the visible part of a card
        at `start`, its visible end first; empty if too little is seen. `cover`: a quad whose white is
        white."""
        climber = self._climber(cover)
        near = climber.survey(start, NEAR_MOTIONS)
        if near is None:
            return []
        turned = climber.survey(near.quad, TURNED_MOTIONS)
        best = max([near, *([turned] if turned else [])], key=_place_score)
        climber.optimise(best.quad, None, COMPARED_ROUNDS)
        return [self._comparison(place) for place in climber.best_of.values()]

    def _comparison(self, place: StripPlace) -> StripComparison:
        turned = bool(self._templates.is_upside_down[place.entry])
        quad = geometry.rotated_half_turn(place.quad) if turned else place.quad
        return StripComparison(int(self._templates.look_of_entry[place.entry]), quad, 1.0 - place.fit)

    def matches_nothing(self, starts: Sequence[Floats], cover: Floats) -> bool:
        """True if no card of the deck explains more than a trace at any of these starts."""
        climber = self._climber(cover)
        return all(climber.fit_at(start) < LEAST_INITIAL_FIT for start in starts)

    def _climber(self, cover: Floats) -> _StripOptimiser:
        white = descriptor.white_balance(self._scene.rectified_fast(cover))
        return _StripOptimiser(self._scene, self._templates, self._explained, white)

    def _decide(self, climber: _StripOptimiser) -> StripMatch | None:
        """Which card it is, the likeliest ones moved to where they fit best; None if too little is seen."""
        for _ in range(2):
            for kind in climber.best_cards(FINALISTS):
                climber.optimise(climber.best_of[kind].quad, kind, LATE_ROUNDS)
        nearest = sorted(
            climber.best_cards(FINALISTS), key=lambda kind: _residual_share(climber.best_of[kind])
        )
        for kind in nearest[:SLID_CARDS]:
            quad = climber.best_of[kind].quad
            for slide in SLIDES:
                climber.optimise(move_quad(quad, slide), kind, LATE_ROUNDS)
        finalists = [climber.best_of[kind] for kind in climber.best_cards(COMPARED)]
        decision = self._colours(climber).decide([self._candidate(place) for place in finalists])
        if decision is None:
            return None
        won = finalists[decision.at]
        quad = geometry.rotated_half_turn(won.quad) if self._templates.is_upside_down[won.entry] else won.quad
        return StripMatch(int(self._templates.look_of_entry[won.entry]), quad, won.fit, decision.ratio)

    def _colours(self, climber: _StripOptimiser) -> StripColours:
        return StripColours(self._scene, self._templates.pictures, self._explained, climber.white)

    def _candidate(self, place: StripPlace) -> StripCandidate:
        looks, entry = self._templates, place.entry
        return StripCandidate(
            int(looks.look_of_entry[entry]),
            int(looks.card_of_entry[entry]),
            bool(looks.is_upside_down[entry]),
            place.quad,
        )


class _StripOptimiser:
    """Moves places of a strip to where cards explain most."""

    def __init__(
        self, scene: PicturePyramid, looks: StripTemplates, explained: ExplainedMap, white: Floats
    ) -> None:
        """`white` are the factors that make white white (1, 1, 3)."""
        self._scene, self._templates, self._explained, self.white = scene, looks, explained, white
        self._entries: Array | None = None
        self._table: TemplateTable | None = None
        self.best_of: dict[int, StripPlace] = {}
        """The best place known for each card and orientation (StripLooks.kinds)."""

    def coarse_search(self, start: Floats) -> StripPlace | None:
        """The best place round `start`, tried in coarse steps."""
        best: StripPlace | None = None
        for motions in (SHIFTS, TURNS):
            around = start if best is None else best.quad
            places = [place for motion in motions if (place := self._place(around, motion)) is not None]
            best = max([*places, *([best] if best else [])], key=_place_score, default=None)
        return best

    def survey(self, start: Floats, motions: Array) -> StripPlace | None:
        """The best of the places at which the card in `start` lies after each of these motions."""
        rows = len(self._visible_weights(start))
        quads = [move_quad(start, motion) for motion in motions]
        seen = np.stack([self._explained.visible_weights(quad, rows, COVER_RADIUS) for quad in quads])
        enough = seen.sum(axis=(1, 2)) > LEAST_VISIBLE * WIDTH * HEIGHT
        if not enough.any():
            return None
        light, colour = self._planes(quads, rows)
        shown = sample_strip(light, colour, seen)
        left, total = self._residuals(shown)
        worth = np.where(
            enough[:, None], (total[:, None] - RESIDUAL_WEIGHT * left) * shown.area[:, None], -np.inf
        )

        def noted(at: int, entry: int) -> StripPlace:
            own = left[at], float(total[at]), entry, float(worth[at, entry])
            return StripPlace(motions[at], quads[at], shown.single(at), *own)

        places = [divmod(int(flat), worth.shape[1]) for flat in np.argsort(-worth, axis=None)[:SURVEYED]]
        for at, entry in places:
            which = int(self._templates.kinds[entry])
            if which not in self.best_of or self.best_of[which].worth < float(worth[at, entry]):
                self.best_of[which] = noted(at, entry)
        return noted(*places[0])

    def fit_at(self, start: Floats) -> float:
        """The share of what is seen at `start` that the likeliest card explains; 0 if too little is seen."""
        place = self._place(start, np.zeros(len(STRIP_MOTION_UNITS)))
        return 0.0 if place is None else place.fit

    def score_surroundings(self, quad: Floats) -> None:
        """Compare all cards round a place, each of which may fit best at another one."""
        for motion in SURROUNDING_MOTIONS:
            self._place(quad, motion)

    def best_cards(self, count: int) -> list[int]:
        """The cards and orientations that explain most at the best place known for each."""
        return sorted(self.best_of, key=lambda kind: -self.best_of[kind].worth)[:count]

    def optimise(self, start: Floats, kind: int | None = None, rounds: int = ROUNDS) -> StripPlace | None:
        """The best place from `start` on for a card in that orientation, or for any card; None if little is
        visible."""
        place = self._place(start, np.zeros(len(STRIP_MOTION_UNITS)), kind)
        damping, soft = 1e-2, kind is None
        for turn in range(rounds if place is not None else 0):
            assert place is not None
            soft = soft and turn < SOFT_ROUNDS
            slopes, gradient = self._normal_equations(start, place, soft=soft)
            better = None
            for _ in range(4):
                step = _damped_step(slopes, gradient, damping)
                moved = self._place(start, place.motion + step, kind)
                if moved is not None and moved.worth > place.worth + 1e-5:
                    better = moved
                    break
                damping *= 10
            if better is None and not soft:
                break
            if better is None:
                soft, damping = False, 1e-2
                continue
            gained, place, damping = better.worth - place.worth, better, max(damping / 4, 1e-3)
            if gained < 1e-3 * abs(place.worth) and not soft:
                break
        return place

    def _place(self, start: Floats, motion: Array, kind: int | None = None) -> StripPlace | None:
        quad = move_quad(start, motion)
        seen = self._visible_weights(quad)
        if seen.sum() < LEAST_VISIBLE * WIDTH * HEIGHT:
            return None
        light, colour = self._planes([quad], seen.shape[0])
        here = sample_strip(light, colour, seen[None])
        left, total = self._residuals(here)
        worth = (total[0] - RESIDUAL_WEIGHT * left[0]) * here.area[0]
        worth -= MOTION_PENALTY * float(((motion / TYPICAL_MOTION) ** 2).sum())
        order = np.argsort(-worth)
        _, first = np.unique(self._templates.kinds[order], return_index=True)
        own: StripPlace | None = None
        for entry in order[np.sort(first)[:KEPT_CARDS]]:
            which, value = int(self._templates.kinds[entry]), float(worth[entry])
            place = StripPlace(motion, quad, here, left[0], float(total[0]), int(entry), value)
            known = self.best_of.get(which)
            if known is None or known.worth < value:
                self.best_of[which] = place
            if own is None and kind in (None, which):
                own = place
        if own is None:
            entry = int(np.where(self._templates.kinds == kind, worth, -np.inf).argmax())
            own = StripPlace(motion, quad, here, left[0], float(total[0]), entry, float(worth[entry]))
        return own

    def _residuals(self, here: StripSample) -> tuple[Floats, Floats]:
        """What entries leave unexplained of a place (1, entries), and how much there is to explain; of a
        large deck only those that were likeliest at the first place."""
        if self._entries is None:
            left, total = self._templates.residuals(here)
            if left.shape[1] > MOST_ENTRIES:
                self._entries = np.argpartition(left.min(axis=0), MOST_ENTRIES)[:MOST_ENTRIES]
            return left, total
        if self._table is None:
            self._table = self._templates.table.select(self._entries, DEEPEST_ROW)
        some, total = self._templates.residuals(here, self._table)
        left = np.full((len(some), len(self._templates.card_of_entry)), np.inf, np.float32)
        left[:, self._entries] = some
        return left, total

    def _visible_weights(self, quad: Floats) -> Floats:
        """How much each pixel of the strip counts (rows, WIDTH)."""
        weights = self._explained.visible_weights(quad, DEEPEST_ROW, COVER_RADIUS)
        rows = np.flatnonzero(weights.max(axis=1) > 0.05)
        last = int(rows[-1]) + 1 if len(rows) else CELL
        return weights[: -(-last // CELL) * CELL]

    def _planes(self, quads: Sequence[Floats], rows: int) -> tuple[Floats, Floats]:
        """Light (n, rows, WIDTH) and colours (n, rows, WIDTH, 2) of the strips of cards in these quads."""
        part = np.array([[0, 0], [1, 0], [1, rows / HEIGHT], [0, rows / HEIGHT]], np.float32)
        strips = np.stack(
            [
                self._scene.warped(
                    geometry.transform(part, geometry.homography(geometry.UNIT, quad)), WIDTH, rows
                )
                for quad in quads
            ]
        )
        return descriptor.normalised_planes(strips, self.white)

    def _normal_equations(self, start: Floats, place: StripPlace, *, soft: bool) -> tuple[Array, Array]:
        """The normal matrix (5, 5) and the gradient (5,) by which the entry fits better there, in DELTAS."""
        rows = place.shown.light.shape[1] // WIDTH
        deltas = np.concatenate([np.diag(STRIP_MOTION_UNITS), -np.diag(STRIP_MOTION_UNITS)])
        quads = [move_quad(start, place.motion + delta) for delta in deltas]
        light, colour = self._planes(quads, rows)
        around = place.shown.with_values(light.reshape(len(quads), -1), cell_colours(colour)).vectors()
        ahead, back = np.split(around, 2)
        here, wanted = place.shown.vectors()[0], self._templates.fitted_template(place.shown, place.entry)
        away = np.concatenate([(ahead - back) / 2, (wanted - here)[None]])
        if soft:
            away = _smooth_light(away, rows)
        derivatives = away[:-1].astype(np.float64)
        pull = MOTION_PENALTY / max(RESIDUAL_WEIGHT * float(place.shown.area[0]), 1e-3)
        tame = pull * (STRIP_MOTION_UNITS / TYPICAL_MOTION) ** 2
        gradient = derivatives @ away[-1] - tame * place.motion / STRIP_MOTION_UNITS
        return derivatives @ derivatives.T + np.diag(tame), gradient


def _damped_step(normal: Array, gradient: Array, damping: float) -> Array:
    """The step (5,) that a damped least-squares problem asks for."""
    ridge = np.diag(np.diag(normal)) * damping + np.eye(len(normal)) * (1e-5 * float(np.trace(normal)) + 1e-9)
    step = np.linalg.solve(normal + ridge, gradient) * STRIP_MOTION_UNITS
    return np.asarray(np.clip(step, -LARGEST_STEP, LARGEST_STEP))


def _smooth_light(vectors: Floats, rows: int) -> Floats:
    """Vectors (n, values) with their light smoothed."""
    done = vectors.copy()
    for vector in done:
        plane = vector[: rows * WIDTH].reshape(rows, WIDTH)
        plane[:] = cv2.GaussianBlur(plane, (0, 0), COARSE_BLUR, borderType=cv2.BORDER_REPLICATE)
    return done


def _residual_share(place: StripPlace) -> float:
    return 1.0 - place.fit


def _place_score(place: StripPlace) -> float:
    return place.worth
