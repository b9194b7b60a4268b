"""The limits of the search for the cards of a picture. `python -m bench --fit search` fits them on pictures
of development decks and writes them, with the figures of these pictures, to models/vision/search.json. The
values that are shipped were set by hand, one after the other; a whole run moved none of them
(docs/lab/vision/whole-fit-of-the-search.md).

They say what is looked at, how often, and when the search at a place ends. Whether a match is named the
verifier says, by limits of its own (companion.vision.verifier.limits). Costs run from 0 (same) to 1 (nothing
in common). Support is the marks of a card that fit (companion.vision.match.score).
"""

from __future__ import annotations

import msgspec

from companion.vision.models import shipped_limits

FILE = "search.json"


class PoseLimits(msgspec.Struct, frozen=True):
    """Which local features agree on a pose, and which card they tell (match.features, match.poses)."""

    alike: float
    """Distance of a feature of the deck, by that of the nearest one, up to which it matches as well."""
    unlike: float
    """Distance of unit descriptors from which two features have nothing to do with each other."""
    least_votes: float
    """Votes without which no card is tried; features at one place have one vote together."""
    least_places: int
    """Places of the picture whose features must agree on a pose."""
    place: float
    """Card widths by which a feature may be off the pose."""
    size: float
    """Logarithm of the ratio by which a feature may be larger or smaller than the pose says."""
    turn: float
    """Radians by which a feature may be turned against the pose."""
    fewest_affine: int
    """Places that must agree for a slanted view to be fitted."""
    most_looks: int
    """Looks that are proposed for one place."""
    own: int
    """Features of no other card that identify a card without any comparison of looks."""


class EndLimits(msgspec.Struct, frozen=True):
    """When the search for a better match at a place ends (cards.evaluator)."""

    clear_cost: float
    """Cost of a whole card up to which nothing else is tried at its place, if its margin is clear."""
    clear_margin: float
    """By how much its closest rivals must cost more."""
    certain_cost: float
    """The same cost over the visible blocks of a card that is partly hidden."""
    certain_margin: float
    """By how much its closest rivals must cost more."""
    certain_support: float
    """Its support, at least."""
    hopeless_cost: float
    """Cost from which an outline shows no card, if its support is small."""
    hopeless_outline_support: float
    """Support of an outline up to which that is so."""
    hopeless_support: float
    """Support up to which features of a pose contradict each other."""
    unlike_marks: float
    """Cost of the marks of a card, after some steps of alignment, from which an outline does not show it."""
    tried_by_features: int
    """Looks that are tried for a pose from features."""
    firm_pose: int
    """Features that agree on a pose from which a quad may be moved freely; by fewer it stays affine."""
    rivals: int
    """Other cards that are fitted to a place whose match is not clear."""
    rivals_support: float
    """Support of the match from which they are."""


class OutlineLimits(msgspec.Struct, frozen=True):
    """Which outlines are compared with the deck (cards.match_search)."""

    most: int
    """Outlines that are compared, the likeliest first."""
    smallest: float
    """Area of an outline, by that of the cards found in the picture, from which it may be a card."""
    largest: float
    """Area up to which it may be one."""
    changed: float
    """Share of a place that must have changed, where only a changed area is searched."""


class FeatureLimits(msgspec.Struct, frozen=True):
    """Which local features of a picture are looked at, and how many poses are tried (cards.match_search)."""

    contrast: float
    """Contrast of the faintest features."""
    soft_contrast: float
    """The same in a webcam's picture."""
    card_width: float
    """Width in pixels of a card that is enough for its features."""
    most_proposed: int
    """Poses that are tried."""
    most_if_changed: int
    """The same where only a changed area is searched."""


class StructureLimits(msgspec.Struct, frozen=True):
    """Where there is structure that no known card explains (cards.residual)."""

    steep: float
    """Change of grey level over two pixels that counts as structure, at least."""
    busy: float
    """Share of a cell's pixels that must be structure."""
    fewest_cells: int
    """Busy cells that must touch each other for a card to be searched for there."""
    cover: float
    """Size of what is painted over of a known card, by its own."""
    change_margin: float
    """Pixels round what has changed within which something may have changed as well."""
    unexplained: float
    """Share of what has changed that may be shadows and blurred edges."""


class SelectionLimits(msgspec.Struct, frozen=True):
    """Which of several matches stand (match.suppression)."""

    feature_worth: float
    """Marks that a feature of no other card counts as."""
    fresh: float
    """Share of what is seen of a match that no stronger match may explain, at least: with .4 one picture of
    half a deck more had a false name."""


class PlaceLimits(msgspec.Struct, frozen=True):
    """What the verifier is asked about where no named card lies (cards.verified_places)."""

    laid: int
    """Cards laid upon a place: the likeliest by the namer if the networks found it, then by their blocks."""
    aligned: int
    """The likeliest of them that are aligned with the place; all are compared where each of these lies."""
    hopeless: float
    """Log odds of the likeliest card laid upon a place up to which none is aligned."""
    most_by_matches: int
    """Places of outlines and features that are looked at beside those of the networks."""
    most_beside: int
    """Places that are looked at beside named cards of a sharp picture, 30 ms each."""


class StripLimits(msgspec.Struct, frozen=True):
    """What sticks out from under another card, and how it is compared with the deck (cards.column_ends,
    cards.strips, match.strip_match)."""

    beside: float
    """Card widths that a covered card may be to either side of the card on top."""
    narrowest: float
    """Width of a covered card, or of the frame printed on it, by that of the card on top, at least."""
    widest: float
    """The same at most."""
    edge_change: float
    """Change of the three colours together from which something may be an edge of the covered card."""
    edge_border: float
    """Change at both edges, by how much the borders inside of them differ, at least."""
    least_correlation: float
    """Correlation of the end of a card with the picture from which it may lie there; what is no card of the
    deck stays below .4."""
    least_rows: int
    """Rows (of 72) that a covered card must stick out."""
    palest_light: float
    """By how much the contrast of a card's light may be weaker than enrolled (a factor): a bare table is no
    card without contrast."""
    palest_colour: float
    """By how much its colours may be paler: what is nearly burnt out has hardly any left."""
    strongest_colour: float
    """By how much they may be stronger."""
    colour_weight: float
    """What a difference of colour counts against one of light, over the same area."""
    wrong_weight: float
    """What a card explains wrongly, by what it explains rightly."""
    least_visible: float
    """Share of a card that must be seen."""
    starts: int
    """Places of a strip about which cards are compared."""
    judged: int
    """Cards of a table's strip that the verifier is asked about. Of 810 parts of cards in displays of
    development decks the right one is likeliest by its pixels in 543, among three in 646, among eight in
    744."""
    doubtful_from: float
    """Log odds of one look from which further ones may change what is decided: looks at one strip differ by
    1.7 (standard deviation) in one of ten."""
    doubtful_to: float
    """Log odds up to which they may."""


class SearchLimits(msgspec.Struct, frozen=True):
    """All limits of the search, by its steps."""

    outlines: OutlineLimits
    structure: StructureLimits
    features: FeatureLimits
    poses: PoseLimits
    ends: EndLimits
    selection: SelectionLimits
    places: PlaceLimits
    strips: StripLimits


def search_limits() -> SearchLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, SearchLimits)
