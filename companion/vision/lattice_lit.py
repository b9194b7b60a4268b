"""Cards that stay unsure, looked at a third time: each point as a card's colour with white light added to it.

A mirrored lamp adds the same white light to every colour until the camera's white is reached, channel by
channel. So what a point of a card may show is a path from its colour to white, and how far a card is from
what is seen is how far its points are from their paths (light adds up: the dichromatic model of Shafer 1985).
No two points need the same light: a core of any form and any edge says nothing and costs nothing, and what
is left of the card beside it speaks alone. The card is laid anew where its paths and its outline fit best.

This names a card only if every other card is contradicted, and only if a card is proven to lie there: by the
outline wherever it is not burnt out, or by the drawing, which must explain what one colour under the same
light does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.lattice_cells import Cell, Surfaced, away, grid_of_moves, laid_as, usual_side, within
from companion.vision.lattice_colours import by_card
from companion.vision.lattice_fit import At, corners_of, projected
from companion.vision.picture import Array, Floats
from companion.vision.triangles_looks import points

ADDED = np.concatenate([[0.0], np.geomspace(6.0, 255.0, 12)]).astype(np.float32)
"""Levels of light between which paths are taken as straight."""
LEVELS, SHARE = 5.0, 0.12
"""Usual differences of a point's colour: levels, and a share of the level."""
STRANGE = 9.0
"""Squared usual differences beyond which a point says nothing more."""
SHADES = (-1.0, -0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6)
"""Logarithms by which a card may be darker or brighter than most."""
NEAR = (-0.07, 0.0, 0.07)
"""Shades tried round the best."""
ODD = 0.02
"""What a shade of 1 costs."""
BRIGHTEST, CORE = 6, 0.6
"""So many of a card's points are its white if they are as bright as this share of the picture's."""
COLOURS = 4
"""So many colours are tried for a place of one colour."""
FEW = 4
"""Each so-many-th point is compared where a card is moved about."""
WIDE = (2, 1, 0.07, 0.1)
FINER = ((1, 1, 0.045, 0.07), (1, 1, 0.035, 0.05), (1, 1, 0.018, 0.025))
"""How far a card is moved about: steps to each side, turns, their lengths in sides and in radians."""
BY_OUTLINE, BY_PLACE = 0.15, 0.4
"""What a whole outline takes off the cost of a place, and what a side away from where it is expected adds."""
LIKELY = 2
"""So many cards are moved about."""


@dataclass(frozen=True)
class Lit:
    """A place looked at this way: `cell` where the card lies best (its `costs` are those under added light),
    `flat` the cost of one colour under added light, `open` the share of its points that count, `outline` the
    share seen of each side of which enough counts, and of how many points of the outline that is told."""

    cell: Cell
    flat: float
    open: float
    outline: tuple[float, ...]
    told_of: int
    shades: Floats
    """By how much (logarithms; looks) each look would have to be brighter."""


