"""Decides between the likeliest cards of a strip, in the picture's own colours and where the cards differ.

The right card leaves blur, a tint, an inexact pose and noise; a similar card leaves a stroke. Each card's
picture (see reconstruction) is fitted to the strip with its colours, a small kernel and a slant, and its
place is refined (Lucas and Kanade 1981). Colours are reduced to the mixture of blue, green and red that
separates ink from ground best above the noise (Fisher's linear discriminant): yellow on white is almost
invisible in luminance and clear in blue. The residual is measured where the cards differ; the next card must
leave several times more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match.descriptor import GREY_WEIGHTS, HEIGHT, WIDTH, PicturePyramid
from companion.vision.match.reconstruction import reconstruct
from companion.vision.match.refine import STRIP_CENTRE, STRIP_MOTION_UNITS, move_quad
from companion.vision.match.suppression import ExplainedMap

ROW_COUNTS = (15, 42)
"""Rows (of 72) of a strip that are compared: its end alone, where many decks have a figure, and all. Of 143
strips of uno, a third or a half of the card, the end tells all, with all rows 132: the rest is like on all
cards, and what it leaves of the right one counts as well."""
COVER_RADIUS = 1.3
"""Gaussian radius in pixels (of 48 x 72) within which a cover spoils what is seen beside it."""
IGNORED_EDGE = 3
"""Pixels along a card's edge that are not compared: with two, 66 instead of 78 of 91 strips of a fifth stood
above all that were read wrongly."""
LEVELS = 100.0
"""Grey levels that count as 1."""
HALF_WEIGHT_DEVIATION = 25.0
"""Grey levels by which cards deviate from each other where half of what is left counts."""
REGULARISATION, COLOUR_REGULARISATION, POSE_REGULARISATION = 2e-3, 1e-4, 1e-2
"""What the values of the kernel, of colours and of the pose cost, the first and the last times the strip's
variance."""
LEAST_VARIANCE, LEAST_NOISE = 1e-4, 1e-5
ROUNDS, REFINED_CANDIDATES = 2, 5
"""Steps by which the place moves, and of how many of the cards."""
LARGEST_STEP = 3.0
"""Times DELTAS."""
NOISE_SHARE, NOISE_FROM_MEDIAN = 0.7, 2.2
"""Share of the noise that is taken off what cards leave, and noise by the median of the squares left."""
FEWEST_PIXELS = 40.0
"""Pixels that must be seen."""
MOST_RATIO = 9.0
SAME_COLOUR_COSINE, PALE_SQUARE = 0.8, 4e-3
"""Cosine between the colours seen and a look's own above which they may be the same in another light, and the
mean square of colours below which there are none."""

_X, _Y = (values.astype(np.float32) for values in np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT)))
_SLANT_X, _SLANT_Y = _X / (WIDTH / 2) - 1.0, _Y / (HEIGHT / 2) - 1.0
_FROM_X, _FROM_Y = _X + 0.5 - STRIP_CENTRE[0], _Y + 0.5 - STRIP_CENTRE[1]
_NONE, _ONE = np.zeros_like(_X), np.ones_like(_X)
_MOTIONS = [
    (step * x, step * y)
    for step, (x, y) in zip(
        STRIP_MOTION_UNITS,
        ((_ONE, _NONE), (_NONE, _ONE), (-_FROM_Y, _FROM_X), (_FROM_X, _FROM_Y), (_FROM_X, _NONE)),
        strict=True,
    )
]
"""How far each motion moves every pixel in x and in y (72, 48)."""


@dataclass(frozen=True, eq=False)
class StripCandidate:
    """A card that a strip may show: its look, the card, whether it lies upside down, and the quad of
    the whole card, the end first that is seen."""

    look: int
    card: int
    turned: bool
    quad: Floats


@dataclass(frozen=True)
class StripDecision:
    """Which of the likely cards (index) it is, and how many times as much the next one leaves unexplained
    where they differ (MOST_RATIO if there is none)."""

    at: int
    ratio: float


class ReferencePictures:
    """The looks of a deck as pictures, made on first use."""

    def __init__(self, looks: Bytes) -> None:
        """`looks` are descriptors (n, VALUES)."""
        self._looks = looks
        self._known: dict[int, Floats] = {}

    def of(self, look: int, *, turned: bool) -> Floats:
        """A look (72, 48, 3) in units of LEVELS, upside down if `turned`."""
        if look not in self._known:
            self._known[look] = reconstruct(self._looks[look]) / np.float32(LEVELS)
        picture = self._known[look]
        return np.asarray(picture[::-1, ::-1] if turned else picture)


class StripColours:
    """Compares the likely cards of one strip."""

    def __init__(
        self, scene: PicturePyramid, pictures: ReferencePictures, explained: ExplainedMap, white: Floats
    ) -> None:
        """`white` are the factors that make white white (1, 1, 3)."""
        self._scene, self._pictures, self._explained, self._white = scene, pictures, explained, white

    def decide(self, likely: Sequence[StripCandidate]) -> StripDecision | None:
        """Which of these it is, by the end of the strip or by all of it, whichever has the larger lead; None
        if too little is seen in colours like theirs."""
        first = self._decide(likely, ROW_COUNTS[0])
        if first is None or not any(
            len(self._weights(one.quad, ROW_COUNTS[1])) > ROW_COUNTS[0] for one in likely
        ):
            return first
        found = self._decide(likely, ROW_COUNTS[1])
        return first if found is None or first.ratio > found.ratio else found

    def _decide(self, likely: Sequence[StripCandidate], deepest: int) -> StripDecision | None:
        """Which of these it is by so many rows; None if too little is seen."""
        looks = [self._pictures.of(one.look, turned=one.turned) for one in likely]
        tinted = [self._tint(one.quad, look, deepest) for one, look in zip(likely, looks, strict=True)]
        shown = [strip for strip in tinted if strip.is_likely]
        if not shown:
            return None
        differ = _discrimination(looks)
        mixture = _mixture(min(shown, key=_mean_residual), differ)
        left = np.array([_discriminating_residual(strip, mixture, differ) for strip in tinted])
        for at in np.argsort(left[:, 0])[:REFINED_CANDIDATES]:
            left[at] = self._residual_after_moving(tinted[at], likely[at].quad, mixture, differ)
        at = int(left[:, 0].argmin())
        others = left[[one.card != likely[at].card for one in likely], 0]
        if not len(others):
            return StripDecision(at, MOST_RATIO)
        grain = NOISE_SHARE * float(left[at].min())
        ratio = (float(others.min()) - grain) / max(float(left[at, 0]) - grain, 1e-9)
        return StripDecision(at, min(ratio, MOST_RATIO))

    def _residual_after_moving(
        self, strip: _TintedStrip, quad: Floats, mixture: Floats, differ: Floats
    ) -> tuple[float, float]:
        """What a look leaves where cards differ, after the place moved as suits it."""
        for _ in range(ROUNDS if strip.is_likely else 0):
            quad = move_quad(quad, _step(strip, mixture))
            strip = self._tint(quad, strip.own, strip.deepest)
        return _discriminating_residual(strip, mixture, differ)

    def _tint(self, quad: Floats, look: Floats, deepest: int) -> _TintedStrip:
        """The strip of the card in `quad`, and the look in its colours."""
        weights = self._weights(quad, deepest)
        rows = len(weights)
        part = np.array([[0, 0], [1, 0], [1, rows / HEIGHT], [0, rows / HEIGHT]], np.float32)
        onto = geometry.homography(geometry.UNIT, quad)
        seen = self._scene.warped(geometry.transform(part, onto), WIDTH, rows) * self._white / LEVELS
        seen = np.asarray(seen.reshape(rows, WIDTH, 3), np.float32)
        parts = np.concatenate([look, np.stack([_ONE, _SLANT_X, _SLANT_Y], axis=2)], axis=2)
        mixed = _solve(parts[:rows].reshape(-1, 6), seen.reshape(-1, 3), weights, COLOUR_REGULARISATION)
        return _TintedStrip(seen, np.asarray(parts @ mixed, np.float32), look, weights, deepest)

    def _weights(self, quad: Floats, deepest: int) -> Floats:
        """How much each pixel of the strip counts (rows, WIDTH)."""
        weights = self._explained.visible_weights(quad, deepest, COVER_RADIUS)
        weights[:IGNORED_EDGE], weights[:, :IGNORED_EDGE], weights[:, -IGNORED_EDGE:] = 0.0, 0.0, 0.0
        rows = np.flatnonzero(weights.max(axis=1) > 0.05)
        return weights[: int(rows[-1]) + 1] if len(rows) else weights[: IGNORED_EDGE + 1]


@dataclass(frozen=True, eq=False)
class _TintedStrip:
    """A strip as seen (rows, WIDTH, 3), a look in its colours and in its own (72, 48, 3), and how much each
    pixel of the strip counts (rows, WIDTH)."""

    seen: Floats
    look: Floats
    own: Floats
    weights: Floats
    deepest: int
    """Rows that are compared at most."""

    @property
    def residual(self) -> Floats:
        """What the look leaves (rows, WIDTH, 3)."""
        return np.asarray(self.seen - self.look[: len(self.seen)])

    @property
    def is_likely(self) -> bool:
        """Whether enough is seen, in colours like the look's: a green 1, tinted, is a yellow one."""
        if float(self.weights.sum()) <= FEWEST_PIXELS:
            return False
        seen, own = _colours(self.seen), _colours(self.own[: len(self.seen)])
        both = float(((seen * own).sum(axis=2) * self.weights).sum())
        squares = [float(((of**2).sum(axis=2) * self.weights).sum()) for of in (seen, own)]
        pale = min(squares) < PALE_SQUARE * float(self.weights.sum())
        return pale or both > SAME_COLOUR_COSINE * np.sqrt(squares[0] * squares[1])

    def mixed(self, mixture: Floats) -> tuple[Floats, Floats]:
        """The strip (rows, WIDTH) and the look (72, 48) in one mixture of colours (3,)."""
        return np.asarray(self.seen @ mixture), np.asarray(self.look @ mixture)


