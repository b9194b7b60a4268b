"""Reads dice: the value of each flat die, and doubts about the others.

Steps: marks that may be pips (pips.py); planes in which many of them are round (view.py); the faces that
they form in such a plane (faces.py) and the best set of dice (layout.py). What that leaves over is a doubt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.message import Message, message
from companion.core.observations import Point
from companion.vision.dice.faces import Face
from companion.vision.dice.layout import DiceLayout, best_layout, top_corners
from companion.vision.dice.limits import DiceLimits, DoubtLimits, PipLimits, SetLimits, dice_limits
from companion.vision.dice.lone import is_alone
from companion.vision.dice.pips import WORKING_AREA, Pips, PipSurroundings, find_pips, measure_surroundings
from companion.vision.dice.view import Optics, PlaneView, possible_cameras
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bools, Floats, Image

_MOST_MARKS = 200
"""Marks above which the ground is patterned with discs and nothing is read: the time to find the best set
of dice grows with their number squared. Eight dice show at most 100; the most of 150 photographs was 73."""
_WHITE = 253
"""The grey level from which a pip's place is burnt out: of 160 dice of 50 photographs as they are none is."""
_UNREAD = {"dice.leaning", "dice.more_pips"}
"""Doubts about a die that is not read."""


@dataclass(frozen=True)
class Die:
    """A flat die."""

    value: int
    centre: Point
    confidence: float
    outline: tuple[Point, ...]
    """The top face, clockwise."""


@dataclass(frozen=True)
class DiceReading:
    """What a picture shows of dice."""

    dice: tuple[Die, ...]
    """From left to right."""
    unsure: tuple[Message, ...]
    """What keeps the reading from being taken as it is."""

    @property
    def total(self) -> int:
        """The pips of all dice that were read."""
        return sum(die.value for die in self.dice)

    @property
    def seen(self) -> int:
        """The dice that were read and the places where there is one that could not be read."""
        return len(self.dice) + sum(doubt.code in _UNREAD for doubt in self.unsure)


def read_dice(
    image: Image,
    count: int | None = None,
    optics: Optics | None = None,
    area: int = WORKING_AREA,
    limits: DiceLimits | None = None,
) -> DiceReading:
    """Reads the dice of a picture.

    Args:
        image: BGR, uint8, the dice seen from above, at most about 60 degrees from the vertical.
        count: the number of dice, if it is known: the best that many are read, and another number is a doubt.
        optics: the camera, if it is known, and whether the picture is a part of what it took; None: the
            picture is whole, or the middle of what a camera took that had zoomed in.
        area: pixels of the picture in which pips are looked for.
        limits: other limits than those that are shipped.

    Returns:
        The dice from left to right with value, centre, confidence (0 to 1) and the outline of the top face in
        pixels, and what keeps the reading from being used as it is.
    """
    limits = limits or dice_limits()
    marks = find_marks(image, limits.pips, area)
    if not len(marks.pips):
        return DiceReading((), _number_doubt(0, count))
    if len(marks.pips) > _MOST_MARKS:
        return DiceReading((), (message("dice.patterned_ground"),))
    cameras = (optics,) if optics else possible_cameras((image.shape[0], image.shape[1]))
    table = best_layout(marks.pips, marks.around, cameras, count, limits)
    return judge_layout(image, marks, table, count, limits)


@dataclass(frozen=True)
class PipMarks:
    """The marks of a picture that may be pips, and what lies round them."""

    pips: Pips
    around: PipSurroundings


def find_marks(image: Image, limits: PipLimits, area: int = WORKING_AREA) -> PipMarks:
    """The marks of a picture that may be pips."""
    pips = find_pips(image, limits, area)
    return PipMarks(pips, measure_surroundings(image, pips, limits))


def judge_layout(
    image: Image, marks: PipMarks, table: DiceLayout, count: int | None, limits: DiceLimits
) -> DiceReading:
    """Which of the dice of a layout are read, and what is asked about."""
    pips = marks.pips
    strays = _strays(table, marks, limits.doubts)
    dice: list[Die] = []
    doubts: list[Message] = []
    for face, lead in zip(table.faces, table.leads, strict=True):
        die = _die(face, table.seen.view, count, limits.sets.worth)
        if not _is_level(face, table, limits.doubts):
            doubts.append(_doubt("dice.leaning", die.centre))
        elif _has_more_pips(image, face, table, strays, limits):
            doubts.append(_doubt("dice.more_pips", die.centre, value=die.value))
        else:
            dice.append(die)
            if lead < limits.doubts.lead:
                doubts.append(_doubt("dice.perhaps_another", die.centre, value=die.value))
            if _is_cut(die, image):
                doubts.append(_doubt("dice.at_edge", die.centre))
            if _has_glare(die, image, light_pips=float(pips.contrast[list(face.pips)].mean()) > 0):
                doubts.append(_doubt("dice.glare", die.centre))
    doubts += _left_over(table, pips, strays, image, limits.sets)
    number = () if doubts and count is None else _number_doubt(len(dice), count)
    return DiceReading(tuple(sorted(dice, key=lambda die: die.centre)), (*number, *doubts))


def _has_more_pips(image: Image, face: Face, table: DiceLayout, strays: Array, limits: DiceLimits) -> bool:
    """Whether a die may show more pips than were found: it is as small as a row of a larger pattern would
    make it, a stray mark lies on its top, or the pip of a one is not alone there."""
    others = _edge_beside(face, table.faces, limits.doubts.fewest_others)
    if face.value in (2, 3) and face.edge < others / math.sqrt(math.sqrt(2.0)) and math.isfinite(others):
        return True  # a row taken for the diagonal of a face makes that smaller by the root of 2
    if _on_top(face, table, strays, limits.sets).any():
        return True
    return face.value == 1 and not is_alone(image, table.seen.view, face, limits.doubts, others)


