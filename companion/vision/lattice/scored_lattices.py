"""Finds the lattices on which the cards of a picture may lie, and scores what each shows at every place.

Outlines of triangles give a first lattice (fit.py) and the cards on it the colour of the lamp (lamp.py).
Every place is then searched (place_search.py). The sure cards, named by the network that chose the lamp,
adapt the deck to this picture (colour_adaptation.py); all places are scored again (place_score.py), doubtful
ones with a finer search (pose_refinement.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Array, Floats, Image
from companion.vision.lattice.added_light import AddedLightModel
from companion.vision.lattice.card_comparison import card_log_odds, seen_colours
from companion.vision.lattice.cells import Cell, LatticePicture, median_side
from companion.vision.lattice.changed import ChangedTable, changed_outlines, have_changed, uncovered
from companion.vision.lattice.colour_adaptation import Anchor, adapt_references
from companion.vision.lattice.colours import (
    TriangleTemplates,
    likenesses,
    template_costs,
)
from companion.vision.lattice.fit import Lattice, Place, corners_of, grow_lattices, neighbours, projected
from companion.vision.lattice.known_table import KnownTable
from companion.vision.lattice.lamp import LikelyLamp, likely_lamps, weighed_lamps
from companion.vision.lattice.limits import lattice_limits
from companion.vision.lattice.place_score import SMALLEST, PlaceScore, PlaceScorer
from companion.vision.lattice.place_search import possible, tried_cells
from companion.vision.lattice.pose_refinement import refine_poses, sure_neighbours
from companion.vision.triangles.appearance import SampledPicture, log_colours, white_of
from companion.vision.triangles.find import find_corner_triangles, find_triangles
from companion.vision.triangles.limits import triangle_limits

MOST_LATTICES = 3
"""So many lattices are tried until a card is sure on one."""


@dataclass(frozen=True, eq=False)
class ScoredLattice:
    """A lattice: the places that were `tried`; those at which a card may be as the deck shows them as it was
    `enrolled`, and as it is `adapted` to the picture; the `lamps` that the table may have; how the camera
    sees the table (3, 3), and the picture with that deck and its likeliest lamp."""

    tried: list[Cell]
    enrolled: list[PlaceScore]
    adapted: list[PlaceScore]
    lamps: list[LikelyLamp]
    view: Array
    table: LatticePicture

    @property
    def is_sure(self) -> bool:
        """Whether a card of it is identified."""
        return any(one.is_sure for one in self.adapted)

    @property
    def confidence(self) -> float:
        """The probability of its likeliest card."""
        return max((one.confidence for one in self.adapted), default=0.0)

    @property
    def is_certain(self) -> bool:
        """Whether a card of it is all but certain, and the network finds a card wherever one is sure."""
        sure = [one.cell.corners for one in self.adapted if one.is_sure]
        if self.confidence < 1 - triangle_limits().doubts.negligible:
            return False
        seen = seen_colours(self.table, np.stack(sure))
        odds = card_log_odds(seen, self.table, self.table.templates, self.table.illuminant)
        return bool((np.logaddexp.reduce(odds, axis=1) > 0).all())


def under_lamps(lattice: ScoredLattice, looks: TriangleTemplates, known: KnownTable) -> list[PlaceScore]:
    """The adapted places, with no card surer than the lamp. How likely each lamp is say all sure cards; how
    much likelier each card is under a lamp than under that of the reading says the network, by the deck as
    it was enrolled (`looks`)."""
    sure = [one for one in lattice.adapted if one.is_sure]
    least = triangle_limits().doubts.negligible
    tried = [one.illuminant for one in lattice.lamps if one.probability > least]
    if not sure or len(tried) < 2:
        return lattice.adapted
    corners = np.stack([one.cell.corners for one in sure])
    kinds = len({one.card for one in sure})
    lamps = weighed_lamps(tried, lattice.table, looks, corners, known.lamp, kinds)
    told = np.log(np.maximum([one.probabilities for one in sure], SMALLEST))
    found = np.zeros_like(told)
    for lamp in lamps:
        odds = told + lamp.evidence.log_odds - lamps[0].evidence.log_odds
        found += lamp.probability * np.exp(odds - np.logaddexp.reduce(odds, axis=1)[:, None])
    under = {one.cell.at: one.shared_by(by) for one, by in zip(sure, found, strict=True)}
    return [under.get(one.cell.at, one) for one in lattice.adapted]


def scored_lattices(
    image: Image, looks: TriangleTemplates, changed: ChangedTable | None, known: KnownTable
) -> Iterator[ScoredLattice]:
    """The lattices on which cards may lie, by outlines of single cards, the likeliest first.

    Args:
        image: BGR, uint8, of LONGEST pixels at most.
        looks: those of the deck.
        changed: where cards may lie; None: everywhere.
        known: what an earlier reading knows of the same table.
    """
    size = (image.shape[0], image.shape[1])
    found = np.concatenate([find_triangles(image), changed_outlines(changed, size), known.outlines])
    return _lattices_of(found, image, looks, changed, known)


def certain_lattices(image: Image, looks: TriangleTemplates, known: KnownTable) -> Iterator[ScoredLattice]:
    """The lattices by sharp corners of outlines that cards side by side have together. Other things have such
    corners, too: only those that are certain."""
    found = _lattices_of(find_corner_triangles(image), image, looks, None, known)
    return (one for one in found if one.is_certain)


def _lattices_of(
    outlines: Floats, image: Image, looks: TriangleTemplates, changed: ChangedTable | None, known: KnownTable
) -> Iterator[ScoredLattice]:
    """The lattices of these outlines (n, 3, 2; pixels)."""
    size = (image.shape[0], image.shape[1])
    triangles = outlines[have_changed(outlines, changed, size)]

    def may_lie(at: Place, view: Array) -> bool:
        return bool(have_changed(projected(view, corners_of(at))[None], changed, size)[0])

    for lattice, table, lamps in _candidate_lattices(image, triangles, looks, known):
        tried, view, lamps = tried_cells(lattice, table, lamps, triangles, may_lie, known)
        enrolled, adapted = _scored(list(possible(tried).values()), view, table)
        explained = _explained(adapted, changed, size)
        yield ScoredLattice(list(tried.values()), enrolled, explained, lamps, view, table)


def _explained(
    scored: list[PlaceScore], changed: ChangedTable | None, size: tuple[int, int]
) -> list[PlaceScore]:
    """The places without the doubtful ones at which nothing has changed but what sure cards cover."""
    sure = [one.cell.corners for one in scored if one.is_sure]
    if changed is None or not sure:
        return scored
    rest = uncovered(changed, np.stack(sure), size)
    corners = np.stack([one.cell.corners for one in scored])
    alone = have_changed(corners, rest, size)
    return [one for one, yes in zip(scored, alone, strict=True) if yes or one.is_sure]


def _scored(cells: list[Cell], view: Array, table: LatticePicture) -> tuple[list[PlaceScore], ...]:
    """All places by the deck as it was enrolled, and by the deck adapted to this picture: what is in doubt
    laid anew, what is likely compared under added light."""
    scorer, unlikely = PlaceScorer(table, lattice_limits()), triangle_limits().doubts.unlikely
    enrolled = _score_cells(cells, view, table, scorer)
    anchors = _anchors([one.cell.corners for one in enrolled if one.is_sure], table)
    table.templates = adapt_references(table.templates, table.illuminant, anchors)
    first = refine_poses(_score_cells(cells, view, table, scorer), view, table, scorer)
    known, lighted = {one.cell.at: one for one in first}, AddedLightModel(table)
    last = [
        scorer.last(one, sure_neighbours(one.cell.at, known), lighted) if one.log_odds >= unlikely else one
        for one in first
    ]
    return enrolled, last


def _candidate_lattices(
    image: Image, triangles: Floats, looks: TriangleTemplates, known: KnownTable
) -> Iterator[tuple[Lattice, LatticePicture, list[LikelyLamp]]]:
    """The lattices of outlines that look like cards whatever the lamp, the table under the lamp of each, and
    the lamps that it may have."""
    if not len(triangles):
        return
    colours = SampledPicture(image, median_side(triangles)).colours(triangles)
    like = likenesses(log_colours(colours, white_of(colours)), looks)
    order = np.argsort(-like)
    order = order[like[order] > triangle_limits().outlines.likeness]
    for lattice in grow_lattices(
        np.asarray(triangles[order], np.float32), like[order], MOST_LATTICES, known.plane
    ):
        corners = np.stack(list(lattice.corners.values()))
        table = LatticePicture(image, median_side(corners), looks)
        table.white = white_of(table.surface.colours(corners))
        lamps = likely_lamps(table, corners, known.lamp)
        table.illuminant = lamps[0].illuminant
        yield lattice, table, lamps


def _score_cells(
    cells: list[Cell], view: Array, table: LatticePicture, scorer: PlaceScorer
) -> list[PlaceScore]:
    """What each place shows after all steps."""
    plain = {cell.at: cell.corners for cell in cells if cell.is_plain}
    found = []
    for cell in cells:
        others = [plain[at] for at in neighbours(cell.at) if at in plain]
        # the view has moved since the place was tried
        cell = table.score_pose(cell.at, cell.corners, view)
        found.append(scorer.first(cell, others))
    return found


def _anchors(corners: Sequence[Floats], table: LatticePicture) -> list[Anchor]:
    """The cards that are sure, at `corners` (3, 2 each; pixels), by which the deck is adapted to the picture.
    The network names them: if colours did, an orange card taken for yellow would make the deck's yellow
    orange, and the error certain."""
    if not corners:
        return []
    there = np.stack(corners)
    seen = table.sample(there)
    named = card_log_odds(seen_colours(table, there), table, table.templates, table.illuminant).argmax(axis=1)
    costs = template_costs(seen, table.templates, table.illuminant)
    looks = np.where(table.templates.cards == named[:, None], costs, np.inf).argmin(axis=1)
    shown = zip(looks, seen, ~table.burnt(there), strict=True)
    return [Anchor(int(look), own, open_) for look, own, open_ in shown]
