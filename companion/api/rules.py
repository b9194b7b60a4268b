"""A game's rules as pages show them: the digest in chapters, a sample turn, and what may be done now."""

from __future__ import annotations

import msgspec

from companion.core.events import Event


class RuleText(msgspec.Struct, frozen=True):
    """One rule in our own words, in a phone's language."""

    id: str
    text: str
    note: str = ""
    """What should be known about it: that the rulebook only implies it, or that nothing can see it."""


class RuleChapter(msgspec.Struct, frozen=True):
    """A chapter of the rulebook."""

    title: str
    rules: tuple[RuleText, ...]


class SampleStep(msgspec.Struct, frozen=True):
    """One event of the sample turn with the sentences that it makes and the rules behind them."""

    event: Event
    lines: tuple[str, ...]
    rules: tuple[str, ...]


class GameRules(msgspec.Struct, frozen=True):
    """All rules of a game. `sample` is empty for a game without a sample turn."""

    game: str
    title: str
    chapters: tuple[RuleChapter, ...]
    sample: tuple[SampleStep, ...]


class PossibleNow(msgspec.Struct, frozen=True):
    """One thing that may be done now, as a sentence. `players` is empty for what anybody may do."""

    text: str
    rule: str
    players: tuple[str, ...]
