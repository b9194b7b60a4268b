"""The limits of the reader of dice. `python -m bench --fit dice` fits them on rendered pictures and writes
them, with the figures of these pictures, to models/vision/dice.json.

Log odds compare a set of dice with another one. A slant is the logarithm of the ratio of an outline's axes: 0
for a circle. An edge is that of a die.
"""

from __future__ import annotations

import msgspec

from companion.vision.models import shipped_limits

FILE = "dice.json"


class PipLimits(msgspec.Struct, frozen=True):
    """Which marks may be pips, and how plain the ground round them is (companion.vision.dice.pips)."""

    step: float
    """Grey levels by which a pip must differ from the mean of its surroundings."""
    large_step: float
    """Grey levels of a second, higher step: it parts pips that run into each other."""
    small_step: float
    """Grey levels of a third step, in the picture at full size only: it parts the pips of a six that is 20
    pixels wide, which have less than two pixels between them."""
    softening: float
    """Pixels (standard deviation) by which the picture is smoothed."""
    noise_left: float
    """Grey levels (standard deviation) of noise from which the picture is smoothed twice as widely; three
    times, if that leaves twice as much. A wide smoothing makes small pips run into each other."""
    plain_share: float
    """Share of the blocks of a picture that are taken to be plain where its noise is measured."""
    significant: float
    """Standard deviations of the noise by which a mark must differ from its ground."""
    contrast: float
    """Grey levels between a mark and the ring round it, at least."""
    roughest: float
    """How far an outline may depart from an ellipse, in radii."""
    alike: float
    """Share of the ring round a mark, at least, that is nearer to the ring's usual level than to the
    mark's."""
    halo: float
    """Pixels from a mark's outline up to which the blur of a picture shows the mark itself."""
    faint: float
    """Grey levels: a mark of less contrast is taken to have as much where changes of its ground are
    compared with it."""
    near_change: float
    """Change of the ground close to a mark from which it is not plain, by the mark's contrast."""
    far_change: float
    """Change of the ground farther away from which the face ends there, by the mark's contrast."""
    tight_reach: float
    """Radii of a mark up to which the ground is plain round a pip that has others beside it."""
    clear_reach: float
    """Radii of a mark up to which the ground is plain round the pip of a one."""


class FaceLimits(msgspec.Struct, frozen=True):
    """Which pips can form a face, and what each is worth (companion.vision.dice.faces)."""

    least_diagonal: float
    """Length of the diagonal of a face's pips, in radii of a pip, at least."""
    most_diagonal: float
    """Length of the diagonal of a face's pips, in radii of a pip, at most."""
    pip_worth: float
    """Log odds that one more pip in its place brings."""
    place_deviation: float
    """Radii by which a pip typically lies beside its place."""
    slant_deviation: float
    """Typical slant of a pip on a top face."""
    size_deviation: float
    """Typical deviation of a pip's radius from that of the others of its face (logarithm of the ratio)."""
    level_deviation: float
    """Grey levels by which the ground of one pip typically differs from that of another; twice as many for
    the contrast of pips, and for the grounds of two dice."""
    most_deviations: float
    """Typical deviations by which a pip may lie beside its place, be slanted, or differ in colour from the
    others of its face."""
    lone_reach: float
    """Radii of a one's pip, from its middle, in which no like mark lies."""


class SetLimits(msgspec.Struct, frozen=True):
    """What speaks for a view and a set of dice in it (companion.vision.dice.layout)."""

    worth: float
    """Log odds of each thing that speaks for or against a set of dice. For it: a mark that lies on a side as
    a pip of that does; one more die while their number is known and not reached; a face that ends all round
    the pip of a one (by its share). Against it: one more die while their number is not known; a die close
    before another; a die without a pip on the sides that should be seen; a camera that has zoomed in (times
    the logarithm of by how much)."""
    upright_worth: float
    """How much rather the far end of the table is at a picture's top than elsewhere, by the number of dice:
    log odds, times how far the camera leans (sine) and how far from upwards that is in the picture (1 -
    cosine). A single die is a cube that looks alike from all faces; of several the sides point elsewhere."""
    frontal_worth: float
    """How much rather a picture is taken from above than from aside: log odds, times log cos(tilt)."""
    view_slant: float
    """Typical slant of the pips of tops in a view of the grid, which is not quite that of the table."""
    large_one: float
    """Times by which the pip of a one may be larger than others: on dice from East Asia it is."""
    size_deviation: float
    """Typical deviation of a die's edge from that of the others (logarithm of the ratio)."""
    alone_bounded: float
    """Share of the directions in which the face ends, from which that speaks for a one."""
    clear_worth: float
    """Log odds against a face whose pips have no plain ground round them."""
    least_clear: float
    """Share of the directions in which the ground round a pip must be plain; less costs a part of
    `clear_worth`."""
    larger_worth: float
    """What each log odds a pip of a larger pattern, above `larger_score`, counts against a face within it."""
    larger_score: float
    """Log odds a pip from which a larger pattern is a good one."""
    apart: float
    """Edges between the middles of two dice, at least."""
    body_margin: float
    """Times by which a die may be larger than by its pips."""
    side_edge: float
    """Edges from the middle of a top from which a mark is not on it but on a side."""
    side_down: float
    """Edges that a mark on a side lies nearer to the camera's foot than the middle of the top, at least."""
    side_form: float
    """Typical difference between the outline of a mark and that of a pip on an upright face (logarithms of
    the ratios of their axes)."""
    side_slant: float
    """Slant from which a mark is no pip of a top, by the slant that a pip on a side has there."""
    side_slant_floor: float
    """Slant that is added to that: straight below the camera a pip on a side would be as round as any."""
    side_slant_most: float
    """Slant of a pip on a side that is expected, at most."""
    steep_floor: float
    """Tangent of the angle of sight from which the slant of a pip on a side is calculated."""
    side_seen: float
    """Tangent of the angle of sight from which sides are seen; from twice as much on they are seen well."""


class DoubtLimits(msgspec.Struct, frozen=True):
    """When a die is asked about instead of read (companion.vision.dice.read)."""

    lead: float
    """Log odds by which the set of dice must be better than any in which a die is another one."""
    level_slant: float
    """Mean slant of the pips of a die from which it leans. A die that leans by 30 degrees comes to .13 and
    cannot be told by this."""
    stray_slant: float
    """Slant below which a mark that is left over may be a pip of a top."""
    stray_size: float
    """Times by which such a mark may be larger or smaller than the dice's pips."""
    stray_ground: float
    """Share of the directions in which its ground must be plain, and must end farther away."""
    alone: float
    """Contrast of the ring round a one's pip, by the pip's, from which another pip lies there."""
    fewest_others: int
    """Dice of several pips that must lie beside a die for their size to tell its own."""


class DiceLimits(msgspec.Struct, frozen=True):
    """All limits of the reader, by its steps."""

    pips: PipLimits
    faces: FaceLimits
    sets: SetLimits
    doubts: DoubtLimits


def dice_limits() -> DiceLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, DiceLimits)
