"""One root for every error that is raised on purpose, with small children.

An error carries a code and parameters (companion.core.message), not a sentence. The sentence says what is
wrong and what to do about it; it is written at the edge, on one line, in the reader's language.

    >>> from companion.core.errors import Unreadable
    >>> error = Unreadable("journal.no_move", n=7)
    >>> error.message
    Message(code='journal.no_move', params={'n': 7})
    >>> print(error)
    there is no move 7 in this game
"""

from __future__ import annotations

from pathlib import Path
from typing import Self

from companion.core.message import Message, Param, message


class CompanionError(Exception):
    """Root of all errors that are raised on purpose; the command line turns it into exit status 1.

    Args:
        code: names a template in `messages.toml`.
        params: fill the names in the template's braces.
    """

    def __init__(self, code: str, /, **params: Param | Path) -> None:
        super().__init__(code)
        self.message = message(code, **params)

    @classmethod
    def of(cls, message: Message) -> Self:
        """The error that says a message that is there already."""
        return cls(message.code, **message.params)

    @property
    def code(self) -> str:
        """The message's code."""
        return self.message.code

    def __str__(self) -> str:
        return str(self.message)


class UsageError(CompanionError, ValueError):
    """The request itself is wrong (a bad header, a file that is no picture's name): exit status 2."""


class Unreadable(CompanionError, ValueError):
    """Input that cannot be parsed: a broken picture, a WAV without samples, a deck file of another kind."""


class Unavailable(CompanionError, RuntimeError):
    """Something needed is missing or taken: a device, a port, a model, the data folder's lock."""


class Impaired(Unavailable):
    """A source works in part. Its sentence, which says what does not, is the announcement of its code
    (companion.announce.codes)."""


class Rejected(CompanionError):
    """An event that was read but is against the rules now. It changes nothing.

    `code` is one of the codes of docs/events.md, `rule` the id of the rule it rests on (may be empty). Its
    sentence is the announcement of that code (companion.announce.codes).
    """

    def __init__(self, code: str, rule: str = "") -> None:
        super().__init__(code)
        self.rule = rule


class BadSetting(CompanionError, ValueError):
    """A game's settings are impossible. Raised while they are built, where msgspec expects a ValueError."""


class BadHeader(UsageError):
    """A script's first line names no playable game.

    `code` is `bad_game`, `bad_players` or `bad_settings`; `why` says what is wrong with it.
    """

    def __init__(self, code: str, why: str | Message, /, **params: Param | Path) -> None:
        super().__init__(code)
        self.why = why if isinstance(why, Message) else message(why, **params)

    def __str__(self) -> str:
        return f"{self.code}: {self.why}"


def reason(error: BaseException) -> Message:
    """What an error says: the message of a `CompanionError`; for any other its own words (English, from a
    library or the system), or its type's name where it has none."""
    if isinstance(error, BadHeader):
        return error.why
    if isinstance(error, CompanionError):
        return error.message
    return Message("library.words", {"words": str(error) or type(error).__name__})
