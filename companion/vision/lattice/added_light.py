"""Compares cards with a white light added to each point by itself.

A mirrored lamp adds the same white light to every colour until the camera's white is reached in each channel.
What a point of a card may show is a path from its colour to white, and the cost of a card is how far its
points are from their paths (dichromatic model; Shafer 1985). No two points need the same light: clipped glare
of any shape costs nothing, and the rest of the card decides. An orange card under glare, yellow to the other
comparisons, is an orange on its way to white here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.cells import LatticePicture, covered_by
from companion.vision.lattice.colours import TriangleTemplates, costs_by_card, lit_colours
from companion.vision.lattice.glare import SHADES
from companion.vision.lattice.limits import AddedLightFit
from companion.vision.triangles.appearance import WHITE, sample_points
from companion.vision.triangles.limits import triangle_limits

ADDED_LEVELS = np.concatenate([[0.0], np.geomspace(6.0, 255.0, 12)]).astype(np.float32)
"""Levels of light between which paths are taken as straight."""
COARSE_STEP = 3
"""Each so-many-th of them, and each so-many-th point, is compared at the first look."""
FINE_SHADES = ((SHADES[1] - SHADES[0]) * np.arange(-1, 2)[:, None] / 3).astype(np.float32)
"""Shades tried round the best."""
FLAT_COLOURS = 4
"""So many colours are tried for a place of one colour."""


class AddedLightModel:
    """The deck's colours as the table's light shows them, and the table, for places to be looked at."""

    def __init__(self, table: LatticePicture) -> None:
        self._table = table
        lit = lit_colours(table.templates, table.illuminant)
        self._plain = np.asarray(lit * (table.white / WHITE), np.float32)

    def fit(self, corners: Floats, others: Sequence[Floats]) -> AddedLightFit:
        """The place with its card in exactly this pose. `others` (3, 2 each, in pixels): cards that may be on
        it."""
        colours = self._table.surface.colours(corners)
        there = ~covered_by(np.einsum("ps,sx->px", sample_points(), corners), others)
        white, open_ = self._white(colours), colours[there]
        return AddedLightFit(self._costs(open_, there, white), _single_colour_cost(open_, white))

    def _costs(self, colours: Floats, there: Array, white: Floats) -> Floats:
        """How far each card (cards) is from the colours (n, 3) of the points that count (`there`)."""
        looks = self._table.templates
        if len(colours) < COARSE_STEP:
            return np.ones(len(looks.labels), np.float32)
        plain, shades = self._plain[:, there], SHADES
        few = (colours[::COARSE_STEP], plain[:, ::COARSE_STEP], white, ADDED_LEVELS[::COARSE_STEP])
        rough = _shade_costs(*few, np.broadcast_to(shades[:, None], (len(shades), len(plain))))
        turned = _best_turns(rough.min(axis=0), looks)
        near = shades[rough[:, turned].argmin(axis=0)] + FINE_SHADES
        fine = _shade_costs(colours, plain[turned], white, ADDED_LEVELS, near)
        by = costs_by_card(np.asarray(fine.min(axis=0)[None], np.float32), looks.only(turned))
        return np.asarray(by[0], np.float32)

    def _white(self, colours: Floats) -> Floats:
        """The white (3,) in which the light added to a card (points, 3) ends: its own if a core is burnt out,
        for the light of the picture may fall off, or the picture's."""
        limits = triangle_limits()
        top = colours[np.argsort(colours.min(axis=1))[-limits.adaptation.points :]].mean(axis=0) + 2.0
        white = self._table.surface.white
        return np.asarray(top if top.min() > limits.veils.white_share * white.max() else white, np.float32)


def _best_turns(costs: Floats, looks: TriangleTemplates) -> Array:
    """The looks in the best of the three turns that they come in."""
    return np.asarray(np.arange(0, len(costs), 3) + costs.reshape(-1, 3).argmin(axis=1))


def _shade_costs(colours: Floats, plain: Floats, white: Floats, added: Floats, shades: Floats) -> Floats:
    """How far looks `plain` (looks, points, 3) in shades (n, looks) are from colours (points, 3): (n,
    looks)."""
    found = [
        _path_distance(colours, plain * np.exp(shade)[:, None, None], white, added).mean(axis=-1)
        for shade in shades
    ]
    return np.asarray(np.stack(found) + triangle_limits().veils.shade_penalty * np.abs(shades), np.float32)


def _path_distance(seen: Floats, plain: Floats, white: Floats, added: Floats = ADDED_LEVELS) -> Floats:
    """How far colours (..., 3) are from the paths that colours `plain` (..., 3) take to white, 0 to 1."""
    path = np.minimum(plain[..., None, :] + added[:, None] * (white / white.max()), white)
    begin, along = path[..., :-1, :], np.diff(path, axis=-2)
    share = ((seen[..., None, :] - begin) * along).sum(axis=-1) / np.maximum((along**2).sum(axis=-1), 1e-6)
    near = begin + np.clip(share, 0, 1)[..., None] * along
    limits = triangle_limits().veils
    usual = limits.level_deviation**2 + (limits.relative_deviation * near) ** 2
    apart = ((seen[..., None, :] - near) ** 2 / usual).sum(axis=-1).min(axis=-1)
    return np.asarray(np.minimum(apart, limits.largest_deviation) / limits.largest_deviation, np.float32)


def _single_colour_cost(colours: Floats, white: Floats) -> float:
    """How far colours (n, 3) are at least from one colour with light added to it, 0 to 1."""
    if len(colours) < 2 * FLAT_COLOURS:
        return 0.0
    most = colours.max(axis=1)
    dark = np.asarray(colours[most <= np.percentile(most, 75)], np.float32)
    order = np.argsort(dark.max(axis=1))
    parts = [dark[part].mean(axis=0) for part in np.array_split(order, FLAT_COLOURS)]
    tried = np.stack([*parts, np.median(colours, axis=0), np.median(dark, axis=0)])
    return float(_path_distance(colours[None], tried[:, None], white).mean(axis=-1).min())
