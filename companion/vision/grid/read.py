"""The field of 13 Monsters: nine by nine places, each with a card face down or up, a die on it, or nothing.

Most cards lie face down and look alike: the picture that most places share is the back. What differs from it
is a die (only the middle does), a card turned over (the deck knows it) or no card.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from companion.core.observations import Sighting
from companion.vision.cards.verified_places import (
    LikelyPlace,
    VerifiedCard,
    likeliest_card,
    place_candidates,
)
from companion.vision.deck.deck import Deck
from companion.vision.dice.read import read_dice
from companion.vision.finder.network import card_seen
from companion.vision.grid.field import (
    PATCH,
    SIDE,
    CardGrid,
    card_quads,
    correlation,
    find_grid,
    laid_on_back,
    patch,
    quad_at,
)
from companion.vision.grid.limits import grid_limits
from companion.vision.image import geometry
from companion.vision.image.exposure import CLIPPED
from companion.vision.image.picture import Array, Floats, Image, cut_around
from companion.vision.image.quads import find_quads
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.limits import search_limits
from companion.vision.match.suppression import same_place
from companion.vision.verifier.limits import verifier_limits

SEARCH_SIDE = 1440
"""Pixels of the longer side in which outlines are searched for."""
_MIDDLE = np.zeros((PATCH[1], PATCH[0]), bool)
_MIDDLE[6:26, 4:20] = True

State = Literal["down", "up", "empty", "unclear", "hidden"]
"""`hidden`: a mirrored lamp burns it out since the first picture; a card face down may lie there, or none."""


@dataclass(frozen=True)
class GridPlace:
    """One place of the field."""

    at: tuple[int, int]
    """Row and column, 0-8, from the reader's far left."""
    state: State
    quad: Floats
    """Where its card lies or would lie, pixels."""
    card: Sighting | None = None
    """The card turned over."""
    die: int | None = None
    """The value of a die on a card face down; 0 for a die that cannot be read."""


@dataclass(frozen=True)
class GridReading:
    """The field as a picture shows it."""

    field: CardGrid
    places: tuple[GridPlace, ...]
    """81, row by row."""
    patches: tuple[Array, ...]
    """What each looks like, small and normalised."""
    typical: float
    """How the middles of undisturbed backs correlate with the back."""
    hidden: Mapping[int, Array]
    """What the places looked like that were hidden in the first picture, by their numbers."""

    def at(self, row: int, column: int) -> GridPlace:
        """One place."""
        return self.places[SIDE * row + column]

    def shows(self, number: int, seen: Array) -> bool:
        """Whether a place that looks like this now (a patch) is as it was read."""
        return self.places[number].state != "unclear" and _same(self.patches[number], seen)


@dataclass(frozen=True)
class GridChange:
    """What became of a place between two pictures."""

    at: tuple[int, int]
    kind: Literal["turned_up", "turned_down", "removed", "laid", "frozen", "thawed"]
    card: Sighting | None = None
    die: int | None = None


def read_grid(image: Image, deck: Deck, before: GridReading | None = None) -> GridReading:
    """The field in a picture.

    Args:
        image: seen from the reader's side, the whole field in it.
        deck: the enrolled cards.
        before: an earlier picture by the same camera. Once border rows are empty only that tells which row is
            which, and once few cards are left what the back looks like; places that look the same are not
            read again.

    Returns:
        The 81 places, row by row, each with its state, quad, card and die.

    Raises:
        Unreadable: there is no field, or it cannot be identified where it begins.
    """
    spots = [(row, column) for row in range(SIDE) for column in range(SIDE)]
    quads = card_quads(find_quads(image, SEARCH_SIDE))
    field = before.field if before is not None else find_grid(image, quads)
    patches = [patch(image, quad_at(field, at)) for at in spots]
    looks = {
        k: compare_with_back(image, field, at, quads)
        for k, at in enumerate(spots)
        if before is None or not before.shows(k, patches[k])
    }
    backs = [look.middle for look in looks.values() if look.whole > grid_limits().places.back]
    typical = before.typical if before is not None else float(np.median(backs)) if backs else 1.0
    hidden = before.hidden if before is not None else {}
    scene, places = PicturePyramid(image), dict(enumerate(before.places if before is not None else ()))
    for k, look in looks.items():
        place = _classify_place(scene, deck, field, look, typical)
        if place.state in ("empty", "unclear"):
            place = _under_a_lamp(scene, place, patches[k], hidden.get(k), first=before is None)
        places[k] = place
    if before is None:
        hidden = {k: patches[k] for k, place in places.items() if place.state == "hidden"}
    read = tuple(places[k] for k in range(len(spots)))
    return GridReading(field, read, tuple(patches), typical, hidden)


