"""Photographs of tables of triangular cards as views of places.

    python -m models.vision.triangles.samples --work DIR --count N [--first I] [--left-out]

Writes DIR/triangles/NNNNN.npz: the looks of a deck under the lamp that was estimated, and of places of one
photograph what is seen there (card_views.py) and which card lies there: its number, NO_CARD. A card is seen
as it lies, a little aside, and far aside, where it is none. Some photographs are searched as a reading does,
and all places that it tried are kept. Decks are those of decks.py; tables, lamps, shadows and hands those of
models.vision.triangles.tables. Packages and licences are those of models.vision.namer.sources."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.card_views import view_points
from companion.vision.lattice.cells import LatticePicture, covered_by
from companion.vision.lattice.colour_adaptation import Anchor, adapt_references
from companion.vision.lattice.colours import (
    Illuminant,
    TriangleTemplates,
    likely_illuminants,
    template_costs,
    templates_of,
)
from companion.vision.lattice.fit import Place, corners_of, fit_view, neighbours, projected
from companion.vision.lattice.known_table import NOTHING_KNOWN
from companion.vision.lattice.scored_lattices import scored_lattices
from companion.vision.triangles.appearance import log_colours, white_of
from companion.vision.triangles.enrol import learn_triangles
from companion.vision.triangles.find import side_of
from models.vision.namer.sources import symbol_faces
from models.vision.sample_files import sample_run
from models.vision.triangles.decks import made_faces
from models.vision.triangles.tables import Board, Faces, Hard, photograph, pictures_of, random_table

Rng = np.random.Generator
NO_CARD = -1
ASIDE = ((0.015, 2.0), (0.03, 4.0), (0.06, 7.0))
"""Deviations (sides, degrees) of the views of a card from where it lies."""
OWN, OTHER = 0.07, 0.16
"""Mean distance of corners, in sides, up to which a view shows its card, and from which it shows none."""
EMPTY_TRIES = 6
"""Poses of an empty place, of which the one most like a card is kept."""
SEARCHED = 0.08
"""Share of the photographs that are searched as a reading does."""
KNOWN_LAMP = 0.3
"""Share of the photographs whose lamp is estimated a little wrong: by this deviation (logarithm)."""
LAMP_ERROR = 0.07


@dataclass(frozen=True, eq=False)
class LatticeViews:
    """The views of a photograph: colours (n, points, 3), which points another card may cover (n, points), and
    the card of each (n,)."""

    colours: Floats
    covered: Array
    truth: Array


def random_hard(rng: Rng) -> Hard:
    """How hard a photograph is."""
    return Hard(
        place=float(rng.uniform(2, 7)), turn=float(rng.uniform(3, 10)), lamp=0.75, shadow=0.45,
        shine=float(rng.choice([0.3, 0.7])), hand=float(rng.choice([0.0, 0.4])),
    )  # fmt: skip


def looks_of(faces: Faces, rng: Rng) -> TriangleTemplates | None:
    """The looks of a deck as an owner enrols it; None if its cards are not found."""
    outside = (255.0, 0.0, 120.0)[int(rng.integers(3))]
    learned = learn_triangles(list(pictures_of(faces, rng, outside).values()))
    if learned is None:
        return None
    levels = learned.astype(np.float32)
    return templates_of(tuple(faces), np.arange(len(faces)), log_colours(levels, white_of(levels)))


def laid_aside(corners: Floats, place: float, turn: float, rng: Rng) -> Floats:
    """A triangle (3, 2) moved and turned by deviations `place` (sides) and `turn` (degrees)."""
    middle, angle = corners.mean(axis=0), math.radians(rng.normal(0, turn))
    spin = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    moved = (corners - middle) @ spin * (1 + rng.normal(0, 0.01)) + middle
    return np.asarray(moved + rng.normal(0, place, 2) * float(side_of(corners)), np.float32)


def prepared(
    board: Board, laid: Mapping[Place, Floats], looks: TriangleTemplates, rng: Rng
) -> LatticePicture:
    """The table under its lamp, as some of its cards show it; the deck is adapted by some of them."""
    places = [at for at in laid if at not in board.hidden]
    chosen = [places[int(i)] for i in rng.permutation(len(places))[: max(1, round(len(places) * 0.8))]]
    corners = np.stack([laid_aside(laid[at], *ASIDE[0], rng) for at in chosen])
    table = LatticePicture(board.picture, float(np.median(side_of(corners))), looks)
    table.white = white_of(table.surface.colours(corners))
    lamp = likely_illuminants(table.sample(corners), looks)[0]
    if rng.random() < KNOWN_LAMP:
        wrong = rng.normal(0, LAMP_ERROR, 2).astype(np.float32)
        lamp = Illuminant(lamp.colour + wrong, lamp.brightness + float(rng.normal(0, LAMP_ERROR)))
    table.illuminant = lamp
    if rng.random() < 0.6:
        kept = rng.random(len(chosen)) < rng.uniform(0.3, 1)
        anchors = [
            anchor
            for at, one, yes in zip(chosen, corners, kept, strict=True)
            if yes and (anchor := _anchor(table, one, looks.labels.index(board.cards[at]))) is not None
        ]
        table.templates = adapt_references(looks, lamp, anchors)
    return table


def _anchor(table: LatticePicture, corners: Floats, card: int) -> Anchor | None:
    """A card that adapts the deck, if it looks like itself."""
    seen, burnt = table.sample(corners), table.burnt(corners)
    costs = template_costs(seen[None], table.templates, table.illuminant)[0]
    own = np.where(table.templates.cards == card, costs, np.inf)
    if table.templates.cards[int(costs.argmin())] != card or burnt.mean() > 0.3:
        return None
    return Anchor(int(own.argmin()), seen, ~burnt)


def card_at(corners: Floats, board: Board, labels: Sequence[str]) -> int | None:
    """The card that a view shows, NO_CARD, or None where one lies a little aside or under a hand."""
    assert board.corners is not None
    side, found = float(side_of(corners)), NO_CARD
    for at, own in board.corners.items():
        if np.abs(own.mean(axis=0) - corners.mean(axis=0)).max() > side / 2:
            continue
        away = min(
            float(np.linalg.norm(np.roll(own, turn, axis=0) - corners, axis=1).mean()) for turn in range(3)
        )
        if away < OTHER * side:
            if away > OWN * side or at in board.hidden:
                return None
            found = labels.index(board.cards[at])
    return found


def poses(board: Board, table: LatticePicture, rng: Rng) -> Iterator[tuple[Floats, list[Floats]]]:
    """Triangles (3, 2) that are looked at, and the cards round each that are known to lie there."""
    laid = {at: np.asarray(one, np.float32) for at, one in (board.corners or {}).items()}
    view = fit_view(laid)
    ring = {n for at in laid for n in neighbours(at)} - set(laid)
    for at, own in laid.items():
        others = [laid[n] for n in neighbours(at) if n in laid and rng.random() < 0.6]
        for place, turn in ASIDE:
            yield laid_aside(own, place, turn, rng), others
        if rng.random() < 0.6:
            yield laid_aside(own, 0.2, 20.0, rng), others
    for at in ring:
        expected = projected(view, corners_of(at))
        if expected.min() < -20 or (expected.max(axis=0) > np.array(board.picture.shape[1::-1]) + 20).any():
            continue
        others = [laid[n] for n in neighbours(at) if n in laid and rng.random() < 0.6]
        tried = np.stack([laid_aside(expected, 0.08, 9.0, rng) for _ in range(EMPTY_TRIES)])
        costs = template_costs(table.sample(tried), table.templates, table.illuminant).min(axis=1)
        costs = costs - 0.06 * table.edge_shares(tried)
        if rng.random() < 0.6:
            yield tried[int(costs.argmin())], others


def views(board: Board, table: LatticePicture, tried: Iterator[tuple[Floats, list[Floats]]]) -> LatticeViews:
    """What is seen of triangles."""
    colours, covered, truth = [], [], []
    for corners, others in tried:
        card = card_at(corners, board, table.templates.labels)
        if card is None:
            continue
        at = view_points() @ corners
        colours.append(table.surface.colours_at(at))
        covered.append(covered_by(at, others))
        truth.append(card)
    return LatticeViews(np.array(colours, np.float32), np.array(covered), np.array(truth))


def searched(board: Board, looks: TriangleTemplates) -> tuple[LatticePicture, LatticeViews] | None:
    """The places that a reading tries, under the lamp that it estimates."""
    for lattice in scored_lattices(board.picture, looks, None, NOTHING_KNOWN):
        cells = {cell.at: cell.corners for cell in lattice.tried}
        cells |= {one.cell.at: one.cell.corners for one in lattice.adapted}
        sure = {one.cell.at: one.cell.corners for one in lattice.adapted if one.is_sure}
        if not cells:
            continue
        corners = np.stack(list(cells.values()))
        table = LatticePicture(board.picture, float(np.median(side_of(corners))), looks)
        there = np.stack(list((sure or cells).values()))
        table.white, table.illuminant = white_of(table.surface.colours(there)), lattice.table.illuminant
        tried = [(one, [sure[n] for n in neighbours(at) if n in sure]) for at, one in cells.items()]
        return table, views(board, table, iter(tried))
    return None


def photographed(
    faces: Faces, looks: TriangleTemplates, rng: Rng
) -> tuple[LatticePicture, LatticeViews] | None:
    """The views of one photograph."""
    hard, search = random_hard(rng), rng.random() < SEARCHED
    count = int(rng.integers(2, 26)) if rng.random() < 0.8 else int(rng.integers(1, 6))
    if search and rng.random() < 0.4:
        glass = {label: face * (1.0, 1.0, 1.0, 0.0) for label, face in faces.items()}
        board = replace(photograph({(0, 0): next(iter(glass))}, glass, hard, rng), corners={})
    else:
        board = photograph(random_table(list(faces), count, rng), faces, hard, rng)
    if search:
        return searched(board, looks)
    laid = {at: np.asarray(one, np.float32) for at, one in (board.corners or {}).items()}
    if len(laid) <= len(board.hidden):
        return None
    table = prepared(board, laid, looks, rng)
    return table, views(board, table, poses(board, table, rng))


def main() -> None:
    """The command."""
    run = sample_run(__doc__, "triangles")
    typefaces = list(symbol_faces(run.work))
    for number in run.numbers:
        rng = np.random.default_rng([number, int(run.left_out), 3])
        faces = made_faces(typefaces, rng)
        looks = looks_of(faces, rng)
        found = None if looks is None else photographed(faces, looks, rng)
        if found is None or not len(found[1].truth):
            continue
        table, seen = found
        lamp = table.illuminant
        np.savez_compressed(
            run.folder / f"{number:05d}.npz", looks=table.templates.values.astype(np.float16),
            cards=table.templates.cards, lamp=np.array([*lamp.colour, lamp.brightness], np.float32),
            whites=np.array([table.white, *table.surface.white], np.float32),
            colours=np.round(seen.colours).astype(np.uint8), covered=seen.covered, truth=seen.truth,
        )  # fmt: skip


if __name__ == "__main__":
    main()