def _colours(picture: Floats) -> Floats:
    """How much redder and bluer than green the pixels of a picture (rows, WIDTH, 3) are (rows, WIDTH, 2)."""
    away = picture[..., [2, 0]] - picture[..., [1]]
    return np.asarray(away / (picture.sum(axis=2, keepdims=True) + 0.6), np.float32)


def _mean_residual(strip: _TintedStrip) -> float:
    """What a look in the strip's colours leaves, of every pixel seen."""
    squares = (strip.residual**2).sum(axis=2)
    return float((squares * strip.weights).sum() / strip.weights.sum())


def _discrimination(looks: Sequence[Floats]) -> Floats:
    """How much each pixel distinguishes these looks (72, 48), 0 to 1."""
    spread = np.std([look.mean(axis=2) for look in looks], axis=0).astype(np.float32)
    spread = cv2.GaussianBlur(spread, (0, 0), 0.7)
    return np.asarray(spread**2 / (spread**2 + (HALF_WEIGHT_DEVIATION / LEVELS) ** 2), np.float32)


def _mixture(strip: _TintedStrip, differ: Floats) -> Floats:
    """The mixture of colours (3,) in which what distinguishes cards stands out most against what is left."""
    rows, flat = len(strip.seen), strip.weights.ravel()
    telling = (strip.weights * differ[:rows]).ravel() + 1e-6
    drawn = np.cov(strip.look[:rows].reshape(-1, 3).T, aweights=telling)
    noise = np.cov(strip.residual.reshape(-1, 3).T, aweights=flat) + LEAST_NOISE * np.eye(3)
    values, vectors = np.linalg.eig(np.linalg.solve(noise, drawn))
    return np.asarray(np.real(vectors[:, int(np.real(values).argmax())]), np.float32)


