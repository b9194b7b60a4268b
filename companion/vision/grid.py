"""The field of 13 Monsters: nine by nine places, each with a card face down or up, a die on it, or nothing.

The outlines of cards are joined to a lattice from card to card (so that careless laying does not add up); a
homography through all of them gives every place, also the empty ones. Most cards lie face down and look
alike: the picture that most places share is the back. What differs from it is a die (only the middle does),
a card turned over (the deck knows it) or no card.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from companion.errors import Unreadable
from companion.observations import Sighting
from companion.vision import geometry
from companion.vision.deck import Deck
from companion.vision.dice import read_dice
from companion.vision.judge import Judge
from companion.vision.picture import Array, Floats, Image
from companion.vision.quads import find_quads
from companion.vision.recognise import choose, sighting

SIDE = 9
"""Rows and columns of the field."""
SEARCH_SIDE = 1440
"""Pixels of the longer side in which outlines are sought."""
LIKE_BACK = 0.55
"""Correlation from which a place shows the back."""
LIKE_RIM = 0.4
"""Correlation of the rim from which a die may hide a back."""
_DISTURBED = 0.12
"""Loss of correlation in the middle from which a die may lie on the back."""
_UNCHANGED = 0.93
"""Correlation from which a place is the same as before."""
_NO_CARD = 0.72
"""Cost of the best card above which a place shows none."""
_PATCH = (24, 32)
_FEWEST_BACKS = 5
_MIDDLE = np.zeros((_PATCH[1], _PATCH[0]), bool)
_MIDDLE[6:26, 4:20] = True

State = Literal["down", "up", "empty", "unclear"]


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
class Field:
    """What stays the same from picture to picture of one table."""

    matrix: Array
    """3 x 3: (column, row) -> pixels; whole numbers are the middles of places."""
    size: tuple[float, float]
    """A card's width and height in places."""
    back: Array
    """The back of a card, normalised grey."""


