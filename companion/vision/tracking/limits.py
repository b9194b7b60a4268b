"""The limits by which tables are watched, by what they measure. `python -m bench --fit landings` fits those
of landings on drawn play and writes them, with the figures of that, to models/vision/landings.json. The
values that are shipped were set by hand; no whole run has been made (docs/lab/tracking/one-set-of-limits.md).

The small picture is that in which tables are compared, at most WIDTH pixels wide, in cells of CELL pixels.
"""

from __future__ import annotations

import msgspec

from companion.vision.models import shipped_limits

FILE = "landings.json"


class Seconds(msgspec.Struct, frozen=True):
    """How long things take or last."""

    first_look: float
    """A place that lies still is looked at after this time,"""
    last_look: float
    """and again after this, if the first look did not explain it, or if a hand rests there. Then it may also
    be the ghost of a hand that has gone. After it a place without a hand is taken for what it is."""
    still: float
    """Without a change for so long a table, a camera, a lens or the light is at rest."""
    moment: float
    """A hand rests at least so long, or a card lies open between two hands."""
    hold: float
    """The watermark waits no longer for a place that does not come to rest. No picture is later."""
    object: float
    """After this time a thing that reaches the picture's edge and lies still is an object, e.g. a book."""
    too_few: float
    """Fewer dice than a throw has are reported after they have lain so long."""
    doubtful: float
    """Dice that lie still are read again for so long while some are doubtful."""


class Shares(msgspec.Struct, frozen=True):
    """How much of something is enough."""

    cell: float
    """Of a cell's pixels, from which on the cell differs. Of the corners of the background, from which on the
    whole picture may have moved if they differ."""
    cut: float
    """Of the picture that differs, from which on another table is shown, or the camera was turned."""
    agreed: float
    """Length of the mean of unit vectors from which on they are the directions of one arm: at .95 its cells
    at the edge lie less than 18 degrees from their mean direction."""
    explained: float
    """Of what differs, that cards must explain for a place to be understood."""
    sure: float
    """Confidence of a card that is surely seen, although its place is not at rest."""
    telling: float
    """Of a card or of its pixels that are compared: so much covered, differing from the background, looking
    wholly different or, under a hand, as before, decides. Of what differs, so much must go with what
    the camera and its lens explain."""
    least_seen: float
    """Of a card, to look for it as far away as `inexact`, or to tell when it came: a plain border fits
    everywhere. Of a triangular card, to have changed: the shadow of one beside it changes less."""
    agreement: float
    """Of the pixels that agree with a card a pixel away from its place, that must agree at its place."""


class Distances(msgspec.Struct, frozen=True):
    """How far apart. Those of cards are in heights of a card, between poses the mean of their corners'."""

    nudge: float
    """By so much a card that is mostly covered may have been moved unnoticed."""
    inexact: float
    """By so much a hand may have pushed, unnoticed, a card of which more is seen, or dragged it along with
    the one above; so inexactly is a card read in bad light. An equal card farther off is another one."""
    uncertain: float
    """Less far a sighting may show a card whose pose is not certain: seen under a hand or another card, or
    where nothing has changed."""
    push: float
    """From so far on a card that was pushed counts as laid anew."""
    outline: float
    """Share of its size by which a card is drawn larger to find what it explains or hides; twice as much is
    looked at on each side of a place."""
    beside: float
    """Sides of a triangular card, or of a die, by which it may lie beside its place."""
    table: float
    """Times by which the outline of all triangular cards is enlarged: while an arm reaches in there they are
    not read."""


class Sizes(msgspec.Struct, frozen=True):
    """Numbers of pixels or cells, and grey levels."""

    fewest_cells: int
    """Cells of the smallest blob."""
    fewest: int
    """Pixels of a card that must be uncovered for it to be compared."""
    same_levels: float
    """Levels within which a pixel looks as it did."""
    edge: float
    """Pixels of the camera's picture at a card's edge that are left out when it is compared."""
    shadow: int
    """Side, in pixels of the small picture, of the square round a pixel in which a soft shadow is even."""
    beside: int
    """Side, in cells, of the square in which colours are averaged for the test for a ghost."""
    blur: float
    """Gaussian radius, in pixels of the small picture, of the strongest blur: a stronger one hides a card."""
    near: int
    """Pixels of a flattened card from its place within which a rough search must find it."""


class TrackingLimits(msgspec.Struct, frozen=True):
    """All limits, by what they measure."""

    seconds: Seconds
    shares: Shares
    distances: Distances
    sizes: Sizes


def tracking_limits() -> TrackingLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, TrackingLimits)


def seconds() -> Seconds:
    """Those that are times."""
    return tracking_limits().seconds


def shares() -> Shares:
    """Those that are shares."""
    return tracking_limits().shares


def distances() -> Distances:
    """Those that are distances."""
    return tracking_limits().distances


def sizes() -> Sizes:
    """Those that are numbers of pixels."""
    return tracking_limits().sizes