def _basis(look: Floats, own: Floats, rows: int) -> Floats:
    """What a look (72, 48) may become: shifted, blurred or slanted a little, lit unevenly (pixels, 28). Its
    own colours and light (72, 48, 3) may be added, because colours of 3 x 3 pixels leave a small white figure
    grey."""
    down, across = np.gradient(look)
    slanted = [slope * way for slope in (across, down) for way in (_SLANT_X, _SLANT_Y)]
    parts = [
        *_shifted_copies(look),
        *_shifted_copies(own @ GREY_WEIGHTS),
        *np.moveaxis(own, 2, 0),
        *slanted,
        _ONE,
        _SLANT_X,
        _SLANT_Y,
    ]
    return np.asarray(np.stack([part[:rows] for part in parts], axis=2).reshape(rows * WIDTH, -1), np.float32)


def _shifted_copies(plane: Floats) -> list[Floats]:
    """A plane shifted by a pixel in all directions, and as it is."""
    padded = np.pad(plane, 1, mode="edge")
    return [padded[y : y + HEIGHT, x : x + WIDTH] for y in range(3) for x in range(3)]


def _variance(look: Floats, weights: Floats) -> float:
    """The variance of the look's strip."""
    part, share = look[: len(weights)], weights / weights.sum()
    return max(float((part**2 * share).sum()) - float((part * share).sum()) ** 2, LEAST_VARIANCE)


