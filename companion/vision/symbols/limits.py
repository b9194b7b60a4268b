"""The limits of reading symbols and tiles. `python -m bench --fit symbols` fits them on photographs composed
by code and writes them, with the figures of these photographs, to models/vision/symbols.json."""

from __future__ import annotations

import msgspec

from companion.vision.models import shipped_limits

FILE = "symbols.json"


class SymbolPlaceLimits(msgspec.Struct, frozen=True):
    """Which places may show a symbol (companion.vision.symbols.regions)."""

    smallest: float
    """The longer side of a symbol, as a share of the picture's, at least."""
    largest: float
    """The longer side of a symbol, as a share of the picture's, at most. It bounds the time."""
    shadow_tint: float
    """By how much more of one colour than of another paper in a shadow lacks, at most."""
    clear_paper: float
    """Share of paper close round a place that is looked at: the squares of a checked cloth have less."""


class SlantLimits(msgspec.Struct, frozen=True):
    """When the tiles are taken to be seen from aside (companion.vision.symbols.slant)."""

    least_fit: float
    """How well a slant must explain the places, as a mean of squared fits: the coloured fields of tiles look
    like no symbol, and like one at any slant better than at none."""


class CircleLimits(msgspec.Struct, frozen=True):
    """Which circles are outlines of tiles (companion.vision.symbols.discs)."""

    least_edge: float
    """Grey levels by which the light changes at an outline."""
    across: float
    """Least cosine between the direction in which the light changes at an outline and the radius there."""
    reach: float
    """How far beside a circle its edges may lie, in radii."""
    one_size: float
    """Largest radius of a table's tiles against the typical one, and the typical one against the smallest.
    Every edge that lies so many radii from the middle of a tile is its own or its shadow's."""
    whole_share: float
    """Share of its outline that a whole tile shows."""
    part_share: float
    """Share of its outline that a part of a tile shows without a gap."""
    rim_agreement: float
    """Share of the light by which the rims of whole tiles vary where they agree."""
    rim_likeness: float
    """Share of the light by which the rim of a part may differ from those of whole tiles."""


class NameLimits(msgspec.Struct, frozen=True):
    """When a symbol is named, and when it is asked about (companion.vision.symbols.search,
    companion.vision.tiles.read)."""

    named: float
    """Probability from which a symbol is named."""
    likely: float
    """Probability of a symbol from which a place is asked about."""
    like_small: float
    """Radius of a symbol that was not identified, by the median radius of those that were, at least."""
    least_distance: float
    """Distance between the centres of two tiles, as a share of the sum of their radii, at least."""


class SymbolLimits(msgspec.Struct, frozen=True):
    """All limits, by what they decide."""

    places: SymbolPlaceLimits
    slant: SlantLimits
    circles: CircleLimits
    names: NameLimits


def symbol_limits() -> SymbolLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, SymbolLimits)
