"""Replies to requests that are no commands of the table."""

from __future__ import annotations

import msgspec

from companion.api.commands import Role
from companion.api.enrolment import DeckProblems, EnrolmentState
from companion.api.photos import LatticePhoto, PhotoReading
from companion.api.rules import PossibleNow
from companion.api.snapshot import EventOffer, LogEntry
from companion.api.table_setup import SeenCards, TableSetupState


class Done(msgspec.Struct, frozen=True):
    """It was done."""

    ok: bool = True


class RequestError(msgspec.Struct, frozen=True):
    """The request was refused or failed. `text` is a sentence in the reader's language."""

    code: str
    text: str
    ok: bool = False


class OpenedFile(msgspec.Struct, frozen=True):
    """A game was opened from a file."""

    key: str
    """The last part of the address `/past/file/<key>` that shows it."""
    ok: bool = True


class RoleReply(msgspec.Struct, frozen=True):
    """The role that the phone has now."""

    role: Role
    ok: bool = True


class LanguageReply(msgspec.Struct, frozen=True):
    """The language of the phone; null: the browser's."""

    language: str | None
    ok: bool = True


class OwnerReply(msgspec.Struct, frozen=True):
    """The player whom the phone belongs to; null: a spectator."""

    me: str | None
    ok: bool = True


class MayReply(msgspec.Struct, frozen=True):
    """What may be done now; empty between two games."""

    may: tuple[PossibleNow, ...]
    ok: bool = True


class LogReply(msgspec.Struct, frozen=True):
    """Earlier entries of the log, oldest first; empty between two games."""

    entries: tuple[LogEntry, ...]
    ok: bool = True


class OffersReply(msgspec.Struct, frozen=True):
    """What could have happened instead of an entry of the log."""

    offers: tuple[EventOffer, ...]
    ok: bool = True


class EnrolmentReply(msgspec.Struct, frozen=True):
    """The deck that is being learned, as it is now."""

    enrolment: EnrolmentState
    ok: bool = True


class DeckCheckReply(msgspec.Struct, frozen=True):
    """What should be corrected in the deck."""

    check: DeckProblems
    ok: bool = True


class SetupReply(msgspec.Struct, frozen=True):
    """What the set-up page shows now."""

    setup: TableSetupState
    ok: bool = True


class SeenReply(msgspec.Struct, frozen=True):
    """What the camera recognises now."""

    seen: SeenCards
    ok: bool = True


class PhotoReply(msgspec.Struct, frozen=True):
    """What was read from a photograph of a display or of tiles."""

    reading: PhotoReading
    ok: bool = True


class LatticeReply(msgspec.Struct, frozen=True):
    """What was read from a photograph of triangles."""

    reading: LatticePhoto
    ok: bool = True