@dataclass(frozen=True)
class GridReading:
    """The field as a picture shows it."""

    field: Field
    places: tuple[GridPlace, ...]
    """81, row by row."""
    patches: tuple[Array, ...]
    """What each looks like, small and normalised."""
    unsure: tuple[str, ...]

    def at(self, row: int, column: int) -> GridPlace:
        """One place."""
        return self.places[SIDE * row + column]


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

    Raises:
        Unreadable: there is no field, or it cannot be told where it begins.
    """
    quads = _cards(find_quads(image, SEARCH_SIDE))
    field = before.field if before is not None else _found_field(image, quads)
    spots = [(row, column) for row in range(SIDE) for column in range(SIDE)]
    patches = [_patch(image, _quad_at(field, at)) for at in spots]
    looks = [_look(image, field, at, quads) for at in spots]
    backs = [look.middle for look in looks if look.whole > LIKE_BACK]
    usual = float(np.median(backs)) if backs else 1.0
    judge = Judge(image, deck)
    places = []
    for k, look in enumerate(looks):
        if (
            before is not None
            and _same(before.patches[k], patches[k])
            and before.places[k].state != "unclear"
        ):
            places.append(before.places[k])
        else:
            places.append(_place(image, deck, judge, look, usual))
    return GridReading(field, tuple(places), tuple(patches), tuple(_doubts(places)))


def _doubts(places: list[GridPlace]) -> list[str]:
    """Words for what cannot be read."""
    doubts = []
    for place in places:
        what = "card" if place.state == "unclear" else "die" if place.die == 0 else None
        if what is not None:
            row, column = place.at[0] + 1, place.at[1] + 1
            doubts.append(f"the {what} in row {row}, column {column} cannot be read")
    return doubts


def _same(one: Array, other: Array) -> bool:
    """Whether a place looks as it did."""
    if not one.any() or not other.any():
        return not one.any() and not other.any()
    return float((one * other).mean()) > _UNCHANGED


def changes(before: GridReading, after: GridReading) -> list[GridChange]:
    """What happened on the field between two pictures, row by row; what is unclear in either is left out."""
    found = []
    for old, new in zip(before.places, after.places, strict=True):
        if "unclear" in (old.state, new.state):
            continue
        if new.state == "up" and (old.state != "up" or _label(old) != _label(new)):
            found.append(GridChange(new.at, "turned_up", card=new.card))
        elif old.state != new.state:
            gone = {"empty": "removed", "down": "laid" if old.state == "empty" else "turned_down"}
            found.append(GridChange(new.at, gone[new.state]))  # type: ignore[arg-type]
        if new.die != old.die and new.state == "down":
            kind: Literal["frozen", "thawed"] = "thawed" if new.die is None else "frozen"
            found.append(GridChange(new.at, kind, die=new.die))
    return found


def _label(place: GridPlace) -> str | None:
    return place.card.label if place.card is not None else None


# --- the lattice ------------------------------------------------------------------------------------------


def _cards(quads: list[Floats]) -> list[Floats]:
    """One outline a card: those of the usual size, the outer of two round the same card, top side upwards."""
    if not quads:
        return []
    areas = np.array([geometry.area(quad) for quad in quads])
    usual = float(np.median(areas))
    kept: list[Floats] = []
    for k in np.argsort(-areas).tolist():
        if not 0.55 < areas[k] / usual < 1.7:
            continue
        quad = geometry.upright(quads[k])
        if (quad[2] + quad[3] - quad[0] - quad[1])[1] < 0:
            quad = geometry.turned(quad)
        middle = quad.mean(axis=0)
        near = 0.35 * geometry.width_of(quad)
        if all(np.linalg.norm(middle - other.mean(axis=0)) > near for other in kept):
            kept.append(quad)
    return kept


def _found_field(image: Image, quads: list[Floats]) -> Field:
    """The field by the outlines alone."""
    if len(quads) < 12:
        raise Unreadable("no field of cards is to be seen; take the picture with the whole field in it")
    places = _joined(quads)
    if len(places) < 12:
        raise Unreadable("the cards form no field; take the picture from higher above")
    matrix = _fitted(quads, places)
    places = _on_lattice(quads, matrix)
    rows, columns = (_span([at[axis] for at in places.values()]) for axis in (0, 1))
    low = (rows[0], columns[0])
    if (rows[1], columns[1]) != (SIDE, SIDE):
        raise Unreadable(
            f"{rows[1]} rows and {columns[1]} columns of cards are to be seen, not nine and nine; "
            "photograph the field while its outer rows still lie"
        )
    shift = np.array([[1, 0, low[1]], [0, 1, low[0]], [0, 0, 1]], float)
    matrix = matrix @ shift
    size = _card_size(quads, places, matrix)
    field = Field(matrix, size, np.zeros(0))
    return Field(matrix, size, _back(image, field))


def _joined(quads: list[Floats]) -> dict[int, tuple[int, int]]:
    """Row and column of each outline that hangs together with the others, from card to card."""
    middles = np.array([quad.mean(axis=0) for quad in quads])
    best: dict[int, tuple[int, int]] = {}
    tried: set[int] = set()
    for seed in range(len(quads)):
        if seed in tried:
            continue
        places = {seed: (0, 0)}
        waiting = deque([seed])
        while waiting:
            k = waiting.popleft()
            for step, other in _neighbours(quads[k], middles):
                at = (places[k][0] + step[0], places[k][1] + step[1])
                if other not in places and at not in places.values():
                    places[other] = at
                    waiting.append(other)
        tried |= set(places)
        if len(places) > len(best):
            best = places
    return best


def _neighbours(quad: Floats, middles: Array) -> list[tuple[tuple[int, int], int]]:
    """The outlines right, left, below and above of one, with their step (row, column)."""
    right = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    down = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    basis = np.linalg.inv(np.stack([right, down], axis=1).astype(float))
    local = (middles - quad.mean(axis=0)) @ basis.T
    found = []
    for step, along, across in (((0, 1), 0, 1), ((0, -1), 0, 1), ((1, 0), 1, 0), ((-1, 0), 1, 0)):
        sign = step[0] + step[1]
        near = (sign * local[:, along] > 0.75) & (sign * local[:, along] < 1.45)
        near &= np.abs(local[:, across]) < 0.35
        if near.any():
            chosen = np.flatnonzero(near)
            found.append((step, int(chosen[np.abs(local[chosen, across]).argmin()])))
    return found


def _fitted(quads: list[Floats], places: dict[int, tuple[int, int]]) -> Array:
    """The homography (column, row) -> pixels through the middles, against carelessly laid cards."""
    source = np.array([(at[1], at[0]) for at in places.values()], np.float32)
    target = np.array([quads[k].mean(axis=0) for k in places], np.float32)
    reach = 0.2 * float(np.median([geometry.width_of(quads[k]) for k in places]))
    matrix, _ = cv2.findHomography(source, target, cv2.RANSAC, reach)
    if matrix is None:
        raise Unreadable("the cards form no field; lay them straight, or take the picture from higher above")
    return np.asarray(matrix)


def _on_lattice(quads: list[Floats], matrix: Array) -> dict[int, tuple[int, int]]:
    """Row and column of each outline that lies near a place of the lattice."""
    flat = geometry.moved(np.array([quad.mean(axis=0) for quad in quads]), np.linalg.inv(matrix))
    near = np.rint(flat)
    good = np.flatnonzero(np.abs(flat - near).max(axis=1) < 0.3)
    return {int(k): (int(near[k, 1]), int(near[k, 0])) for k in good}


def _span(indices: list[int]) -> tuple[int, int]:
    """The first row (or column) that holds more than a stray outline, and how many there are to the last."""
    values, counts = np.unique(indices, return_counts=True)
    filled = values[counts >= min(3, int(counts.max()))]
    return int(filled[0]), int(filled[-1] - filled[0] + 1)


def _card_size(quads: list[Floats], places: dict[int, tuple[int, int]], matrix: Array) -> tuple[float, float]:
    """A card's width and height in places."""
    flat = [geometry.moved(quads[k], np.linalg.inv(matrix)) for k in places]
    wide = [float(np.linalg.norm((q[1] + q[2] - q[0] - q[3]) / 2)) for q in flat]
    high = [float(np.linalg.norm((q[2] + q[3] - q[0] - q[1]) / 2)) for q in flat]
    return float(np.median(wide)), float(np.median(high))


