"""One root for everything the companion raises on purpose, with small children.

A message says what is wrong and what to do about it: it is shown as it stands, on one line, by the
command line and by the pages.
"""


class CompanionError(Exception):
    """Root of all errors that are raised on purpose; the command line turns it into exit status 1."""


class UsageError(CompanionError, ValueError):
    """The request itself is wrong (a bad header, a file that is no picture's name): exit status 2."""


class Unreadable(CompanionError, ValueError):
    """Input that cannot be parsed: a broken picture, a WAV without samples, a deck file of another kind."""


class Unavailable(CompanionError, RuntimeError):
    """Something needed is missing or taken: a device, a port, a model, the data folder's lock."""


class Rejected(CompanionError):
    """An event that was read but is against the rules now. It changes nothing.

    `code` is one of the codes of docs/events.md, `rule` the id of the rule it rests on (may be empty).
    """

    def __init__(self, code: str, rule: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule


class BadHeader(UsageError):
    """A script's first line names no playable game: `bad_game`, `bad_players` or `bad_settings`."""

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(f"{code}: {why}" if why else code)
        self.code = code
