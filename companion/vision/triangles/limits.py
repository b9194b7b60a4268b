"""The limits of finding triangular cards and of reading a table of them (companion.vision.lattice).
`python -m bench --fit lattice --steps` fits them on drawn boards and writes them, with the figures of these
boards, to models/vision/triangles.json. What speaks for a card, and when it is named, is fitted by itself
(companion.vision.lattice.limits). The values that are shipped were set by hand, one after the other
(docs/lab/lattice); of the fit only limits of veils have been run, and none was moved.

Differences of light and of colour are those of logarithms. A side is that of a card. A cost is 0 for the very
card and 1 for what has nothing in common with it.
"""

from __future__ import annotations

import msgspec

from companion.vision.models import shipped_limits

FILE = "triangles.json"


class TriangleOutlineLimits(msgspec.Struct, frozen=True):
    """Which outlines may be cards (triangles.find, lattice.scored_lattices), and which lie on a lattice
    (lattice.fit)."""

    fill: float
    """Share of its smallest enclosing triangle that a card's outline fills: less than 1 for round corners."""
    side_ratio: float
    """Ratio of the longest to the shortest side of a card, seen from up to 50 degrees off."""
    usual_ratio: float
    """The same of cards in one picture, seen from up to 35 degrees off."""
    same: float
    """Corners of one card found twice differ by less than this share of its side."""
    straight: float
    """Share of an outline's length by which its points may lie beside a straight edge."""
    likeness: float
    """Likeness to a card (colours.likenesses) from which an outline takes part in the first lattice."""
    off_place: float
    """Mean distance of corners, in sides, up to which an outline is taken for the card of a place. A card
    that is half as far off counts less for the view."""
    near_place: float
    """The same for a place that is tried: the outline is where the search begins."""
    vanishing: float
    """Usual distance of a card's corner, in sides, from where it should be, by the typical change of scale
    over a side."""
    known_by: int
    """A known plane is better than a view fitted anew if it was seen by so many times as many cards."""


class TriangleLearningLimits(msgspec.Struct, frozen=True):
    """How cards are learned (triangles.collect, triangles.enrol). No board tells anything of these."""

    edge_support: float
    """Share of an outline that must run along an edge of the picture."""
    shared: float
    """Share of the smaller of two outlines that may be in the other."""
    cut_alike: float
    """Pictures are cut alike if their triangles lie within so many widths of the typical one."""
    white_share: float
    """Share of a card that is brighter than its white: an eye is hardly more of it."""


class ColourLimits(msgspec.Struct, frozen=True):
    """What is compared of a card's points (triangles.appearance, lattice.colours)."""

    clipped: float
    """Level of the camera's picture from which a point tells nothing."""
    white_share: float
    """Share of the picture's pixels that are brighter than its white."""
    white_tolerance: float
    """Levels below the picture's white that are as good as white."""
    surroundings: float
    """Radius in sides of a point's surroundings, over which a veil is even."""
    surroundings_share: float
    """How much of their brightness is taken off."""
    light_cutoff: float
    """Difference of light beyond which a point tells nothing more, and the ground is another one."""
    colour_cutoff: float
    """Difference of colour beyond which it does not, and white paper is no white."""
    brightness_tolerance: float
    """Spread of a card's brightness among the others that is nothing out of the way."""
    brightness_penalty: float
    """What a brightness costs that is 1 beyond it."""


class LampLimits(msgspec.Struct, frozen=True):
    """How exactly the colour of a lamp is known (lattice.colours)."""

    card_deviation: float
    """Standard deviation of an estimate, for each kind of card beyond the first. Lamps that are compared
    differ by more."""
    drift: float
    """That of the change from one reading of a table to the next (development evenings 711 to 715)."""


