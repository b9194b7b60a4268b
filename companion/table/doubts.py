"""Open questions of the table, and what waits for their answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion.announce.announcement import Announcement
from companion.announce.phrases import Phrases
from companion.games.spotter import Observed, Option, Question


class Doubt(msgspec.Struct, frozen=True):
    """One open question with its number and the observation that raised it."""

    id: str
    question: Question
    observed: Observed

    def option(self, option: str) -> Option | None:
        """The answer of this name."""
        return next((one for one in self.question.options if one.id == option), None)

    def is_answered_by(self, event: Mapping[str, Any]) -> bool:
        """Whether an event that came in another way says what was asked."""
        return any(
            answer.get("event") == event.get("event") and answer.get("player") == event.get("player")
            for option in self.question.options
            for answer in option.events
        )

    def as_json(self, phrases: Phrases) -> dict[str, Any]:
        """The question as the pages get it."""
        question = self.question
        return {
            "id": self.id,
            "code": question.code,
            "text": phrases.text(question.code, question.params),
            "params": question.params,
            "player": question.player,
            "options": [
                {
                    "id": option.id,
                    "label": phrases.option(option.card, option.words),
                    "card": option.card,
                    "words": list(option.words),
                }
                for option in question.options
            ],
            "picture": f"/photo/{question.evidence}.jpg" if question.evidence else None,
        }


class Doubts:
    """The open questions in the order of asking, and the observations that wait for an answer."""

    def __init__(self) -> None:
        self._count = 0
        self._open: dict[str, Doubt] = {}
        self._deferred: deque[Observed] = deque()

    def __iter__(self) -> Iterator[Doubt]:
        return iter(tuple(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def get(self, question: str) -> Doubt | None:
        """The open question of this number."""
        return self._open.get(question)

    @property
    def block(self) -> bool:
        """Whether what happens has to wait."""
        return any(doubt.question.blocks for doubt in self._open.values())

    def ask(self, question: Question, observed: Observed) -> Announcement:
        """Opens a question; returns how it is announced."""
        self._count += 1
        name = f"q{self._count}"
        self._open[name] = Doubt(name, question, observed)
        if question.again:
            self._deferred.appendleft(observed)
        return Announcement(question.code, question.params)

    def defer(self, observed: Observed) -> None:
        """Puts an observation aside until the questions before it are answered."""
        self._deferred.append(observed)

    def next_deferred(self) -> Observed | None:
        """Takes out what may be looked at now; None while something blocks or nothing waits."""
        return self._deferred.popleft() if self._deferred and not self.block else None

    @property
    def settled(self) -> bool:
        """Whether nothing is open and nothing waits."""
        return not self._open and not self._deferred

    def close(self, doubt: Doubt) -> None:
        """The question is answered."""
        self._open.pop(doubt.id, None)

    def overtaken(self, event: Mapping[str, Any], phase: str) -> None:
        """Closes what is no question any more after an accepted event."""
        for doubt in self:
            wanted = doubt.question.phase
            if doubt.is_answered_by(event) or (wanted is not None and wanted != phase):
                self.close(doubt)

    def clear(self) -> None:
        """The past has changed: nothing that was asked or put aside fits it any more."""
        self._open.clear()
        self._deferred.clear()
