"""The comparison of two journals as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from companion.announce.phrases import Phrases
from companion.core.observations import Landing, LatticeSeen, Utterance
from companion.games import rulebook
from companion.relive.compare import GameComparison, JournalDifference, JudgedLine
from companion.relive.player import SenseReport
from companion.table.story import phrases

NEAR_S = 6.0
"""A report belongs to an event that was judged at most this many seconds later."""


class Clues:
    """What the senses reported, to find the confidence of an event.

    Args:
        reports: oldest first.
        start: the moment of the one clock ...
        began: ... at this time of day.
    """

    def __init__(self, reports: Sequence[SenseReport], start: float, began: datetime) -> None:
        self._reports = reports
        self._start = start
        self._began = began

    def confidence(self, line: JudgedLine) -> float | None:
        """The confidence of the report that an event was made of; None: no sense reported it."""
        judged = self._start + (datetime.fromisoformat(line.at) - self._began).total_seconds()
        found = None
        for report in self._reports:
            if report.at > judged + 0.1:
                break
            if judged - report.at <= NEAR_S:
                found = _confidence(report, line) or found
        return found


def written(
    games: Sequence[GameComparison],
    live: Clues,
    relived: Clues,
    *,
    whole: bool = True,
    language: str = "en",
) -> list[str]:
    """Line by line what differs; a line for each game first.

    Args:
        whole: whether the evening was played to its end, so that its scores must be the same.
    """
    lines = []
    for one in games:
        title, players = rulebook(one.game).title, ", ".join(one.players)
        same = "the same" if not one.differences else f"{len(one.differences)} different"
        lines.append(f"{title} ({players}): {one.live_events} events, {same}")
        for difference in one.differences:
            lines += _lines(difference, live, relived, phrases(language))
        if whole and one.scores_live != one.scores_relived:
            lines.append(f"  scores: live {_scores(one.scores_live)}; relived {_scores(one.scores_relived)}")
    return lines


def _scores(scores: dict[str, int]) -> str:
    return ", ".join(f"{player} {points}" for player, points in scores.items()) or "none"


def _lines(difference: JournalDifference, live: Clues, relived: Clues, phrases: Phrases) -> Iterator[str]:
    line = difference.live or difference.relived
    assert line is not None
    at = datetime.fromisoformat(line.at).astimezone().strftime("%H:%M:%S")
    was = "nothing" if difference.live is None else _told(difference.live, live, phrases)
    now = "nothing" if difference.relived is None else _told(difference.relived, relived, phrases)
    if difference.kind == "time" and difference.live is not None and difference.relived is not None:
        yield f"  {at}  {was}: at {_time(difference.live)} s live, at {_time(difference.relived)} s relived"
    else:
        yield f"  {at}  live: {was}; relived: {now}"


def _time(line: JudgedLine) -> str:
    return f"{line.event.get('t', line.event.get('start', line.t)):.3f}"


def _told(line: JudgedLine, clues: Clues, phrases: Phrases) -> str:
    """An event in a sentence without its full stop, with its confidence and what the rules said of it."""
    told = phrases.event(line.event).rstrip(".")
    confidence = clues.confidence(line) if line.source in ("camera", "microphone") else None
    if confidence is not None:
        told += f" (confidence {confidence:.2f})"
    if line.code is not None:
        told += f", refused: {phrases.text(line.code, {**line.event, 'turn': None}).rstrip('.')}"
    verdicts = [phrases.text(one["verdict"], {**line.event, **one}).rstrip(".") for one in line.verdicts]
    return told + "".join(f", {verdict}" for verdict in verdicts)


def _confidence(report: SenseReport, line: JudgedLine) -> float | None:
    match report.observation:
        case Utterance(words=words, confidence=confidence) if line.source == "microphone":
            said = line.event.get("words")
            if not confidence:  # it was weighed later
                return None
            return confidence if said is None or list(said) == [word.word for word in words] else None
        case Landing(sighting=sighting) if line.source == "camera" and sighting is not None:
            return sighting.confidence if _names(line, sighting.label) else None
        case LatticeSeen(cards=cards) if line.source == "camera":
            named = [card.confidence for card in cards if _names(line, card.card)]
            return min(named, default=None)
        case _:
            return None


def _names(line: JudgedLine, label: str) -> bool:
    """Whether the card of an event has this label."""
    card = line.event.get("card")
    if isinstance(card, dict):
        card = " ".join(str(value) for value in card.values())
    return card in (None, label)
