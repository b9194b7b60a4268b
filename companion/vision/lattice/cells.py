"""Is there a card at a place, how does it lie, and which is it: places tried out one by one.

Where no outline was found (cards that touch, overlap, lie half in glare) a card is laid into the picture by
trial: moved and turned about where the lattice expects it, until it looks as much as possible like some card
of the deck under the table's lamp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.lattice.colours import (
    Illuminant,
    TriangleTemplates,
    costs_by_card,
    likeness,
    template_costs,
)
from companion.vision.lattice.fit import Place, corners_of, projected
from companion.vision.lattice.glare import fit_glare, pattern_under_glare
from companion.vision.lattice.limits import lattice_limits
from companion.vision.triangles.appearance import (
    WHITE,
    SampledPicture,
    log_colours,
    sample_points,
)
from companion.vision.triangles.find import side_of
from companion.vision.triangles.limits import triangle_limits

COARSE_STEP = 5
"""Each so-many-th point is compared where a card is first looked for."""


EDGE_POSES = 10
"""So many poses with the clearest outlines are compared under veils."""


@dataclass(frozen=True)
class Cell:
    """What a place shows: `corners` (3, 2) in pixels, `costs` (cards) from 0 (the very card) to 1, `edge` the
    share of the outline, 0 to 1, along which the picture changes, `like` how far the card's drawing is
    there."""

    at: Place
    corners: Floats
    costs: Floats
    edge: float
    like: float
    off: float = 0.0
    """Mean distance in sides of its corners from where the other cards let it be expected."""

    @property
    def card(self) -> int:
        """The card it is most like."""
        return int(self.costs.argmin())

    @property
    def cost(self) -> float:
        """How much it differs from that one."""
        return float(self.costs.min())

    @property
    def margin(self) -> float:
        """How much less it is like any other card."""
        rest = np.delete(self.costs, self.card)
        return float(rest.min()) - self.cost if len(rest) else 1.0

    @property
    def log_odds(self) -> float:
        """The log-odds that a card lies there, in favour of one that fits, has its pattern and has an
        outline."""
        return lattice_limits().search.log_odds(self.edge, self.like, self.cost, self.off)

    @property
    def is_plain(self) -> bool:
        """Whether a card is there, and unlike any other."""
        limits = triangle_limits().places
        return self.log_odds >= limits.plain and self.margin >= limits.plain_margin


class LatticePicture:
    """A picture of the table, with the deck and the lamp by which its places are evaluated."""

    def __init__(self, image: Image, side: float, looks: TriangleTemplates) -> None:
        self.surface = SampledPicture(image, side)
        self.templates = looks
        self._limits = triangle_limits().places
        self.white = WHITE
        self.illuminant = Illuminant(np.zeros(2, np.float32), 0.0)
        self._coarse_templates = looks.thinned(COARSE_STEP)
        self._lab = np.asarray(cv2.cvtColor(self.surface.image, cv2.COLOR_BGR2LAB), np.float32)

    @property
    def fine_steps(self) -> tuple[float, float]:
        """By how much a card is moved (sides) and turned (radians) from one look to the next."""
        return self._limits.reach / 4, self._limits.turn / 4

    def sample(self, corners: Array) -> Floats:
        """What is compared (..., points, 4) of triangles (..., 3, 2)."""
        return log_colours(self.surface.colours(corners), self.white)

    def score_pose(self, at: Place, corners: Floats, view: Array) -> Cell:
        """The cell of a card in exactly this pose."""
        seen = self.sample(corners)
        costs = template_costs(seen[None], self.templates, self.illuminant)
        best = self.templates.values[int(costs[0].argmin())]
        return Cell(
            at,
            corners,
            costs_by_card(costs, self.templates)[0],
            float(self.edge_shares(corners[None])[0]),
            likeness(seen, best),
            float(offset_from_place(at, corners, view)),
        )

    def search(self, at: Place, view: Array, starts: Sequence[Floats] = ()) -> Cell:
        """The cell at its best: a card moved and turned about where the lattice expects it, and about
        `starts` (3, 2 each, in pixels), where outlines are."""
        limits, back = self._limits, np.linalg.inv(view)
        given = [card_aligned_to(projected(back, one), at) for one in starts]
        likely = [self._search_near(at, one, view, 1, self.fine_steps) for one in given]
        if not likely or min(found[0] for found in likely) > limits.good_cost:
            steps = (limits.reach / 3, limits.turn / 2)
            likely.append(self._search_near(at, corners_of(at), view, 3, steps))
        cost, base, best, chosen = min(likely, key=lambda found: found[0])
        if cost > limits.give_up_cost:
            return self.score_pose(at, self.apply_moves(base, best[None], view)[0], view)
        looks = self.templates.only(chosen)
        laid = self.settled(at, base, best, view, looks, (limits.reach / 3, limits.turn / 2), (2, 4))[1]
        return self.score_pose(at, laid, view)

    def settled(
        self,
        at: Place,
        base: Floats,
        move: Array,
        view: Array,
        looks: TriangleTemplates,
        steps: tuple[float, float],
        parts: Sequence[int],
    ) -> tuple[float, Floats]:
        """The least cost of a card that is one of some looks about a move (3,) of `base`, and its corners
        there: it is moved by ever smaller `parts` of the steps."""
        worth, corners = np.zeros(1), base[None]
        for part in parts:
            moves = move + grid_of_moves(1, 1, steps[0] / part, steps[1] / part)
            corners = self.apply_moves(base, moves, view)
            costs = template_costs(self.sample(corners), looks, self.illuminant)
            worth = self.pose_costs(at, base, moves, corners, costs)
            move = moves[int(worth.argmin())]
        return float(worth.min()), corners[int(worth.argmin())]

    def search_under_glare(
        self, at: Place, view: Array, starts: Sequence[Floats] = (), others: Sequence[Floats] = ()
    ) -> Cell | None:
        """The cell at its best if a lamp is mirrored in the card, it lies in a shadow or under the edge of
        `others` (3, 2 each, in pixels); None if nothing with an outline lies there, or too little of it can
        be seen."""
        limits, back = self._limits, np.linalg.inv(view)
        moves = grid_of_moves(2, 1, limits.reach / 2.5, limits.turn / 3)
        given = [projected(view, card_aligned_to(projected(back, one), at))[None] for one in starts]
        corners = np.concatenate([self.apply_moves(corners_of(at), moves, view), *given])
        edges = self.edge_shares(corners, others)
        if edges.max() < limits.least_outline:
            return None
        best = self._best_under_glare(at, corners[np.argsort(-edges)[:EDGE_POSES]], view, others)
        best = self.settled_under_glare(at, best, view, others, (1,))
        colours, there = self._open_points(best[None], others)
        if there.mean() < limits.least_visible:
            return None
        costs, like = self._fit_under_glare(colours, there)
        edge = float(self.edge_shares(best[None], others)[0])
        by = costs_by_card(costs, self.templates)[0]
        return Cell(at, best, by, edge, like, float(offset_from_place(at, best, view)))

    def settled_under_glare(
        self, at: Place, corners: Floats, view: Array, others: Sequence[Floats], parts: Sequence[int]
    ) -> Floats:
        """The pose (3, 2; pixels) that costs least under veils about one: it is moved by these parts of the
        steps."""
        step, turn = self.fine_steps
        for part in parts:
            base = card_aligned_to(projected(np.linalg.inv(view), corners), at)
            laid = self.apply_moves(base, grid_of_moves(1, 1, step / part, turn / part), view)
            corners = self._best_under_glare(at, laid, view, others)
        return corners

    def _best_under_glare(self, at: Place, corners: Floats, view: Array, others: Sequence[Floats]) -> Floats:
        """The pose (3, 2) of some (n, 3, 2; pixels) that costs least under veils and near its place."""
        far = self._limits.offset_penalty * offset_from_place(at, corners, view)
        return np.asarray(corners[int((self.poses_under_glare(corners, others) + far).argmin())])

    def likeness_under_glare(self, corners: Floats, others: Sequence[Floats]) -> float:
        """How far a card that lies exactly so has the pattern of the likeliest look, if a lamp is mirrored in
        it or it lies partly under `others` (3, 2 each, in pixels)."""
        return self._fit_under_glare(*self._open_points(corners[None], others))[1]

    def burnt(self, corners: Floats) -> Array:
        """Which points (..., points) of triangles (..., 3, 2; pixels) are burnt out."""
        return self.surface.burnt(self.surface.colours(corners))

    def side_contrast(self, corners: Floats, others: Sequence[Floats] = ()) -> Floats:
        """The share (3,) of each side of a triangle (3, 2; pixels), as far as it does not lie under `others`,
        along which inside and outside differ; of a side of which almost nothing is left, that of all."""
        steps, at = self._steps(corners[None])
        whole = geometry.to_original(at[1].reshape(-1, 2), self.surface.scale)
        free = ~covered_by(whole, others).reshape(3, -1)
        steps = steps.reshape(3, -1)
        each = (steps * free).sum(axis=1) / np.maximum(free.sum(axis=1), 1)
        all_ = (steps * free).sum() / max(free.sum(), 1)
        return np.asarray(np.where(free.mean(axis=1) >= self._limits.least_visible, each, all_), np.float32)

    def poses_under_glare(self, corners: Floats, others: Sequence[Floats]) -> Floats:
        """What cards that lie so (n, 3, 2; pixels) under veils or partly under `others` (3, 2 each) cost,
        less if their outlines are clear."""
        costs, _ = fit_glare(*self._open_points(corners, others), self.white, self.templates, self.illuminant)
        return np.asarray(
            costs.min(axis=1) - self._limits.outline_weight * self.edge_shares(corners, others),
            np.float32,
        )

    def _fit_under_glare(self, colours: Floats, there: Array) -> tuple[Floats, float]:
        """The costs (1, looks) of one card (1, points, 3) under veils, and how far it has the pattern of the
        likeliest look."""
        costs, shades = fit_glare(colours, there, self.white, self.templates, self.illuminant)
        best = int(costs[0].argmin())
        look, shade = self.templates.only(np.array([best])), float(shades[0, best])
        return costs, pattern_under_glare(colours[0], there[0], self.white, look, self.illuminant, shade)

    def _open_points(self, corners: Floats, others: Sequence[Floats]) -> tuple[Floats, Array]:
        """The colours (n, points, 3) of triangles (n, 3, 2; pixels), and which points are neither burnt out
        nor under `others`."""
        colours = self.surface.colours(corners)
        at = sample_points() @ corners
        return colours, np.asarray(~covered_by(at, others) & ~self.surface.burnt(colours))

    def _search_near(
        self, at: Place, base: Floats, view: Array, reach: int, steps: tuple[float, float]
    ) -> tuple[float, Floats, Array, Array]:
        """The least cost of a card near `base` (sides), with `base`, its move and the likeliest looks."""
        moves = grid_of_moves(reach, min(reach, 2), *steps)
        corners = self.apply_moves(base, moves, view)
        seen = self.sample(corners)[:, ::COARSE_STEP]
        if len(moves) > 100:
            # a first look at every other move; then only what lies round the best of them
            rough = template_costs(seen[::4], self._coarse_templates, self.illuminant).min(axis=1)
            if rough.min() > self._limits.give_up_cost:
                return 1.0, base, moves[len(moves) // 2], np.arange(3)
            rough = rough + self._limits.offset_penalty * offsets_from_place(at, base, moves[::4])
            far = (
                np.abs(moves - moves[::4][np.argsort(rough)[:3], None])
                <= np.array([*steps[:1] * 2, steps[1]]) * 1.01
            )
            near = far.all(axis=2).any(axis=0)
            moves, corners, seen = moves[near], corners[near], seen[near]
        costs = template_costs(seen, self._coarse_templates, self.illuminant)
        least = self.pose_costs(at, base, moves, corners, costs)
        pose = int(least.argmin())
        return float(least[pose]), base, moves[pose], np.argsort(costs[pose])[:3]

    def pose_costs(self, at: Place, base: Floats, moves: Array, corners: Floats, costs: Floats) -> Array:
        """What poses (n) cost whose moves of `base` lead to these corners and costs (n, looks): less the
        clearer their outlines are, more the farther they lie from their place."""
        return np.asarray(
            costs.min(axis=1)
            - self._limits.outline_weight * self.edge_shares(corners)
            + self._limits.offset_penalty * offsets_from_place(at, base, moves)
        )

    def apply_moves(self, base: Floats, moves: Array, view: Array) -> Floats:
        """The triangle `base` (3, 2; in sides) under moves (n, 3: right, down, clockwise), in pixels."""
        return projected(view, _apply_moves(base, moves).reshape(-1, 2)).reshape(-1, 3, 2)

    def edge_shares(self, triangles: Floats, others: Sequence[Floats] = ()) -> Floats:
        """The share of the outline of triangles (n, 3, 2), as far as it does not lie under `others`, along
        which inside and outside differ."""
        steps, at = self._steps(triangles)
        if not others:
            return np.asarray(steps.mean(axis=1), np.float32)
        whole = geometry.to_original(at[1].reshape(len(triangles), -1, 2), self.surface.scale)
        free = ~covered_by(whole, others)
        share = (steps * free).sum(axis=1) / np.maximum(free.sum(axis=1), 1)
        return np.asarray(np.where(free.mean(axis=1) > self._limits.least_visible, share, 0.0), np.float32)

    def _steps(self, triangles: Floats) -> tuple[Floats, Floats]:
        """How clearly inside and outside of triangles (n, 3, 2) differ, 0 to 1, at points all along their
        outlines (n, points), and these points of the surface: inside, on and outside the outline (3, n, 3,
        points of a side, 2)."""
        small = geometry.to_resized(triangles, self.surface.scale)
        after = np.roll(small, -1, axis=1)
        out = np.stack([after[..., 1] - small[..., 1], small[..., 0] - after[..., 0]], axis=-1)
        out /= np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-6)
        shares = np.linspace(0.12, 0.88, 12, dtype=np.float32)[:, None]
        along = small[:, :, None] + shares * (after - small)[:, :, None]
        at = np.stack(
            [
                along + by * out[:, :, None]
                for by in (-self._limits.edge_distance, 0, self._limits.edge_distance)
            ]
        ).astype(np.float32)
        flat = at.reshape(3 * len(triangles), -1, 2)
        seen = cv2.remap(
            self._lab, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        inside, on, outside = seen.reshape(3, len(triangles), -1, 3)
        steps = np.maximum(np.linalg.norm(inside - outside, axis=2), np.linalg.norm(on - inside, axis=2))
        steps = np.minimum(
            steps / (self._limits.edge_change * min(1.0, max(self._limits.dimmest, self.white / WHITE))), 1
        )
        return np.asarray(steps, np.float32), np.asarray(at)


def covered_by(at: Array, others: Sequence[Floats]) -> Array:
    """Which points (..., 2) lie well within one of the triangles (3, 2; clockwise)."""
    found = np.zeros(at.shape[:-1], bool)
    for other in others:
        inner = geometry.grown(other, triangle_limits().places.cover)
        edge = np.roll(inner, -1, axis=0) - inner
        away = at[..., None, :] - inner
        found |= (edge[:, 0] * away[..., 1] - edge[:, 1] * away[..., 0] >= 0).all(axis=-1)
    return found


def _apply_moves(base: Floats, moves: Array) -> Array:
    """The triangle `base` (3, 2) under moves (n, 3: right, down, clockwise): (n, 3, 2)."""
    centre = base.mean(axis=0)
    x, y = (base - centre).T
    cos, sin = np.cos(moves[:, 2:]), np.sin(moves[:, 2:])
    return np.asarray(np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1) + centre + moves[:, None, :2])


def offsets_from_place(at: Place, base: Floats, moves: Array) -> Array:
    """Mean distances (n) of the corners of `base` (3, 2; in sides) under moves (n, 3) from the place's."""
    return np.asarray(np.linalg.norm(_apply_moves(base, moves) - corners_of(at), axis=2).mean(axis=1))