def _is_level(face: Face, table: DiceLayout, limits: DoubtLimits) -> bool:
    """Whether the face is level with the table."""
    return float(table.seen.slant[list(face.pips)].mean()) < limits.level_slant


def _edge_beside(face: Face, faces: Sequence[Face], fewest: int) -> float:
    """The usual edge of the dice of several pips beside this one; infinite if they are too few to tell."""
    others = [one.edge for one in faces if one is not face and one.value > 1]
    return float(np.median(others)) if len(others) >= fewest else math.inf


def _strays(table: DiceLayout, marks: PipMarks, limits: DoubtLimits) -> Array:
    """The numbers of the marks that look like the dice's pips and are neither on a top nor on a side. Where a
    hard shadow's edge crosses a die, pips on its other side are none of the pattern."""
    pips, around, seen = marks.pips, marks.around, table.seen
    tops = [k for face in table.faces for k in face.pips]
    if not tops:
        return np.zeros(0, int)
    like = np.abs(np.log(seen.radius / np.median(seen.radius[tops]))) < math.log(limits.stray_size)
    like &= seen.slant < limits.stray_slant
    like &= np.sign(pips.contrast) == np.sign(np.median(pips.contrast[tops]))
    like &= (np.minimum(around.tight, around.bounded) > limits.stray_ground) & ~table.sides
    like[tops] = False
    return np.flatnonzero(like)


def _on_top(face: Face, table: DiceLayout, marks: Array, limits: SetLimits) -> Bools:
    """Which of some marks lie on a die's top, as far as the corners of that: they may be pips of it."""
    away = np.linalg.norm(table.seen.at[marks] - np.asarray(face.centre), axis=1)
    return np.asarray(away < math.sqrt(0.5) * limits.body_margin * face.edge)


def _doubt(code: str, at: Point, **about: int) -> Message:
    """A doubt about what lies at a place of the picture."""
    return message(code, **about, x=round(at[0]), y=round(at[1]))


def _is_cut(die: Die, image: Image) -> bool:
    """True if a part of the top face lies outside the picture."""
    height, width = image.shape[:2]
    return not all(0 <= x < width and 0 <= y < height for x, y in die.outline)


def _has_glare(die: Die, image: Image, *, light_pips: bool) -> bool:
    """True if a lamp that is mirrored in the top may hide pips: some places of pips are burnt out that were
    not read as pips, and not all of them."""
    corners = np.asarray(die.outline, np.float32)
    # the outline of a one is an octagon: it may be a pip of any other pattern, in any direction
    squares = [corners] if len(corners) == 4 else [corners[0::2], corners[1::2]]
    burnt = [int((_place_levels(square, image) >= _WHITE).sum()) for square in squares]
    return any(0 < number - die.value * light_pips < 9 - die.value for number in burnt)


def _place_levels(square: Floats, image: Image) -> Array:
    """The usual level (9,) of the darkest colour at each place of pips on a top (4, 2)."""
    spots = np.arange(2, 11) / 12  # three round each of a quarter, a half and three quarters
    at = geometry.transform(
        np.stack(np.meshgrid(spots, spots), axis=2).reshape(-1, 2), geometry.homography(geometry.UNIT, square)
    )
    seen = cv2.remap(image, at[:, 0], at[:, 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    darkest = seen.reshape(3, 3, 3, 3, 3).min(axis=4)
    return np.asarray(np.median(darkest, axis=(1, 3))).ravel()


def _left_over(
    table: DiceLayout, pips: Pips, strays: Array, image: Image, limits: SetLimits
) -> list[Message]:
    """A doubt for each group of stray marks that lie beside the dice."""
    if not len(strays):
        return []
    seen, edge = table.seen, float(np.median([face.edge for face in table.faces]))
    reach = 6 * float(np.median(pips.radius[[k for face in table.faces for k in face.pips]]))
    beside = ~np.any([_on_top(face, table, strays, limits) for face in table.faces], axis=0)
    loose = strays[beside].tolist()
    doubts = []
    while loose:
        first = seen.at[loose[0]]
        group = [k for k in loose if math.dist(first, seen.at[k]) < math.sqrt(2.0) * edge]
        loose = [k for k in loose if k not in group]
        x, y = pips.at[group].mean(axis=0).tolist()
        inner = reach < x < image.shape[1] - reach and reach < y < image.shape[0] - reach
        doubts.append(_doubt("dice.leaning" if inner else "dice.at_edge", (x, y)))
    return doubts


def _number_doubt(found: int, count: int | None) -> tuple[Message, ...]:
    if count is None or found == count:
        return () if found else (message("dice.none"),)
    return (message("dice.too_few", found=found, count=count),)


def _die(face: Face, view: PlaneView, count: int | None, worth: float) -> Die:
    """The die of a face; a known number of dice raises its odds as long as one is missing."""
    x, y = view.pixels(np.array([face.centre]))[0].tolist()
    outline = tuple((float(a), float(b)) for a, b in view.pixels(top_corners(face)))
    expected = -worth if count is None else worth
    confidence = 1 / (1 + math.exp(-(face.score + expected)))
    return Die(face.value, (x, y), confidence, outline)
