"""What was read from photographs. All of it is a proposal that the player checks before it is entered."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from companion.core.message import Message

Pixel = tuple[float, float]
"""x to the right and y down, in pixels of the picture that is shown."""


class ReadCard(msgspec.Struct, frozen=True):
    """A card or tile that was recognised. `monster`: the column of a display that it lies in, which is the
    label of a card whose number is not sure."""

    id: str
    label: str
    confidence: float
    corners: tuple[Pixel, ...]
    monster: str | None = None


class UnreadTile(msgspec.Struct, frozen=True):
    """A place where a tile may lie that could not be read. `like`: the symbol that comes nearest."""

    id: str
    like: str | None
    centre: Pixel
    radius: float


class UnsureCard(msgspec.Struct, frozen=True):
    """A place of a display that must be looked at before it can be scored. `likely`: labels that may lie
    there, likeliest first; `monster`: the column that it belongs to; `card`: the id of the card that was
    counted there, None if none was; `reason`: why it is unsure."""

    id: str
    corners: tuple[Pixel, ...]
    likely: tuple[str, ...]
    monster: str | None
    card: str | None
    reason: Message | str


class ColumnCount(msgspec.Struct, frozen=True):
    """A column of a display: all its cards, and the jokers among them."""

    cards: int
    jokers: int


class PhotoReading(msgspec.Struct, frozen=True):
    """A display or the tiles of a player, read from a photograph.

    `score` is None while anything is unsure; `unsure`: what is doubtful; the host gives messages,
    a page gets sentences.
    """

    player: str
    id: str
    picture: str
    """Address of the photograph with what was recognised drawn on it."""
    size: tuple[int, int]
    """Width and height of that picture, in pixels."""
    cards: tuple[ReadCard, ...]
    score: int | None
    unsure: tuple[Message | str, ...]
    labels: tuple[str, ...] = ()
    """Every card of the deck."""
    display: dict[str, ColumnCount] | UnsetType = UNSET
    """Of a display: its columns."""
    tiles: dict[str, int] | UnsetType = UNSET
    """Of tiles: how many there are of each symbol."""
    places: tuple[UnsureCard, ...] | UnsetType = UNSET
    """Of a display: the places that are unsure."""
    doubts: tuple[UnreadTile, ...] | UnsetType = UNSET
    """Of tiles: places where one may lie that could not be read."""


class DicePhoto(msgspec.Struct, frozen=True):
    """Dice read from a photograph, from left to right."""

    dice: tuple[int, ...]
    unsure: tuple[Message | str, ...]
    ok: bool = True


class TrianglePhoto(msgspec.Struct, frozen=True):
    """A triangle of the photographed table. `at` is its place in the game, [row, column]."""

    id: str
    at: tuple[int, int]
    label: str
    confidence: float
    corners: tuple[Pixel, ...]
    kind: Literal["known", "new", "unsure", "differs", "lost"]
    """How it compares with the game: `lost` if the places of the photograph could not be found in it."""


class MissingTriangle(msgspec.Struct, frozen=True):
    """A card of the game that the photograph does not show."""

    at: tuple[int, int]
    card: str


class LatticePhoto(msgspec.Struct, frozen=True):
    """The photographed table of Trio Monsters compared with the game."""

    id: str
    picture: str
    size: tuple[int, int]
    fits: bool
    """Whether the photograph's places could be found in the game."""
    ordered: bool
    """Whether the rules leave one order only in which the new cards can have been laid."""
    cards: tuple[TrianglePhoto, ...]
    """The new ones in the order in which they were laid."""
    missing: tuple[MissingTriangle, ...]
    labels: tuple[str, ...]


class DisplayPoints(msgspec.Struct, frozen=True):
    """What a display would score; `points` is None in a game that scores no displays."""

    points: int | None
    columns: dict[str, int]
    ok: bool = True


class TilePoints(msgspec.Struct, frozen=True):
    """What tiles would score: all together with the trophy, the trophy alone, and each symbol."""

    points: int
    trophy: int
    symbols: dict[str, int]
    ok: bool = True


class KeptEvidence(msgspec.Struct, frozen=True):
    """The evidence that was written. `file`: its path on the companion."""

    file: str
    pictures: int
    sound: bool
    ok: bool = True
