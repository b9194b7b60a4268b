"""Bodies of the requests that are no commands of the table."""

from __future__ import annotations

from typing import Annotated

import msgspec

from companion.api.enrolment import Share
from companion.api.photos import ColumnCount
from companion.api.stored import FileKind


class NoFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request without fields: `{}`."""


class LogNumber(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the log."""

    n: int


class EveningName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded evening, by the name of its folder."""

    name: str


class CodeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code that makes a phone the referee's."""

    code: str


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as a file: its name, and the script that it holds."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    text: str


class GameNumber(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game in the journal."""

    game: int


class StoredFileName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file or folder of the stored data."""

    kind: FileKind
    name: str


class PhoneNumber(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phone that the table knows."""

    number: int


class PhoneOwner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player whom the phone belongs to; null: a spectator."""

    player: str | None


class LanguageChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The language of a phone; null: the browser's."""

    language: str | None


class DeckChosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The deck to be learned."""

    deck: str


class CardNamed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card of the picture, by its number there, and its name."""

    card: int
    label: str


class CardTurned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card of the picture that is upside down."""

    card: int


class CardRenamed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card of the deck and its new name."""

    old: str
    new: str


class CardDropped(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card of the deck that is taken out of it."""

    label: str


class SetupGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game whose table is set up; empty: the one that is played."""

    game: str = ""


class DrawnZones(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Zones that were drawn: name -> corners as shares of the picture's width and height."""

    game: str
    zones: dict[str, list[Share]]


class OutputChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The output that is to give a sign: `buzzer`, `lamps` or `voice`."""

    name: str


class PlayerName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player whose voice it is."""

    player: str


class TilesAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's tiles {symbol: how many} whose points are asked for."""

    player: str
    tiles: dict[str, Annotated[int, msgspec.Meta(ge=0, le=1000)]]


class DisplayAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A display whose points are asked for; `aside`: jokers without a column."""

    display: dict[str, ColumnCount]
    aside: int = 0
