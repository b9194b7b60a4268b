"""Compares two journals of the same evening: same events, same verdicts, same times within a tolerance."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from companion.recording.reader import JudgedGame
from companion.store.rows import Line
from companion.table.record import Record, opened
from companion.table.timeline import VerdictJson

TIMES = ("t", "start", "end")
"""Fields of events that say when it happened, in seconds of the game."""
ROUNDING_S = 0.002
"""Two times of an event are rounded to a millisecond each."""
START_S = 0.5
"""By how much the first event of a game may be off: the time of the game began that much later."""
JUDGED_S = 0.5
"""By how much the judgement of an event without a time of its own may be off."""

Kind = Literal["missing", "added", "changed", "refused", "verdict", "time"]


class JudgedLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A judged event with what the rules said of it."""

    n: int
    t: float
    """The game's time when it was judged."""
    at: str
    """The time of day, UTC."""
    source: str
    event: dict[str, Any]
    code: str | None = None
    """Why it was refused."""
    verdicts: tuple[VerdictJson, ...] = ()


class JournalDifference(msgspec.Struct, frozen=True, omit_defaults=True):
    """One difference.

    `kind`: `missing`: only that evening had it; `added`: only now; `changed`: another event; `refused`: one
    of the two was refused, or for another reason; `verdict`: the rules said something else; `time`: more
    than the tolerance earlier or later, seen from the event before it.
    """

    kind: Kind
    live: JudgedLine | None = None
    relived: JudgedLine | None = None


class GameComparison(msgspec.Struct, frozen=True):
    """One game in both journals."""

    game: str
    players: tuple[str, ...]
    live_events: int
    relived_events: int
    scores_live: dict[str, int]
    scores_relived: dict[str, int]
    differences: tuple[JournalDifference, ...]


def compared(
    live: Sequence[JudgedGame],
    relived: Sequence[JudgedGame],
    tolerance_s: float,
    earlier: Sequence[Sequence[Line]] = (),
    until: datetime | None = None,
) -> tuple[GameComparison, ...]:
    """Compares the games of an evening one by one.

    Args:
        live: what was judged that evening.
        relived: what was judged now.
        tolerance_s: by how much the times may differ.
        earlier: for each game of `live` its lines from before the recording began.
        until: an evening that was cut off is compared up to this time of day; None: to its end.
    """
    found = []
    for i in range(max(len(live), len(relived))):
        one = live[i] if i < len(live) else None
        other = relived[i] if i < len(relived) else None
        known = earlier[i] if i < len(earlier) else ()
        found.append(_game(one, other, tolerance_s, known, until))
    return tuple(found)


def _game(
    live: JudgedGame | None,
    relived: JudgedGame | None,
    tolerance_s: float,
    earlier: Sequence[Line],
    until: datetime | None,
) -> GameComparison:
    row = (live or relived).game  # type: ignore[union-attr]
    first, scores_live = _judged(live, earlier)
    second, scores_relived = _judged(relived, earlier)
    differences = []
    drift = _Drift(tolerance_s)
    for one, other in _aligned(first, second):
        latest = max(datetime.fromisoformat(line.at) for line in (one, other) if line is not None)
        if until is not None and latest > until and (one is None or other is None):
            continue  # judged in the moment at which the recording was cut off
        kind = _kind(one, other) or ("time" if one and other and drift.exceeded(one, other) else None)
        if kind is not None:
            differences.append(JournalDifference(kind, one, other))
    return GameComparison(
        row.name,
        tuple(row.players),
        len(first),
        len(second),
        scores_live,
        scores_relived,
        tuple(differences),
    )


def _judged(game: JudgedGame | None, earlier: Sequence[Line]) -> tuple[list[JudgedLine], dict[str, int]]:
    """The lines of a game with their verdicts, and the scores at the end."""
    if game is None:
        return [], {}
    record: Record[Any] = opened(game.game.header())
    for line in earlier:
        record.push(line.event)
    entries = [record.push(line.event) for line in game.lines]
    lines = [
        JudgedLine(line.n, line.t, line.at, line.source, dict(line.event), line.code, entry.verdicts)
        for line, entry in zip(game.lines, entries, strict=True)
    ]
    return lines, record.scores()


def _aligned(
    live: Sequence[JudgedLine], relived: Sequence[JudgedLine]
) -> list[tuple[JudgedLine | None, JudgedLine | None]]:
    """Pairs of the same events in their order; what has no partner is paired by order with another of the
    same kind, or stands alone."""
    first, second = [_key(one) for one in live], [_key(one) for one in relived]
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    pairs: list[tuple[JudgedLine | None, JudgedLine | None]] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            pairs += zip(live[a:b], relived[c:d], strict=True)
        else:
            pairs += _replaced(live[a:b], relived[c:d])
    return pairs


def _replaced(
    live: Sequence[JudgedLine], relived: Sequence[JudgedLine]
) -> list[tuple[JudgedLine | None, JudgedLine | None]]:
    first, second = [one.event.get("event") for one in live], [one.event.get("event") for one in relived]
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    pairs: list[tuple[JudgedLine | None, JudgedLine | None]] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            pairs += zip(live[a:b], relived[c:d], strict=True)
        else:
            pairs += [(one, None) for one in live[a:b]]
            pairs += [(None, one) for one in relived[c:d]]
    return pairs


def _key(line: JudgedLine) -> bytes:
    """What two lines of the same event have in common: everything but the times."""
    return msgspec.json.encode([_timeless(line), line.code], order="deterministic")


def _timeless(line: JudgedLine) -> dict[str, Any]:
    return {name: value for name, value in line.event.items() if name not in TIMES}


def _kind(live: JudgedLine | None, relived: JudgedLine | None) -> Kind | None:
    """How two lines differ apart from their times; None: they do not."""
    if relived is None:
        return "missing"
    if live is None:
        return "added"
    if _timeless(live) != _timeless(relived):
        return "changed"
    if live.code != relived.code:
        return "refused"
    return "verdict" if live.verdicts != relived.verdicts else None


class _Drift:
    """Compares the times of one event after the other.

    The time of a game begins when the table has started it, and stands still while a question is open: both
    depend on how busy the machine was, by hundredths of a second. So each event is compared with how far the
    one before it was off; an event without a time of its own by when it was judged, more coarsely.
    """

    def __init__(self, tolerance_s: float) -> None:
        self._tolerance_s = tolerance_s + ROUNDING_S
        self._off: float | None = None
        self._jumped: float | None = None

    def exceeded(self, live: JudgedLine, relived: JudgedLine) -> bool:
        """Whether the two lines of an event are further apart than the tolerance."""
        named = [name for name in TIMES if name in live.event or name in relived.event]
        if not named:
            return abs(relived.t - live.t - (self._off or 0.0)) > JUDGED_S
        gaps = [_gap(live.event.get(name), relived.event.get(name)) for name in named]
        if self._off is None and max(map(abs, gaps)) <= START_S:
            self._off = gaps[0]
        if self._near(gaps, self._off or 0.0):
            self._off, self._jumped = gaps[0], None
            return False
        if self._jumped is not None and self._near(gaps, self._jumped):
            self._off, self._jumped = gaps[0], None  # the game's time was shifted once, at the event before
            return False
        self._jumped = gaps[0]
        return True

    def _near(self, gaps: Sequence[float], off: float) -> bool:
        return max(abs(gap - off) for gap in gaps) <= self._tolerance_s


def _gap(one: Any, other: Any) -> float:
    """By how many seconds a time is later now."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return float(other - one)
    return 0.0 if one == other else float("inf")
