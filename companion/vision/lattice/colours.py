"""Which cards lie on a table: all of them compared with the deck under one lamp.

The colour of a lamp cannot be distinguished from one card: under a red lamp orange is red. But the same lamp
lights the whole table, so its colour (two numbers, von Kries 1902) is searched for together with the names of
all cards: likely are lamps under which the cards, each read as the card it is most like, differ little from
what was enrolled (lamp.py chooses one). What is white or black on every card takes part in this like any
other point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.triangles.appearance import (
    LOG_FLOOR,
    OPPONENT_COLOURS,
    point_costs,
    rotations,
)
from companion.vision.triangles.limits import triangle_limits

MOST_TRIED = 120
MOST_LAMPS = 4
"""So many lamps are compared."""


@dataclass(frozen=True)
class TriangleTemplates:
    """The deck's looks in all three turns: `labels` of the cards, `cards[i]` the card that turned look i
    shows, `values` (turned looks, points, 4) what it looks like (triangles.appearance.log_colours)."""

    labels: tuple[str, ...]
    cards: Array
    values: Floats

    def thinned(self, step: int) -> TriangleTemplates:
        """The same with each so-many-th point."""
        return TriangleTemplates(self.labels, self.cards, self.values[:, ::step])

    def only(self, chosen: Array) -> TriangleTemplates:
        """Some of the turned looks."""
        return TriangleTemplates(self.labels, self.cards[chosen], self.values[chosen])


def templates_of(labels: tuple[str, ...], cards: Array, values: Floats) -> TriangleTemplates:
    """The looks (n, points, 4) of cards `cards` (n) among `labels`, each in three turns."""
    turned = np.stack([values[:, order] for order in rotations()], axis=1)
    return TriangleTemplates(labels, np.repeat(cards, 3), turned.reshape(-1, *values.shape[1:]))


@dataclass(frozen=True)
class Illuminant:
    """The colour of the light (2,) and the typical brightness of cards, as logarithms."""

    colour: Floats
    brightness: float


@dataclass(frozen=True)
class KnownLamp:
    """The colour (2,) of the lamp by earlier readings of the same table, and the variance of each number."""

    colour: Floats
    variance: float

    def deviation(self, lamp: Floats) -> float:
        """How far a lamp of this colour is from what is known: the square, in variances."""
        away = lamp - self.colour
        return float(away @ away) / (self.variance + triangle_limits().lamps.drift ** 2)

    @staticmethod
    def after(lamp: Illuminant, kinds: int, before: KnownLamp | None) -> KnownLamp | None:
        """What is known after a reading that estimated `lamp` and identified cards of so many kinds.
        `before`: what was known before it. One kind says nothing: purple under a red lamp is pink."""
        limits = triangle_limits().lamps
        precision = max(kinds - 1, 0) / limits.card_deviation**2
        if not precision:
            return before
        if before is None:
            return KnownLamp(lamp.colour, 1.0 / precision)
        known = 1.0 / (before.variance + limits.drift**2)
        whole = precision + known
        mean = (precision * lamp.colour + known * before.colour) / whole
        return KnownLamp(np.asarray(mean, np.float32), 1.0 / whole)


def lit_colours(looks: TriangleTemplates, lamp: Illuminant) -> Array:
    """The colours (turned looks, points, 3) of looks in that light, in levels of a white of WHITE."""
    back = np.linalg.inv(OPPONENT_COLOURS).T
    levels = np.maximum(np.exp(looks.values[..., :3] @ back) - LOG_FLOOR, 0.0)
    return np.asarray(levels * np.exp(np.array([lamp.brightness, *lamp.colour]) @ back))


def likely_illuminants(
    seen: Floats, looks: TriangleTemplates, known: KnownLamp | None = None
) -> list[Illuminant]:
    """The lamps, MOST_LAMPS at most, under which cards (n, points, 4) are like cards of the deck, the
    likeliest first. No two are nearly the same. `known`: what earlier readings of the same table say of
    it."""
    bright, light, colour = _best_turns(seen, looks)
    own = np.median(colour, axis=2).reshape(-1, 2)
    spread = own[:: max(1, len(own) // MOST_TRIED)]
    usual = np.zeros(2, np.float32) if known is None else known.colour
    tried = np.concatenate([usual[None], spread])
    few = (bright, light[:, :, ::3], colour[:, :, ::3])
    values = [_cost(*few, lamp) for lamp in tried]
    starts = _apart(tried[index] for index in np.argsort(values))
    refined = _apart(_refine_colour(bright, light, colour, start) for start in starts)
    lamps = list(islice(refined, MOST_LAMPS))
    lamps.sort(key=lambda lamp: _cost(bright, light, colour, lamp))
    return [Illuminant(lamp, _typical_brightness(bright, light, colour, lamp)) for lamp in lamps]


def _apart(colours: Iterable[Floats]) -> Iterator[Floats]:
    """Lamps without those that are nearly the same as one before."""
    kept: list[Floats] = []
    for colour in colours:
        if all(np.linalg.norm(colour - other) > triangle_limits().lamps.card_deviation for other in kept):
            kept.append(colour)
            yield colour


def _refine_colour(bright: Floats, light: Floats, colour: Floats, lamp: Floats) -> Floats:
    """The lamp moved to the middle of the estimates from the cards as they are read under it."""
    cutoff = triangle_limits().colours.colour_cutoff
    for _ in range(3):
        costs = _costs(bright, light, colour, lamp)
        named = costs.argmin(axis=1)
        rows = np.arange(len(named))
        away = colour[rows, named] - lamp
        near = np.linalg.norm(away, axis=2) < 0.8 * cutoff
        if not near.any():
            break
        lamp = lamp + away[near].mean(axis=0)
    return np.asarray(lamp, np.float32)


def _typical_brightness(bright: Floats, light: Floats, colour: Floats, lamp: Floats) -> float:
    named = _costs(bright, light, colour, lamp).argmin(axis=1)
    return float(np.median(bright[np.arange(len(named)), named]))


def _best_turns(seen: Floats, looks: TriangleTemplates) -> tuple[Floats, Floats, Floats]:
    """Each card against each look at its best turn: brightness (n, l), light left over (n, l, p), colour
    (n, l, p, 2)."""
    count, points = len(seen), seen.shape[1]
    difference = (seen[:, None] - looks.values[None]).reshape(count, -1, 3, points, 4)
    bright = np.median(difference[..., 0], axis=-1)
    light = difference[..., 3]
    colour = difference[..., 1:3]
    own = colour - np.median(colour, axis=-2)[..., None, :]
    turn = point_costs(light, own[..., 0], own[..., 1]).mean(axis=-1).argmin(axis=-1)
    i, j = np.indices(turn.shape)
    return bright[i, j, turn], light[i, j, turn], colour[i, j, turn]


def _costs(bright: Floats, light: Floats, colour: Floats, lamp: Floats) -> Floats:
    costs = point_costs(light, colour[..., 0] - lamp[0], colour[..., 1] - lamp[1]).mean(axis=-1)
    typical = np.median(bright[np.arange(len(costs)), costs.argmin(axis=1)])
    return np.asarray(costs + _odd_brightness(bright - typical), np.float32)


def _cost(bright: Floats, light: Floats, colour: Floats, lamp: Floats) -> float:
    each = _costs(bright, light, colour, lamp).min(axis=1)
    return float(np.minimum(each, triangle_limits().places.give_up_cost).mean())


def template_costs(seen: Floats, looks: TriangleTemplates, lamp: Illuminant) -> Floats:
    """How much cards (n, points, 4) differ from each turned look under the lamp, 0 to 1: (n, turned
    looks)."""
    difference = seen[:, None] - looks.values[None]
    bright = np.median(difference[..., 0], axis=-1)
    red, green = (difference[..., 1 + at] - lamp.colour[at] for at in range(2))
    costs = point_costs(difference[..., 3], red, green).mean(axis=-1)
    return np.asarray(costs + _odd_brightness(bright - lamp.brightness), np.float32)


def _odd_brightness(away: Floats) -> Floats:
    """What it costs that a card's brightness is so far (...) from what is typical."""
    limits = triangle_limits().colours
    odd = np.maximum(np.abs(away) - limits.brightness_tolerance, 0)
    return np.asarray(limits.brightness_penalty * odd, np.float32)