# --- the places -------------------------------------------------------------------------------------------


def _quad_at(field: Field, at: tuple[int, int]) -> Floats:
    """Where the card of a place would lie."""
    half = np.array(field.size) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + np.array([at[1], at[0]])
    return geometry.moved(corners, field.matrix)


def _patch(image: Image, quad: Floats) -> Array:
    """The place as grey of mean 0 and spread 1; all 0 if it is plain."""
    width, height = _PATCH
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    # Through twice the size, so that what is small is averaged and not picked.
    matrix = geometry.homography(quad, ends * 2)
    large = cv2.warpPerspective(image, matrix, (2 * width, 2 * height), flags=cv2.INTER_LINEAR)
    grey = cv2.resize(cv2.cvtColor(large, cv2.COLOR_BGR2GRAY), _PATCH, interpolation=cv2.INTER_AREA).astype(
        float
    )
    spread = float(grey.std())
    return np.asarray((grey - grey.mean()) / spread if spread > 3 else grey * 0)


def _alike(one: Array, other: Array, where: Array | None = None) -> float:
    """Correlation of two patches, the better of both ways up."""
    if where is None:
        where = np.ones(one.shape, bool)
    best = -1.0
    for turned in (other, other[::-1, ::-1]):
        a, b = one[where] - one[where].mean(), turned[where] - turned[where].mean()
        size = float(np.linalg.norm(a) * np.linalg.norm(b))
        best = max(best, float(a @ b) / size if size > 1e-6 else 0.0)
    return best


def _back(image: Image, field: Field) -> Array:
    """What most places show."""
    patches = [_patch(image, _quad_at(field, at)) for at in np.ndindex(SIDE, SIDE)]
    votes = [sum(_alike(one, other) > LIKE_BACK for other in patches) for one in patches[::4]]
    best = int(np.argmax(votes))
    if votes[best] < _FEWEST_BACKS:
        raise Unreadable("the backs of the cards do not look alike; is the field in the picture?")
    model = patches[4 * best]
    like = [p if _straight(model, p) else p[::-1, ::-1] for p in patches if _alike(model, p) > LIKE_BACK]
    return np.asarray(np.median(like, axis=0))