class TrianglePlaceLimits(msgspec.Struct, frozen=True):
    """How a card is laid into the picture, and whether one lies at a place (lattice.cells,
    lattice.place_search)."""

    reach: float
    """How far from its place, in sides, a card is looked for."""
    turn: float
    """By how much it may be turned (radians)."""
    edge_change: float
    """Levels (CIE L*a*b* as OpenCV scales it) between the two sides of an edge that is clearly one."""
    dimmest: float
    """In a picture in which white is darker than this share of the typical, edges are not expected to be
    fainter still."""
    edge_distance: float
    """Pixels of the surface to each side of an outline at which the two are compared."""
    outline_weight: float
    """What it costs less to have all of an outline."""
    offset_penalty: float
    """What it costs to lie a side away from where the other cards let a card be expected."""
    good_cost: float
    """Cost at the first look up to which the outline that was found is right."""
    give_up_cost: float
    """Cost at the first look from which a place is not looked at more closely. More does not count against a
    lamp."""
    least_outline: float
    """Share of a card's outline that is seen even if a lamp is mirrored in it."""
    least_visible: float
    """Share of a card, or of its outline, that must be neither burnt out nor covered. What is darkest in it
    has no veil."""
    cover: float
    """A card covers what is within this much of its outline."""
    present: float
    """Log-odds from which a card is at a place."""
    possible: float
    """Log-odds from which one may be there."""
    plain: float
    """Log-odds from which a card is plainly there."""
    plain_margin: float
    """Margin below which a lamp may be mirrored in a card that is plainly there."""
    half: float
    """Share of a card that may be over or under another one, and that must be in the picture and have
    changed. Where a card has the colour of the cloth nothing does. Share of the pictures of a deck that show
    a triangle if it is one of triangles."""
    most: int
    """A lattice of more places that look like cards is the pattern of a cloth: a box has 60 cards."""


class VeilLimits(msgspec.Struct, frozen=True):
    """Cards under a mirrored lamp or in a shadow (lattice.glare, lattice.added_light)."""

    least_contrast: float
    """Of its contrasts a point must keep so much to be compared at full strength."""
    shade_penalty: float
    """What a shade of 1 costs."""
    level_deviation: float
    """Usual difference of a point's colour in levels."""
    relative_deviation: float
    """The same as a share of the level."""
    largest_deviation: float
    """Squared usual differences at which the cost of a point is limited."""
    white_share: float
    """The brightest points of a card are its white if they are as bright as this share of the picture's."""


class AdaptationLimits(msgspec.Struct, frozen=True):
    """How far sure cards change the deck (lattice.colour_adaptation)."""

    fewest: int
    """Sure cards from which the deck is brought to the picture."""
    deck_deviation: float
    """Usual change that all cards share, and that a card's enrolment adds."""
    card_deviation: float
    """Usual change that one card on the table has more."""
    points: int
    """So many points of a card say as much as all of them: they are much alike."""


class TriangleDoubtLimits(msgspec.Struct, frozen=True):
    """What is looked at once more, and what is asked about (lattice.place_score, lattice.pose_refinement,
    lattice.scored_lattices)."""

    asked: float
    """Log-odds of any card from which a place is asked about."""
    second: float
    """Share of the likeliest card's probability that makes another one the other that it may be."""
    laid_anew: float
    """Log-odds below which even a card that is sure is laid anew."""
    unlikely: float
    """Log-odds below which a place is not looked at more closely."""
    most: int
    """So many places are laid anew, the likeliest first."""
    negligible: float
    """Probability up to which another lamp changes no name, and up to which a place has a card for certain:
    that card shows that others lie there whose own outlines are not seen."""


class TriangleLimits(msgspec.Struct, frozen=True):
    """All limits, by what they decide."""

    outlines: TriangleOutlineLimits
    learned: TriangleLearningLimits
    colours: ColourLimits
    lamps: LampLimits
    places: TrianglePlaceLimits
    veils: VeilLimits
    adaptation: AdaptationLimits
    doubts: TriangleDoubtLimits


def triangle_limits() -> TriangleLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, TriangleLimits)
