"""Setting the table up: what the page shows. Points are shares of the picture's width and height."""

from __future__ import annotations

import msgspec

from companion.api.enrolment import Share


class GameTitle(msgspec.Struct, frozen=True):
    """A game whose table may be set up."""

    name: str
    title: str


class MarkerSeen(msgspec.Struct, frozen=True):
    """A marker of the mat in the picture."""

    id: int
    corners: tuple[Share, ...]


class MatState(msgspec.Struct, frozen=True):
    """The mat in the picture; `error` is the mean distance of its corners from where they should be, in
    pixels."""

    name: str
    error: float
    markers: tuple[MarkerSeen, ...]


class PictureFault(msgspec.Struct, frozen=True):
    """Something that keeps the camera from seeing well; `where` is None for the whole picture."""

    code: str
    amount: float
    where: tuple[Share, ...] | None


class LensState(msgspec.Struct, frozen=True):
    """What was learned of the lens: whether correcting helps, and the errors in pixels of the correction, of
    a model without and of one with distortion."""

    helps: bool
    error: float
    flat: float
    bent: float
    pictures: int


class TableSetupState(msgspec.Struct, frozen=True):
    """What the set-up page shows."""

    camera: bool
    game: str
    games: tuple[GameTitle, ...]
    seats: int
    zones: dict[str, tuple[Share, ...]]
    source: str
    """Where the zones come from: `mat`, `drawn`, `configured` or `guessed`."""
    mat: MatState | None
    findings: tuple[PictureFault, ...]
    remembered: bool
    """Whether there is a view of the table to compare with."""
    lens: LensState | None
    mats: int
    """Pictures of the mat taken so far to learn the lens."""


class SeenCard(msgspec.Struct, frozen=True):
    """A card that is recognised in the camera's picture."""

    label: str
    confidence: float
    corners: tuple[Share, ...]


class SeenCards(msgspec.Struct, frozen=True):
    """What is recognised in the camera's picture, and how many cards have no name."""

    cards: tuple[SeenCard, ...]
    unknown: int
