"""Reads a table of triangular cards: which card lies at which place of the triangular lattice.

Outlines of triangles give a first lattice (fit.py) and the cards on it the colour of the lamp (colours.py).
Every place of the lattice and around it is then searched (cells.py), ring by ring, until no card is added.
The sure cards adapt the deck to this picture (colour_adaptation.py); all places are scored again
(place_score.py), doubtful ones with a finer search (pose_refinement.py). A card that cannot be identified is
reported as unsure, with the other card that it may be.

A picture does not show which card was the start card. The table is therefore rotated in steps of 60 degrees
until its rows run across the picture as nearly as possible, and [0, 0] is the card pointing up whose centre
is nearest to the centre of the picture, or to `start`. Callers that know the table rotate (fit.rotated) and
shift the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from companion.core.errors import Unreadable
from companion.core.observations import LatticeCard, Point, View
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image, shrunk
from companion.vision.lattice.added_light import AddedLightModel
from companion.vision.lattice.cells import Cell, LatticePicture, median_side
from companion.vision.lattice.changed import ChangedTable, changed_outlines, have_changed, uncovered
from companion.vision.lattice.colour_adaptation import Anchor, adapt_references
from companion.vision.lattice.colours import (
    Illuminant,
    TriangleTemplates,
    estimate_illuminant,
    likenesses,
    template_costs,
    templates_of,
)
from companion.vision.lattice.fit import (
    Lattice,
    Place,
    aligned,
    corners_of,
    fit_view,
    grow_lattices,
    neighbours,
    projected,
    side_neighbours,
)
from companion.vision.lattice.known_table import NOTHING_KNOWN, KnownTable
from companion.vision.lattice.limits import lattice_limits
from companion.vision.lattice.numbering import number_places
from companion.vision.lattice.place_score import POSSIBLE as MAY_BE
from companion.vision.lattice.place_score import PlaceScore, PlaceScorer
from companion.vision.lattice.pose_refinement import refine_poses, sure_neighbours
from companion.vision.lattice.presence import (
    PRESENT,
    is_plain,
    possible,
    presence_log_odds,
    present,
    without_overlaps,
)
from companion.vision.triangles.appearance import SampledPicture, log_colours, white_of
from companion.vision.triangles.find import find_triangles

LONGEST = 2000
"""Larger pictures are shrunk to this before they are read."""
LEAST_SIMILARITY = 0.22
"""Likeness (colours.likenesses) from which an outline takes part in the first lattice."""
OUTLINE_TOLERANCE = 0.4
"""Mean distance of corners, in sides, up to which an outline may be the card of a place that is tried."""
MOST_LATTICES = 3
"""So many lattices are tried until a card is sure on one."""
LIGHTED = -6.0
"""Log-odds of a card from which a place is compared under added light."""
MOST_PLACES = 80
"""A lattice of more places that look like cards is the pattern of a cloth: a box has 60 cards."""
ROUNDS = 12
SEARCH_ROUND = -3.0
"""Evidence of a card from which others are looked for round it."""
MOVED_PLACE = 0.05
"""Sides by which it must."""


@dataclass(frozen=True)
class LatticeReading:
    """What lies on the table: `cards` that are sure, `unsure` those that are not (or may be none), by
    place. `known`: what later readings of the same table may use."""

    cards: tuple[LatticeCard, ...]
    unsure: tuple[LatticeCard, ...] = ()
    view: View | None = None
    known: KnownTable = NOTHING_KNOWN

    @property
    def table(self) -> dict[Place, str]:
        """The sure cards by place."""
        return {one.at: one.card for one in self.cards}


@dataclass(frozen=True, eq=False)
class ScoredLattice:
    """A lattice: the places that were `tried`; those at which a card may be as the deck shows them as it was
    `enrolled`, and as it is `adapted` to the picture; how the camera sees the table (3, 3), and its lamp."""

    tried: list[Cell]
    enrolled: list[PlaceScore]
    adapted: list[PlaceScore]
    view: Array
    lamp: Illuminant

    @property
    def is_sure(self) -> bool:
        """Whether a card of it is identified."""
        return any(one.is_sure for one in self.adapted)

    @property
    def confidence(self) -> float:
        """The probability of its likeliest card."""
        return max((one.confidence for one in self.adapted), default=0.0)


def read_lattice(
    image: Image,
    deck: Deck,
    start: Point | None = None,
    changed: ChangedTable | None = None,
    known: KnownTable = NOTHING_KNOWN,
) -> LatticeReading:
    """Reads the table.

    Args:
        image: BGR, uint8; at least about 50 pixels a card's side.
        deck: a deck of triangular cards.
        start: a point (pixels) within the start card; None: the centre of the picture.
        changed: where cards may lie; None: everywhere.
        known: what an earlier reading knows of the same table seen by the same camera.

    Returns:
        The sure and the unsure cards by place, with corners in pixels and confidence (0 to 1), and the
        homography from the table to the picture.

    Raises:
        Unreadable: the deck has no triangular cards.
    """
    looks = templates_of_deck(deck)
    small, scale = shrunk(image, LONGEST)
    best = _best_lattice(small, looks, changed, known.scaled(scale))
    if best is None or not best.adapted:
        return LatticeReading((), known=known)
    centre = (small.shape[1] / 2, small.shape[0] / 2)
    if start is not None:
        centre = (start[0] * scale, start[1] * scale)
    likely = [one for one in best.adapted if one.is_sure or one.log_odds >= MAY_BE]
    moved = number_places(likely, best.view, centre)
    found = [_card(at, one, looks, scale) for at, one in sorted(moved.items())]
    sure = tuple(one for one in found if moved[one.at].is_sure)
    unsure = tuple(one for one in found if not moved[one.at].is_sure)
    seen = {card.at: np.asarray(card.corners, np.float32) for card in sure or unsure}
    if not seen:
        return LatticeReading((), known=known)
    whole = fit_view(seen, known.plane)
    return LatticeReading(sure, unsure, _as_view(whole), known.after(sure, whole, best.lamp))


def _as_view(view: Array) -> View:
    """The view as nine numbers."""
    a, b, c, d, e, f, g, h, i = (float(value) for value in (view / view[2, 2]).ravel())
    return a, b, c, d, e, f, g, h, i


def templates_of_deck(deck: Deck) -> TriangleTemplates:
    """The looks of a deck's triangular cards.

    Raises:
        Unreadable: it has none.
    """
    if deck.triangles is None:
        raise Unreadable("deck.no_triangles", name=deck.name)
    levels = deck.triangles.astype(np.float32)
    return templates_of(deck.names, deck.cards, log_colours(levels, white_of(levels)))


# --- the first lattice --------------------------------------------------------------------------------------


def _best_lattice(
    image: Image, looks: TriangleTemplates, changed: ChangedTable | None, known: KnownTable
) -> ScoredLattice | None:
    """The first lattice on which a card is sure, or the one whose likeliest card is likeliest: checks of a
    cloth may be a lattice, too."""
    best: ScoredLattice | None = None
    for scored in scored_lattices(image, looks, changed, known):
        if best is None or scored.confidence > best.confidence:
            best = scored
        if scored.is_sure:
            return scored
    return best


def scored_lattices(
    image: Image, looks: TriangleTemplates, changed: ChangedTable | None, known: KnownTable
) -> Iterator[ScoredLattice]:
    """The lattices on which cards may lie, the likeliest first.

    Args:
        image: BGR, uint8, of LONGEST pixels at most.
        looks: those of the deck.
        changed: where cards may lie; None: everywhere.
        known: what an earlier reading knows of the same table.
    """
    size = (image.shape[0], image.shape[1])
    triangles = find_triangles(image)
    triangles = triangles[have_changed(triangles, changed, size)]
    triangles = np.concatenate([triangles.reshape(-1, 3, 2), changed_outlines(changed, size)])
    triangles = np.concatenate([triangles, _not_found(known.outlines, triangles)])

    def may_lie(at: Place, view: Array) -> bool:
        return bool(have_changed(projected(view, corners_of(at))[None], changed, size)[0])

    for lattice, table in _candidate_lattices(image, triangles, looks, known):
        tried, view = _tried_cells(lattice, table, triangles, may_lie, known)
        enrolled, adapted = _scored(list(possible(tried).values()), view, table)
        yield ScoredLattice(
            list(tried.values()), enrolled, _explained(adapted, changed, size), view, table.illuminant
        )


def _not_found(known: Floats, triangles: Floats) -> Floats:
    """The outlines of known cards (n, 3, 2) at which no triangle was found."""
    if not len(known) or not len(triangles):
        return known
    away = np.linalg.norm(known.mean(axis=1)[:, None] - triangles.mean(axis=1)[None], axis=2).min(axis=1)
    return np.asarray(known[away > OUTLINE_TOLERANCE * median_side(known)])


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
    scorer = PlaceScorer(table, lattice_limits())
    enrolled = _score_cells(cells, view, table, scorer)
    anchors = [_anchor(one, table) for one in enrolled if one.is_sure]
    table.templates = adapt_references(table.templates, table.illuminant, anchors)
    first = refine_poses(_score_cells(cells, view, table, scorer), view, table, scorer)
    known, lighted = {one.cell.at: one for one in first}, AddedLightModel(table)
    last = [
        scorer.last(one, sure_neighbours(one.cell.at, known), lighted) if one.log_odds >= LIGHTED else one
        for one in first
    ]
    return enrolled, last


def _candidate_lattices(
    image: Image, triangles: Floats, looks: TriangleTemplates, known: KnownTable
) -> Iterator[tuple[Lattice, LatticePicture]]:
    """The lattices of outlines that look like cards whatever the lamp, and the table under the lamp of
    each."""
    if not len(triangles):
        return
    colours = SampledPicture(image, median_side(triangles)).colours(triangles)
    like = likenesses(log_colours(colours, white_of(colours)), looks)
    order = np.argsort(-like)
    order = order[like[order] > LEAST_SIMILARITY]
    for lattice in grow_lattices(
        np.asarray(triangles[order], np.float32), like[order], MOST_LATTICES, known.plane
    ):
        corners = np.stack(list(lattice.corners.values()))
        table = LatticePicture(image, median_side(corners), looks)
        table.white = white_of(table.surface.colours(corners))
        table.illuminant = estimate_illuminant(table.sample(corners), looks, known.lamp)
        yield lattice, table


# --- all places ---------------------------------------------------------------------------------------------


def _tried_cells(
    lattice: Lattice,
    table: LatticePicture,
    triangles: Floats,
    may_lie: Callable[[Place, Array], bool],
    known: KnownTable,
) -> tuple[dict[Place, Cell], Array]:
    """Every place that was tried, and the view of the table fitted to those at which a card lies. No place
    if it is the pattern of a cloth."""
    view = lattice.view
    cells = {at: table.search(at, view, [seen]) for at, seen in lattice.corners.items()}
    without_overlaps(cells)
    there = present(cells)
    if not there:
        return cells, view
    table.illuminant = estimate_illuminant(
        table.sample(np.stack([cells[at].corners for at in there])), table.templates, known.lamp
    )
    cells = {at: table.score_pose(at, cell.corners, view) for at, cell in cells.items()}
    missed: dict[Place, Cell] = {}
    looked: dict[Place, Floats] = {}
    veiled: set[Place] = set()
    for _ in range(ROUNDS):
        there = present(cells)
        if len(there) > MOST_PLACES:
            return {}, view
        view = fit_view({at: cells[at].corners for at in there}, known.plane) if there else view
        ring = {n for at in there if presence_log_odds(cells[at]) >= SEARCH_ROUND for n in neighbours(at)}
        doubtful = [
            at
            for at in ring | set(there)
            if (at not in cells or not is_plain(cells[at])) and may_lie(at, view)
        ]
        beside = {at for at in doubtful if not set(there).isdisjoint(side_neighbours(at))}
        again = [at for at in doubtful if _has_moved(at, view, looked) or at in beside - veiled]
        veiled |= beside
        if not again:
            break
        looked |= {at: projected(view, corners_of(at)) for at in again}
        tried = {
            at: _search_place(at, view, table, triangles, cells if at in beside else None) for at in again
        }
        better = {
            at: c
            for at, c in tried.items()
            if at not in cells or presence_log_odds(c) > presence_log_odds(cells[at])
        }
        cells.update({at: cell for at, cell in better.items() if presence_log_odds(cell) >= PRESENT})
        missed.update({at: cell for at, cell in better.items() if presence_log_odds(cell) < PRESENT})
        without_overlaps(cells)
    return {**missed, **cells}, view


def _search_place(
    at: Place, view: Array, table: LatticePicture, triangles: Floats, cells: dict[Place, Cell] | None
) -> Cell:
    """What a place shows; what does not plainly show a card is looked at under veils, and without what other
    plain cards may cover, if it lies beside cards (`cells`; None: it does not)."""
    starts = _outlines_near(at, view, triangles)
    cell = table.search(at, view, starts)
    if is_plain(cell) or cells is None:
        return cell
    others = [cells[n].corners for n in neighbours(at) if n in cells and is_plain(cells[n])]
    other = table.search_under_glare(at, view, starts, others)
    return other if other is not None and presence_log_odds(other) > presence_log_odds(cell) else cell


def _score_cells(
    cells: list[Cell], view: Array, table: LatticePicture, scorer: PlaceScorer
) -> list[PlaceScore]:
    """What each place shows after all steps."""
    plain = {cell.at: cell.corners for cell in cells if is_plain(cell)}
    found = []
    for cell in cells:
        others = [plain[at] for at in neighbours(cell.at) if at in plain]
        # the view has moved since the place was tried
        cell = table.score_pose(cell.at, cell.corners, view)
        found.append(scorer.first(cell, others))
    return found


def _anchor(one: PlaceScore, table: LatticePicture) -> Anchor:
    """A card that is sure, for the deck to be brought to this picture."""
    seen = table.sample(one.cell.corners)
    costs = template_costs(seen[None], table.templates, table.illuminant)[0]
    costs = np.where(table.templates.cards == one.card, costs, np.inf)
    return Anchor(int(costs.argmin()), seen, ~table.burnt(one.cell.corners))


def _has_moved(at: Place, view: Array, looked: dict[Place, Floats]) -> bool:
    """Whether a place is to be looked at again: the view puts it elsewhere than at the last look."""
    if at not in looked:
        return True
    now = projected(view, corners_of(at))
    return float(np.abs(now - looked[at]).max()) > MOVED_PLACE * median_side(now[None])


def _outlines_near(at: Place, view: Array, triangles: Floats) -> list[Floats]:
    """The outlines that may be the card of a place."""
    expected = projected(view, corners_of(at))
    side = median_side(expected[None])
    near = np.linalg.norm(triangles.mean(axis=1) - expected.mean(axis=0), axis=1) < 0.4 * side
    found = [aligned(one, expected) for one in triangles[near]]
    return [seen for seen, away in found if away < OUTLINE_TOLERANCE * side][:3]


def _card(at: Place, one: PlaceScore, looks: TriangleTemplates, scale: float) -> LatticeCard:
    corners = geometry.to_original(one.cell.corners, scale)
    a, b, c = ((round(float(x), 1), round(float(y), 1)) for x, y in corners)
    other = None if one.is_sure or one.second is None else looks.labels[one.second]
    return LatticeCard(at, looks.labels[one.card], one.confidence, (a, b, c), other)
