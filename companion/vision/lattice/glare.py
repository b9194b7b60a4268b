"""Compares cards with glare or in a shadow: each look under the smooth added light that suits it best.

A mirrored lamp adds white light that changes slowly over the card. Colours fade, and in its core nothing is
left. For each look the added light is estimated that brings it nearest to what is seen (the smoothed mean of
what the look leaves unexplained, never negative); both are compared where the picture is not clipped, more
strictly the more contrast the light has taken. A card that fits no better than another one under another
light stays unsure (dichromatic model with a smooth interface term; Shafer 1985).
"""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.colours import Illuminant, TriangleTemplates, lit_colours
from companion.vision.triangles.appearance import (
    LOG_FLOOR,
    WHITE,
    log_colours,
    neighbour_weights,
    point_costs,
)
from companion.vision.triangles.limits import triangle_limits

SHADES = (np.arange(-5, 4) / 5).astype(np.float32)
"""Logarithms by which a card may be darker or brighter than most."""
SHADOWS = SHADES[1:6:2]
"""Those that are tried under a veil, beside the card's own."""


def fit_glare(
    colours: Floats, open_: Array, white: float, looks: TriangleTemplates, lamp: Illuminant
) -> tuple[Floats, Floats]:
    """How much a card's colours (n, points, 3) differ from each turned look under a veil of its own.

    `open_` (n, points): where no other card may be on it and it is not burnt out; only there it is compared.

    Returns:
        Costs (n, looks) from 0 to 1, and the shades (n, looks; logarithms) in which they are the least.
    """
    there = open_.astype(np.float32)
    own = _own_shades(colours, there, white, looks, lamp)
    shades = np.stack([*(np.full_like(own, shade) for shade in SHADOWS), own])
    lit = lit_colours(looks, lamp)
    shaded = [_costs_under_glare(colours, there, white, _in_shade(lit, shade)) for shade in shades]
    costs = np.stack(shaded) + triangle_limits().veils.shade_penalty * np.abs(shades)
    best = costs.argmin(axis=0)[None]
    return costs.min(axis=0), np.asarray(np.take_along_axis(shades, best, axis=0)[0], np.float32)


def pattern_under_glare(
    colours: Floats, open_: Array, white: float, look: TriangleTemplates, lamp: Illuminant, shade: float
) -> float:
    """How far a card (points, 3) has the pattern of one look in this shade, -1 to 1, where it is open."""
    there = open_.astype(np.float32)[None]
    plain = _in_shade(lit_colours(look, lamp), np.full((1, 1), shade, np.float32))
    seen, expected, _ = _under_veil(colours[None], there, white, plain)
    one, other = log_colours(seen, WHITE)[:, None], log_colours(expected, WHITE)
    return float(_pattern_correlation(one[..., 1:], other[..., 1:], there[:, None])[0, 0])


def _own_shades(
    colours: Floats, there: Floats, white: float, looks: TriangleTemplates, lamp: Illuminant
) -> Floats:
    """By how much (logarithms; n, looks) a card is brighter than typical where the least is added to it: part
    of the table may be in the sun."""
    light = log_colours(colours, white)[..., 0]
    change = light[:, None] - looks.values[None, ..., 0] - lamp.brightness
    ordered = np.sort(np.where(there[:, None] > 0, change, np.inf), axis=-1)
    least = (triangle_limits().places.least_visible * there.sum(axis=1)).astype(int)
    found = ordered[np.arange(len(ordered)), :, least]
    return np.asarray(np.clip(found, SHADES[0], -SHADES[0]), np.float32)


def _under_veil(colours: Floats, there: Floats, white: float, plain: Floats) -> tuple[Floats, Floats, Floats]:
    """What is seen (n, points, 3), the looks under the veil that suits them best (n, looks, points, 3), and
    the share of their contrasts that it leaves (n, looks, points)."""
    limits = triangle_limits()
    seen = np.asarray(colours * (WHITE / max(white, 20.0)), np.float32)
    near = there[:, None] * neighbour_weights(limits.colours.surroundings)[None]
    near /= np.maximum(near.sum(axis=-1, keepdims=True), 1e-3)
    own = plain.mean(axis=-1)
    veil = np.maximum((seen.mean(axis=-1)[:, None] - own) @ near.transpose(0, 2, 1), 0.0)
    kept = np.maximum((own + LOG_FLOOR) / (own + veil + LOG_FLOOR), limits.veils.least_contrast)
    return seen, np.asarray(plain + veil[..., None], np.float32), np.asarray(kept, np.float32)


def _costs_under_glare(colours: Floats, there: Floats, white: float, plain: Floats) -> Floats:
    """Costs (n, looks) of what is seen and of looks as the table's light shows them."""
    seen, expected, kept = _under_veil(colours, there, white, plain)
    away = log_colours(seen, WHITE)[:, None] - log_colours(expected, WHITE)
    costs = point_costs(away[..., 3], away[..., 1], away[..., 2], kept)
    total = np.maximum(there.sum(axis=1), 1.0)[:, None]
    return np.asarray((costs @ there[..., None])[..., 0] / total, np.float32)


def _in_shade(lit: Array, shade: Array) -> Floats:
    """The colours (n or 1, looks, points, 3) of looks in the table's light, or in a shadow there."""
    return np.asarray(lit[None] * np.exp(np.atleast_2d(shade))[..., None, None], np.float32)


def _pattern_correlation(one: Floats, other: Floats, counted: Array) -> Floats:
    """The correlation of what varies within cards (..., points, 3) among the points (..., points) that
    count."""
    weights = counted[..., None]
    total = np.maximum(weights.sum(axis=-2, keepdims=True), 1.0)
    a, b = (
        np.clip(v - (v * weights).sum(axis=-2, keepdims=True) / total, -1, 1) * weights for v in (one, other)
    )
    both = np.sqrt((a * a).sum(axis=(-1, -2)) * (b * b).sum(axis=(-1, -2)))
    return np.asarray((a * b).sum(axis=(-1, -2)) / np.maximum(both, 0.01 * 3 * one.shape[-2]), np.float32)