def _discriminating_residual(strip: _TintedStrip, mixture: Floats, differ: Floats) -> tuple[float, float]:
    """What a look leaves where cards differ, whatever small kernel and slant, and the noise that most pixels
    show."""
    if not strip.is_likely:
        return np.inf, 0.0
    seen, look = strip.mixed(mixture)
    parts = _basis(look, strip.own, len(seen))
    values = _solve(
        parts, seen.reshape(-1, 1), strip.weights, REGULARISATION * _variance(look, strip.weights)
    )
    away = seen - (parts @ values).reshape(seen.shape)
    telling = strip.weights * differ[: len(seen)]
    noise = NOISE_FROM_MEDIAN * float(np.median(away[strip.weights > 0.5] ** 2))
    return float((away**2 * telling).sum() / max(float(telling.sum()), 1e-6)), noise


def _step(strip: _TintedStrip, mixture: Floats) -> Array:
    """The motion (5,) after which the look, whatever small kernel and slant, leaves least."""
    seen, look = strip.mixed(mixture)
    parts, rows = _basis(look, strip.own, len(seen)), len(seen)
    down, across = np.gradient(seen)
    slopes = np.stack([(across * x[:rows] + down * y[:rows]).ravel() for x, y in _MOTIONS], axis=1)
    tame = np.full(parts.shape[1] + len(STRIP_MOTION_UNITS), REGULARISATION * _variance(look, strip.weights))
    tame[-len(STRIP_MOTION_UNITS) :] = POSE_REGULARISATION * _variance(look, strip.weights)
    both = np.concatenate([parts, -slopes], axis=1)
    values = _solve(both, seen.reshape(-1, 1), strip.weights, tame)[-len(STRIP_MOTION_UNITS) :, 0]
    return np.asarray(np.clip(values, -LARGEST_STEP, LARGEST_STEP) * STRIP_MOTION_UNITS)


def _solve(parts: Floats, wanted: Floats, weights: Floats, tame: float | Array) -> Array:
    """The values (n, m) whose sums of parts (pixels, n) come closest to what is wanted (pixels, m)."""
    weighted = parts * (weights / max(float(weights.sum()), 1e-6)).reshape(-1, 1)
    normal = (weighted.T @ parts).astype(np.float64) + np.diag(np.broadcast_to(tame, parts.shape[1]))
    return np.asarray(np.linalg.solve(normal, weighted.T @ wanted))