def _straight(one: Array, other: Array) -> bool:
    return float((one * other).sum()) >= float((one * other[::-1, ::-1]).sum())


@dataclass(frozen=True)
class _Look:
    """How a place compares with the back."""

    at: tuple[int, int]
    quad: Floats
    predicted: Floats
    outlined: bool
    """Whether an outline was found there."""
    whole: float
    rim: float
    middle: float
    """Correlations over the whole card, its rim, its middle."""


def _look(image: Image, field: Field, at: tuple[int, int], quads: list[Floats]) -> _Look:
    """Compares a place with the back, on the outline found there or where the lattice wants it."""
    predicted = _quad_at(field, at)
    middle, reach = predicted.mean(axis=0), 0.4 * geometry.width_of(predicted)
    size = geometry.area(predicted)
    near = [
        quad
        for quad in quads
        if np.linalg.norm(quad.mean(axis=0) - middle) < reach and 0.75 < geometry.area(quad) / size < 1.33
    ]
    tried = [*(one for quad in near[:3] for one in (quad, _sized(quad, size))), predicted]
    patches = [_patch(image, quad) for quad in tried]
    fits = [_alike(patch, field.back) for patch in patches]
    found = int(np.argmax(fits))
    best = patches[found]
    rim, inner = _alike(best, field.back, ~_MIDDLE), _alike(best, field.back, _MIDDLE)
    return _Look(
        at, tried[found] if max(fits) > LIKE_RIM else tried[0], predicted, bool(near), max(fits), rim, inner
    )


def _sized(quad: Floats, area: float) -> Floats:
    """The outline grown or shrunk about its middle to an area: what was found may be the print's border."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * math.sqrt(area / geometry.area(quad)), np.float32)


def _place(image: Image, deck: Deck, judge: Judge, look: _Look, usual: float) -> GridPlace:
    """What lies in one place; `usual` is how the middles of undisturbed backs correlate."""
    if max(look.whole, look.rim) > LIKE_RIM and look.middle < usual - _DISTURBED:
        die = _die(image, look.quad)
        if die or (die == 0 and look.whole > LIKE_BACK):
            return GridPlace(look.at, "down", look.quad, die=die)
    if look.whole > LIKE_BACK:
        return GridPlace(look.at, "down", look.quad)
    if min(guesses[0].cost for guesses in judge.glances([look.quad, look.predicted])) > _NO_CARD:
        return GridPlace(look.at, "unclear" if look.whole > LIKE_RIM else "empty", look.quad)
    card = _card(image, deck, judge, look)
    if card is not None:
        return GridPlace(look.at, "up", look.quad, card)
    return GridPlace(look.at, "unclear" if look.outlined else "empty", look.quad)


def _cut(image: Image, quad: Floats, margin: float) -> tuple[Image, Array]:
    """The part of the picture round a place, and where it begins."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    room = margin * (high - low)
    x0, y0 = np.maximum(np.floor(low - room), 0).astype(int).tolist()
    x1, y1 = np.ceil(high + room).astype(int).tolist()
    return np.ascontiguousarray(image[y0 : y1 + 1, x0 : x1 + 1]), np.array([x0, y0], float)


def _die(image: Image, quad: Floats) -> int | None:
    """The value of a die on a card, 0 if one that cannot be read seems to lie there, None for none."""
    part, begin = _cut(image, quad, 0.1)
    if min(part.shape[:2]) < 32:
        return None
    reading = read_dice(part, 1)
    width = geometry.width_of(quad)
    for die in reading.dice:
        if math.dist(np.add(die.centre, begin), quad.mean(axis=0)) < 0.75 * width and die.confidence > 0.5:
            return die.value
    return 0 if reading.dice or reading.unsure[1:] else None


def _card(image: Image, deck: Deck, judge: Judge, look: _Look) -> Sighting | None:
    """The card of the deck that lies in a place face up."""
    tried = [judge.judge(guesses) for guesses in judge.glances([look.quad, look.predicted])]
    accepted = choose(deck, [judged for judged in tried if judged is not None], image.shape[:2])
    return sighting(accepted[0], 1.0) if accepted else None