class Lighted:
    """The deck's colours as the table's light shows them, and the table, for places to be looked at."""

    def __init__(self, table: Surfaced) -> None:
        self.table = table
        self._plain = table.plain()

    def laid(self, start: Lit, view: Array, others: Sequence[Floats]) -> Lit:
        """A place as it is best explained, from where it was judged. `others` (3, 2 each, in pixels): cards
        that may lie on it."""
        at, back = start.cell.at, np.linalg.inv(view)
        wide = [laid_as(projected(back, start.cell.corners), at), corners_of(at)]
        tried = np.concatenate([self.table.posed(one, grid_of_moves(*WIDE), view) for one in wide])
        best = self._best(start, tried, view, others, np.arange(len(self._plain)), 2 * FEW)
        middle = self.judged(at, best, view, others)
        likely = np.argsort(middle.cell.costs)[:LIKELY]
        looks = np.flatnonzero(np.isin(self.table.looks.cards, likely))
        for finer in FINER:
            tried = self.table.posed(laid_as(projected(back, best), at), grid_of_moves(*finer), view)
            best = self._best(middle, tried, view, others, looks, FEW)
        return min((start, middle, self.judged(at, best, view, others)), key=_worth)

    def judged(self, at: At, corners: Floats, view: Array, others: Sequence[Floats]) -> Lit:
        """The place if its card lies exactly so."""
        colours = self.table.surface.colours(corners)
        there = ~within(np.einsum("ps,sx->px", points(), corners), others)
        white = self._white(colours)
        each, shades = self._costs(colours, there, white)
        costs = by_card(each[None], self.table.looks)[0]
        steps, counted = self.table.outline(corners, others, white)
        sides = counted.sum(axis=1)
        outline = ((steps * counted).sum(axis=1) / np.maximum(sides, 1))[sides >= 4]
        edge = float((steps * counted).sum() / max(1, sides.sum()))
        cell = Cell(at, corners, costs, edge, 0.0, away(at, corners, view))
        told = tuple(sorted(float(share) for share in outline))
        return Lit(cell, _flat(colours[there], white), float(there.mean()), told, int(sides.sum()), shades)

    def _costs(self, colours: Floats, there: Array, white: Floats) -> tuple[Floats, Floats]:
        """How far each look (looks) is from a card's colours (points, 3), 0 to 1, and its best shade."""
        shades = np.array(SHADES, np.float32)
        few, none = np.flatnonzero(there)[::3], np.zeros(len(self._plain), np.float32)
        if not len(few):
            return none + 1.0, none
        rough = np.stack([self._shaded(colours, few, white, none + one) for one in shades])
        near = shades[rough.argmin(axis=0)] + np.array(NEAR, np.float32)[:, None]
        fine = np.stack([self._shaded(colours, np.flatnonzero(there), white, one) for one in near])
        best = near[fine.argmin(axis=0), np.arange(len(none))]
        return np.asarray(fine.min(axis=0), np.float32), best

    def _shaded(self, colours: Floats, which: Array, white: Floats, shades: Array) -> Floats:
        """How far looks (looks), each in a shade of its own, are from colours at the points `which`."""
        plain = self._plain[:, which] * np.exp(shades)[:, None, None]
        unlike = _unlike(colours[which], plain, white, ADDED).mean(axis=-1)
        return np.asarray(unlike + ODD * np.abs(shades), np.float32)

    def _best(self, lit: Lit, tried: Floats, view: Array, others: Sequence[Floats], looks: Array,
              step: int) -> Floats:  # fmt: skip
        """The pose among those tried (n, 3, 2) where one of the looks fits best, in the shade it had at the
        place `lit`; each so-many-th point is compared."""
        which = np.arange(0, points().shape[0], step)
        white = self._white(self.table.surface.colours(lit.cell.corners))
        plain = self._plain[looks][:, which] * np.exp(lit.shades[looks])[:, None, None]
        there = ~within(np.einsum("ps,tsx->tpx", points()[which], tried), others)
        unlike = _unlike(self.table.surface.colours(tried)[:, None, which], plain, white, ADDED[::3])
        cost = (unlike * there[:, None]).sum(axis=-1) / np.maximum(there.sum(axis=-1), 1)[:, None]
        expected = projected(view, corners_of(lit.cell.at))
        far = np.linalg.norm(tried - expected, axis=2).mean(axis=1) / usual_side(expected[None])
        edges = self.table.edges(tried, others)
        return np.asarray(tried[int((cost.min(axis=1) + BY_PLACE * far - BY_OUTLINE * edges).argmin())])

    def _white(self, colours: Floats) -> Floats:
        """The white (3,) in which the light added to a card (points, 3) ends: its own if a core is burnt out,
        for the light of the picture may fall off, or the picture's."""
        top = colours[np.argsort(colours.min(axis=1))[-BRIGHTEST:]].mean(axis=0) + 2.0
        white = self.table.surface.white
        return np.asarray(top if top.min() > CORE * white.max() else white, np.float32)


def _worth(lit: Lit) -> float:
    edge = BY_OUTLINE * lit.cell.edge
    return float(lit.cell.costs.min()) + BY_PLACE * lit.cell.off - edge


def _unlike(seen: Floats, plain: Floats, white: Floats, added: Floats = ADDED) -> Floats:
    """How far colours (..., 3) are from the paths that colours `plain` (..., 3) take to white, 0 to 1."""
    path = np.minimum(plain[..., None, :] + added[:, None] * (white / white.max()), white)
    begin, along = path[..., :-1, :], np.diff(path, axis=-2)
    share = ((seen[..., None, :] - begin) * along).sum(axis=-1) / np.maximum((along**2).sum(axis=-1), 1e-6)
    near = begin + np.clip(share, 0, 1)[..., None] * along
    apart = ((seen[..., None, :] - near) ** 2 / (LEVELS**2 + (SHARE * near) ** 2)).sum(axis=-1)
    return np.asarray(np.minimum(apart.min(axis=-1), STRANGE) / STRANGE, np.float32)


def _flat(colours: Floats, white: Floats) -> float:
    """How far colours (n, 3) are at least from one colour with light added to it, 0 to 1."""
    if len(colours) < 2 * COLOURS:
        return 0.0
    most = colours.max(axis=1)
    dark = np.asarray(colours[most <= np.percentile(most, 75)], np.float32)
    order = np.argsort(dark.max(axis=1))
    parts = [dark[part].mean(axis=0) for part in np.array_split(order, COLOURS)]
    tried = np.stack([*parts, np.median(colours, axis=0), np.median(dark, axis=0)])
    return float(_unlike(colours[None], tried[:, None], white).mean(axis=-1).min())