def costs_by_card(costs: Floats, looks: TriangleTemplates) -> Floats:
    """The costs (n, turned looks) as the least of each card: (n, cards)."""
    found = np.ones((len(costs), len(looks.labels)), np.float32)
    for card in range(len(looks.labels)):
        of_card = costs[:, looks.cards == card]
        if of_card.shape[1]:
            found[:, card] = of_card.min(axis=1)
    return found


def likeness(seen: Floats, look: Floats) -> float:
    """How far a card (points, 4) has the drawing of a look: the correlation, -1 to 1, of what varies within
    them. Bare cloth of a card's colour has none of it."""
    seen, look = seen[:, 1:], look[:, 1:]
    a, b = seen - np.median(seen, axis=0), look - np.median(look, axis=0)
    a, b = np.clip(a, -1, 1), np.clip(b, -1, 1)
    both = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / max(both, 0.02 * a.size)


def likenesses(seen: Floats, looks: TriangleTemplates) -> Floats:
    """The best likeness of each card (n, points, 4) to any look: (n,)."""
    seen, values = seen[..., 1:], looks.values[..., 1:]
    a = np.clip(seen - np.median(seen, axis=1, keepdims=True), -1, 1).reshape(len(seen), -1)
    b = values - np.median(values, axis=1, keepdims=True)
    b = np.clip(b, -1, 1).reshape(len(b), -1)
    both = np.linalg.norm(a, axis=1)[:, None] * np.linalg.norm(b, axis=1)
    return np.asarray(((a @ b.T) / np.maximum(both, 0.02 * a.shape[1])).max(axis=1), np.float32)