def offset_from_place(at: Place, corners: Floats, view: Array) -> Array:
    """Mean distances (...) in sides of corners (..., 3, 2; pixels) from the place's."""
    off = np.linalg.norm(corners - projected(view, corners_of(at)), axis=-1).mean(axis=-1)
    return np.asarray(off / side_of(corners))


def grid_of_moves(reach: int, turns: int, step: float, twist: float) -> Array:
    """Moves (n, 3: right, down, clockwise) on a grid about none."""
    ticks, twists = np.arange(-reach, reach + 1), np.arange(-turns, turns + 1)
    return np.array([(x, y, t) for x in ticks for y in ticks for t in twists]) * (step, step, twist)


def card_aligned_to(seen: Floats, at: Place) -> Floats:
    """The card of a place moved and turned (nothing else: an outline may be that of its rim) to where a
    triangle (3, 2; in sides, its corners in the place's order) is."""
    card = corners_of(at)
    own, other = card - card.mean(axis=0), seen - seen.mean(axis=0)
    cross = float((own[:, 0] * other[:, 1] - own[:, 1] * other[:, 0]).sum())
    turn = math.atan2(cross, float((own * other).sum()))
    cos, sin = math.cos(turn), math.sin(turn)
    spun = own @ np.array([[cos, sin], [-sin, cos]], np.float32)
    return np.asarray(spun + seen.mean(axis=0), np.float32)


def median_side(corners: Floats) -> float:
    """Median length of the sides of triangles (n, 3, 2)."""
    return float(np.median(side_of(corners)))