def read_turned_up(
    image: Image, deck: Deck, before: GridReading, among: Iterable[tuple[int, int]]
) -> GridReading:
    """The reading with those of some places that show a card face up by now.

    The others stay as they were: something moves in the picture, and a place under a hand is not empty.
    """
    quads = card_quads(find_quads(image, SEARCH_SIDE))
    scene, places, patches = PicturePyramid(image), list(before.places), list(before.patches)
    for row, column in among:
        look = compare_with_back(image, before.field, (row, column), quads)
        place = _classify_place(scene, deck, before.field, look, before.typical)
        if place.state == "up":
            number = SIDE * row + column
            places[number] = place
            patches[number] = patch(image, quad_at(before.field, place.at))
    return replace(before, places=tuple(places), patches=tuple(patches))


def _under_a_lamp(
    scene: PicturePyramid, place: GridPlace, seen: Array, at_first: Array | None, *, first: bool
) -> GridPlace:
    """A place in which neither the back nor a card can be told, once more: in the first picture of a table it
    is hidden if it is burnt out; later, if it looks as it did then (`at_first`), and unclear if it is burnt
    out and looks different."""
    if not first and at_first is None:
        return place
    if at_first is not None and _same(at_first, seen):
        return replace(place, state="hidden")
    if not _is_burnt_out(scene.image, place.quad):
        return place
    return replace(place, state="hidden" if first else "unclear")


def _is_burnt_out(image: Image, quad: Floats) -> bool:
    """Whether a lamp hides a part of a place."""
    matrix = geometry.homography(quad, geometry.rectangle(0, 0, *PATCH))
    seen = cv2.warpPerspective(image, matrix, PATCH)
    return float((seen.min(axis=2) >= CLIPPED).mean()) > grid_limits().places.burnt


def moved_grid(reading: GridReading, motion: Floats) -> GridReading:
    """The field as read, after the camera was bumped: `motion` (2 x 3) takes pixels to their new places."""
    whole = np.vstack([motion, [0.0, 0.0, 1.0]])
    field = replace(reading.field, matrix=whole @ reading.field.matrix)
    places = tuple(replace(place, quad=geometry.transform(place.quad, motion)) for place in reading.places)
    return replace(reading, field=field, places=places)


def _same(one: Array, other: Array) -> bool:
    """Whether a place looks as it did."""
    if not one.any() or not other.any():
        return not one.any() and not other.any()
    return float((one * other).mean()) > grid_limits().places.same


def find_changes(before: GridReading, after: GridReading) -> list[GridChange]:
    """What happened on the field between two pictures, row by row; what is unclear in either is left out."""
    found = []
    for old, new in zip(before.places, after.places, strict=True):
        if "unclear" in (old.state, new.state):
            continue
        if new.state == "up" and (old.state != "up" or _label(old) != _label(new)):
            found.append(GridChange(new.at, "turned_up", card=new.card))
        elif old.state != new.state and (old.state, new.state) != ("hidden", "down"):
            down: Literal["laid", "turned_down"] = "laid" if old.state == "empty" else "turned_down"
            gone: dict[State, Literal["removed", "laid", "turned_down"]]
            gone = {"empty": "removed", "down": down, "hidden": down}
            found.append(GridChange(new.at, gone[new.state]))
        if new.die != old.die and new.state == "down":
            kind: Literal["frozen", "thawed"] = "thawed" if new.die is None else "frozen"
            found.append(GridChange(new.at, kind, die=new.die))
    return found


def _label(place: GridPlace) -> str | None:
    return place.card.label if place.card is not None else None


@dataclass(frozen=True)
class BackComparison:
    """How a place compares with the back: the outline of it that is most like the back, the one that the
    lattice predicts, and the correlations over the whole card, its rim and its middle."""

    at: tuple[int, int]
    quad: Floats
    predicted: Floats
    whole: float
    rim: float
    middle: float


