"""The mat: a sheet under the game whose markers tell the camera where every millimetre of the table lies.

Ten ArUco markers (Garrido-Jurado et al. 2014; dictionary 4x4_100) stand along the rim. Every size of mat has
ids of its own, so that one marker tells which mat it is. Coordinates are millimetres from the mat's top left
corner, x to the right, y towards the reader.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.errors import UsageError

Mm = tuple[float, float]
RIM = 8.0
"""Millimetres between the edge of the mat and its markers: no printer prints nearer."""
MARKERS = 10
SIDES = ((0,), (0, 2), (0, 1, 3), (0, 1, 2, 3), (0, 0, 1, 2, 3), (0, 0, 1, 2, 2, 3))
"""For one to six seats the side at which each sits: 0 the reader's, then clockwise left, far, right."""


@dataclass(frozen=True)
class Mat:
    """One size of mat: `width` and `height` in mm, `side` of its markers in mm, `first` of its ids."""

    name: str
    width: float
    height: float
    side: float
    first: int

    def middles(self) -> dict[int, Mm]:
        """Marker id -> its middle."""
        near = RIM + self.side / 2
        far_x, far_y = self.width - near, self.height - near
        thirds = [near + (far_x - near) * k / 3 for k in range(4)]
        half = (near + far_y) / 2
        places = [(x, near) for x in thirds] + [(x, far_y) for x in thirds] + [(near, half), (far_x, half)]
        return {self.first + i: place for i, place in enumerate(places)}

    def corners(self, marker: int) -> tuple[Mm, Mm, Mm, Mm]:
        """The corners of a marker, clockwise from its own top left."""
        x, y = self.middles()[marker]
        half = self.side / 2
        return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)

    def inside(self) -> tuple[Mm, Mm, Mm, Mm]:
        """The part without markers."""
        low = RIM + self.side + 4.0
        right, bottom = self.width - low, self.height - low
        return (low, low), (right, low), (right, bottom), (low, bottom)


MATS = {
    mat.name: mat
    for mat in (
        Mat("a4", 297.0, 210.0, 22.0, 0),
        Mat("letter", 279.4, 215.9, 22.0, 10),
        Mat("a3", 420.0, 297.0, 26.0, 20),
        Mat("tabloid", 431.8, 279.4, 26.0, 30),
        Mat("a2", 594.0, 420.0, 32.0, 40),
        Mat("a1", 841.0, 594.0, 40.0, 50),
    )
}
"""The mats by their paper's name, all lying across."""


def mat_named(name: str) -> Mat:
    """The mat of that paper.

    Raises:
        UsageError: there is none.
    """
    if name not in MATS:
        raise UsageError("mat.unknown", name=name, mats=tuple(MATS))
    return MATS[name]


def mat_of(marker: int) -> Mat | None:
    """The mat that a marker belongs to."""
    return next((mat for mat in MATS.values() if mat.first <= marker < mat.first + MARKERS), None)


def before_seat(mat: Mat, seat: int, seats: int) -> tuple[Mm, ...]:
    """The part of the table beside the mat in front of a seat, in mm of the mat. Two seats on one side share
    it. The first player sits at the reader's side, the others follow clockwise; `seat` counts from 0.
    """
    sides = SIDES[min(seats, len(SIDES)) - 1]
    side = sides[seat]
    sharing = [i for i, one in enumerate(sides) if one == side]
    part, parts = sharing.index(seat), len(sharing)
    deep = 0.8 * mat.height
    if side in (0, 2):
        wide = (mat.width + 2 * 0.25 * mat.width) / parts
        left = -0.25 * mat.width + wide * (parts - 1 - part if side == 0 else part)
        top = mat.height if side == 0 else -deep
        return (left, top), (left + wide, top), (left + wide, top + deep), (left, top + deep)
    left = -deep if side == 1 else mat.width
    return (left, 0.0), (left + deep, 0.0), (left + deep, mat.height), (left, mat.height)
