"""What one evening was like: counted by cause, and added up over evenings."""

from __future__ import annotations

from collections import Counter

import msgspec


class Cause(msgspec.Struct, frozen=True):
    """Why people had to do something: which sense, what went wrong, in which moment."""

    sense: str
    what: str
    """E.g. `card_played missed`, `question unsure_call`."""
    moment: str
    t: float
    """Seconds of the evening."""
    detail: str = ""

    @property
    def name(self) -> str:
        """The cause without the time."""
        return f"{self.sense}: {self.what} ({self.moment})"


class Evening(msgspec.Struct):
    """The counts of one game."""

    game: str
    seed: int
    events: int = 0
    """True events that a sense can know."""
    found: int = 0
    """Of these, those in the journal without anybody's help."""
    entered: int = 0
    """Events that no sense can know, entered on a phone."""
    needed_taps: int = 0
    """Taps for these."""
    questions: int = 0
    answers: int = 0
    corrections: int = 0
    """Commands that mended the journal."""
    taps: int = 0
    """Taps beyond what no sense can know: answers and corrections."""
    looks: int = 0
    wrong_scores: int = 0
    """Looks at which the page showed a wrong score or position, and no question was open."""
    wrong_accusations: int = 0
    mistakes: int = 0
    """True mistakes of players."""
    missed_mistakes: int = 0
    equal: bool = False
    """Whether the journal holds the script's events, verdicts and result at the end."""
    alone: bool = False
    """Whether it would without any help: no question, no correction."""
    delays: list[float] = []
    """Seconds from each event to the page, with the time that the processor took."""
    causes: list[Cause] = []
    played_s: float = 0.0
    worked_s: float = 0.0
    note: str = ""
    """Why it was broken off, or what differs at the end."""


def commonest(evenings: list[Evening], most: int = 10) -> list[tuple[str, int, str]]:
    """The commonest causes: name, how often, and one place where it can be looked at."""
    counted = Counter(cause.name for evening in evenings for cause in evening.causes)
    where: dict[str, str] = {}
    for evening in evenings:
        for cause in evening.causes:
            where.setdefault(
                cause.name, f"{evening.game}, seed {evening.seed}, {cause.t:.0f} s {cause.detail}".strip()
            )
    return [(name, count, where[name]) for name, count in counted.most_common(most)]