def compare_with_back(
    image: Image, field: CardGrid, at: tuple[int, int], quads: list[Floats]
) -> BackComparison:
    """Compares a place with the back: on the outlines found there, where the lattice wants it, and on the
    best of these aligned with the back."""
    limits, predicted = grid_limits(), quad_at(field, at)
    middle, reach = predicted.mean(axis=0), limits.lattice.beside * geometry.width_of(predicted)
    size = geometry.area(predicted)
    near = [
        quad
        for quad in quads
        if np.linalg.norm(quad.mean(axis=0) - middle) < reach
        and 1 / limits.lattice.size < geometry.area(quad) / size < limits.lattice.size
    ]
    tried = [*(one for quad in near[:3] for one in (quad, _scaled_to_area(quad, size))), predicted]
    patches = [patch(image, quad) for quad in tried]
    fits = [correlation(one, field.back) for one in patches]
    tried.append(laid_on_back(image, tried[int(np.argmax(fits))], field.back))
    patches.append(patch(image, tried[-1]))
    fits.append(correlation(patches[-1], field.back))
    found = int(np.argmax(fits))
    best = patches[found]
    rim, inner = correlation(best, field.back, ~_MIDDLE), correlation(best, field.back, _MIDDLE)
    return BackComparison(
        at,
        tried[found] if max(fits) > limits.places.rim else tried[0],
        predicted,
        max(fits),
        rim,
        inner,
    )


def _scaled_to_area(quad: Floats, area: float) -> Floats:
    """The outline grown or shrunk about its centre to an area: what was found may be the print's border."""
    return np.asarray(geometry.grown(quad, math.sqrt(area / geometry.area(quad))), np.float32)


def _classify_place(
    scene: PicturePyramid, deck: Deck, field: CardGrid, look: BackComparison, typical: float
) -> GridPlace:
    """What is in one place; `typical` is how the middles of undisturbed backs correlate."""
    limits = grid_limits().places
    like_back = look.whole > limits.back
    # A drawing with a ring or an eye looks like a die on a back: the cards of the deck come first.
    card = None if like_back else likeliest_in(scene, deck, look)
    if card is not None and card.probability > verifier_limits().field.card:
        return GridPlace(look.at, "up", card.quad, _sighting(deck, card))
    if max(look.whole, look.rim) > limits.rim and look.middle < typical - limits.disturbed:
        die = _die(scene.image, field, look.quad)
        hidden = look.rim > limits.back and look.middle < typical - limits.hidden
        if die or (die == 0 and hidden):
            return GridPlace(look.at, "down", look.quad, die=die)
    if card is None:
        return GridPlace(look.at, "down", look.quad)
    unclear = card_seen(scene.image, look.predicted) > verifier_limits().field.seen
    return GridPlace(look.at, "unclear" if unclear else "empty", look.quad)


def likeliest_in(scene: PicturePyramid, deck: Deck, look: BackComparison) -> VerifiedCard:
    """The card of the deck that is likeliest in a place, on the outline found there or where the lattice
    wants it."""
    quads = [look.quad]
    if not same_place(look.quad, look.predicted):
        quads.append(look.predicted)
    limits = search_limits().places
    found = [place_candidates(scene, deck, LikelyPlace(quad), deck.enrolled, limits) for quad in quads]
    model = verifier_limits().places.model
    return max((likeliest_card(cards, model) for cards in found), key=lambda one: one.probability)


def _sighting(deck: Deck, card: VerifiedCard) -> Sighting:
    return Sighting(deck.labels[card.look], round(card.probability, 4), geometry.corner_points(card.quad))


def _die(image: Image, field: CardGrid, quad: Floats) -> int | None:
    """The value of a die on a card, 0 if one that cannot be read seems to be there, None for none."""
    part, begin = cut_around(image, quad, 0.1)
    if min(part.shape[:2]) < 32:
        return None
    reading = read_dice(part, 1, field.optics(image, begin))
    width = geometry.width_of(quad)
    for die in reading.dice:
        if (
            math.dist(np.add(die.centre, begin), quad.mean(axis=0)) < 0.75 * width
            and die.confidence > grid_limits().places.die
        ):
            return die.value
    return 0 if reading.dice or reading.unsure[1:] else None
