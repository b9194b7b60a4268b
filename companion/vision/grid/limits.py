"""The limits of the reader of the field of 13 Monsters. `python -m bench --fit field` fits them on drawn
fields and writes them, with the figures of that, to models/vision/field.json.

Widths are those of a card. A correlation is that of two small grey pictures of places.
"""

from __future__ import annotations

import msgspec

from companion.vision.models import shipped_limits

FILE = "field.json"


class FieldLatticeLimits(msgspec.Struct, frozen=True):
    """Where the field lies (companion.vision.grid.field)."""

    fewest: int
    """Outlines of cards that must hang together."""
    beside: float
    """Widths by which a card, or an outline of it, lies beside its place at most."""
    inlier: float
    """Widths by which the middle of a card lies off the lattice that is fitted to it: less than a carelessly
    laid card does."""
    pitch: float
    """Sizes of a card from the middle of one to that of the next."""
    size: float
    """Times by which the area of an outline may differ from that of a card."""
    fewest_backs: int
    """Places that must look alike to tell the back."""
    fewest_in_row: int
    """Backs from which an outer row or column belongs to the field."""


class FieldPlaceLimits(msgspec.Struct, frozen=True):
    """What a place shows (companion.vision.grid.read)."""

    back: float
    """Correlation from which a place shows the back."""
    rim: float
    """Correlation of a place, or of its rim, from which a die may hide a back there."""
    disturbed: float
    """Loss of correlation in the middle from which a die may be on the back."""
    hidden: float
    """Loss of correlation in the middle from which a die that cannot be read is on the back."""
    same: float
    """Correlation from which a place is the same as before."""
    die: float
    """Confidence of a die on a card: it is searched for as if one lay there, which it seldom does."""
    burnt: float
    """Share of pixels all of whose colours are burnt out from which a mirrored lamp may hide a place."""


class GridLimits(msgspec.Struct, frozen=True):
    """All limits of the field."""

    lattice: FieldLatticeLimits
    places: FieldPlaceLimits


def grid_limits() -> GridLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, GridLimits)
