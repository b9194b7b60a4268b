"""Open questions of the table, and the observations that wait for their answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import msgspec

from companion.announce.announcement import Announcement
from companion.api.snapshot import AnswerOption, TableQuestion
from companion.core.events import Event
from companion.games.spotter import Observed, Option, Question


class OpenQuestion(msgspec.Struct, frozen=True):
    """One open question with its number and the observation that raised it."""

    id: str
    question: Question
    observed: Observed

    def option(self, option: str) -> Option | None:
        """The answer of this name."""
        return next((one for one in self.question.options if one.id == option), None)

    def is_answered_by(self, event: Event) -> bool:
        """Whether an event from another source answers the question."""
        return any(
            answer.get("event") == event.get("event") and answer.get("player") == event.get("player")
            for option in self.question.options
            for answer in option.events
        )

    def shown(self) -> TableQuestion:
        """The question as pages get it."""
        asked = self.question
        return TableQuestion(
            self.id,
            asked.code,
            asked.params,
            tuple(AnswerOption(option.id, option.card, option.words) for option in asked.options),
            asked.player,
            f"/photo/{asked.evidence}.jpg" if asked.evidence else None,
        )


class OpenQuestions:
    """The open questions in the order of asking, and the observations that wait for an answer."""

    def __init__(self) -> None:
        self._count = 0
        self._open: dict[str, OpenQuestion] = {}
        self._deferred: deque[Observed] = deque()

    def __iter__(self) -> Iterator[OpenQuestion]:
        return iter(tuple(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def get(self, question: str) -> OpenQuestion | None:
        """The open question of this number."""
        return self._open.get(question)

    @property
    def block(self) -> bool:
        """Whether observations have to wait for an answer."""
        return any(one.question.blocks for one in self._open.values())

    def ask(self, question: Question, observed: Observed) -> Announcement:
        """Opens a question; returns how it is announced."""
        self._count += 1
        name = f"q{self._count}"
        self._open[name] = OpenQuestion(name, question, observed)
        if question.again:
            self._deferred.appendleft(observed)
        return Announcement(question.code, question.params)

    def defer(self, observed: Observed) -> None:
        """Keeps an observation until the questions before it are answered."""
        self._deferred.append(observed)

    def next_deferred(self) -> Observed | None:
        """Takes out the next deferred observation; None if there is none or a question blocks."""
        return self._deferred.popleft() if self._deferred and not self.block else None

    @property
    def settled(self) -> bool:
        """Whether no question is open and no observation is deferred."""
        return not self._open and not self._deferred

    def close(self, question: OpenQuestion) -> None:
        """Removes a question that was answered."""
        self._open.pop(question.id, None)

    def close_answered(self, event: Event, phase: str) -> None:
        """Closes the questions that an accepted event answers, or whose phase is over."""
        for one in self:
            wanted = one.question.phase
            if one.is_answered_by(event) or (wanted is not None and wanted != phase):
                self.close(one)

    def clear(self) -> None:
        """Drops all questions and deferred observations: earlier events of the game were changed."""
        self._open.clear()
        self._deferred.clear()
