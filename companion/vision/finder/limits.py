"""The limits by which cards are found and judged that are enrolled. `python -m bench --fit enrolment` fits
those of outlines on drawn pictures of development decks and writes them, with the figures of these pictures,
to models/vision/enrolment.json. The values that are shipped were set by hand (docs/lab/setup)."""

from __future__ import annotations

import msgspec

from companion.vision.models import shipped_limits

FILE = "enrolment.json"


class CardOutlineLimits(msgspec.Struct, frozen=True):
    """Which regions of the finder's maps are cards that lie apart (finder.outlines, finder.edge_fit)."""

    fill: float
    """Intersection by union of a quad with the hull of a region from which the region is one whole card."""
    card_pixels: float
    """Width of a card, in pixels, at which the finder sees its sides best; they are fitted in the two looks
    that come nearest to it."""
    least_pixels: float
    """Width of a region, in pixels, from which it may be a card."""
    most_aspect: float
    """Height / width of cards, at most; `LearnedLimits.square` is the least."""
    same_width: float
    """By how much the cards of one picture may differ in width (natural logarithm)."""
    same_shape: float
    """By how much they may differ in height / width and in the ratios of opposite sides (natural logarithms),
    and by how much of the deck's height / width theirs may differ, where that is known."""
    apart: float
    """Share of the smaller of two outlines, up to which both may be cards that lie apart."""
    edge: float
    """Mean probability of an edge along the weakest side, from which a quad is rather a card than not. From
    .2 to .5 nearly as many are found (docs/lab/setup/cards-apart.md)."""
    beside: float
    """Share of the smaller of a region and a card's outline, up to which the region is not that card."""
    relevant: float
    """Area of a region, by that of the picture's cards, from which it is given although it is no whole
    card."""
    reach: float
    """Card widths by which a side may move outwards or inwards onto an edge. On development decks .06 and .15
    bring the same outlines."""
    corner: float
    """Part of a side at either end that is not looked at: corners are round."""


class LearnedLimits(msgspec.Struct, frozen=True):
    """Which cards can be learned (deck.collect, deck.enrol), and which of them are square tiles."""

    width: float
    """Width in pixels of a card below which its number cannot be learned."""
    square: float
    """Height / width up to which a card is a square tile."""
    tile_areas: float
    """By how much the tiles of one picture may differ in area (a factor: a camera that looks obliquely sees
    the far ones smaller)."""
    tile_aspects: float
    """By how much they may differ in height / width (natural logarithm)."""
    largest: float
    """Share of the picture that one tile may fill."""
    burnt_level: int
    """Level of all three colours from which a pixel shows a lamp and not the card."""
    burnt: float
    """Share of such pixels up to which a card can be learned."""
    softness: float
    """Softness in pixels of a card CARD_WIDTH wide, from which a look counts as blurred,"""
    softer: float
    """if it is also softer than so many times the deck's median."""


class FolderLimits(msgspec.Struct, frozen=True):
    """Whether the pictures of a folder are crops of cards, or cards on a table (deck.outline)."""

    least_filled: float
    """Share of the picture that a card on a table fills: 48 of 54 photographs that people took of one card
    have one that fills .12 to .55, and at most one in five crops of each of 15 decks. Frames printed on crops
    fill more, signs less."""
    most_filled: float
    """The same, at most."""
    on_table: float
    """Share of pictures that show a card on a table, from which all show one."""
    same_aspect: float
    """Difference (a share) of the height / width of a card from that of the deck."""


class KnownLimits(msgspec.Struct, frozen=True):
    """What looks of cards tell that are compared (deck.check, deck.collect): a cost is 0 for the same
    picture, and 1 for nothing in common."""

    alike: float
    """Cost below which two cards of the deck can hardly be distinguished."""
    known: float
    """Cost below which a look would be taken for that card at the table. In other light a triangular card
    costs up to .28, other cards from .38 on (our drawn cards)."""
    different: float
    """By how much more every other card of the deck must cost then, and the cost up to which a look adds
    nothing to one that the deck has."""
    features: int
    """Local features of all looks of a card, below which it is found only where nothing covers it."""


class EnrolmentLimits(msgspec.Struct, frozen=True):
    """All limits of enrolling a deck."""

    outlines: CardOutlineLimits
    learned: LearnedLimits
    folders: FolderLimits
    known: KnownLimits


def enrolment_limits() -> EnrolmentLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, EnrolmentLimits)
