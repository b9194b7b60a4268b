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
    observed: Observed | None
    """None: it was raised by an event."""

    @property
    def about(self) -> str:
        """What its announcement is about; a question about nothing that lasts is about itself."""
        return self.question.about or f"question {self.id}"

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
        self._settled: set[str] = set()
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
        return any(one.question.blocks and not one.question.stays for one in self._open.values())

    def ask(self, question: Question, observed: Observed | None) -> Announcement | None:
        """Opens a question; returns how it is announced.

        None: the same has been answered, or it is open; then its options are replaced, because the game has
        gone on.
        """
        if question.about in self._settled:
            return None
        same = next((one for one in self if question.about and one.question.about == question.about), None)
        if same is not None:
            self._open[same.id] = msgspec.structs.replace(same, question=question)
            return None
        self._count += 1
        asked = OpenQuestion(f"q{self._count}", question, observed)
        self._open[asked.id] = asked
        if question.again and observed is not None:
            self._deferred.appendleft(observed)
        return Announcement(question.code, question.params, about=asked.about)

    def defer(self, observed: Observed) -> None:
        """Keeps an observation until the questions before it are answered."""
        self._deferred.append(observed)

    def next_deferred(self) -> Observed | None:
        """Takes out the next deferred observation; None if there is none or a question blocks."""
        return self._deferred.popleft() if self._deferred and not self.block else None

    @property
    def settled(self) -> bool:
        """Whether nothing waits for an answer: neither a question that does not stay nor an observation."""
        return not self._deferred and all(one.question.stays for one in self._open.values())

    def close(self, question: OpenQuestion, answered: bool = True) -> None:
        """Removes a question. What it was about is not asked again if it was answered."""
        self._open.pop(question.id, None)
        if answered:
            self.settle(question.question.about)

    def settle(self, about: str) -> None:
        """What the table has answered once is not asked again, unless it is resolved and returns."""
        self._settled |= {about} - {""}

    def resolve(self, about: str) -> list[OpenQuestion]:
        """What questions were about is so no longer: removes and returns those; it may be asked again."""
        self._settled.discard(about)
        found = [one for one in self if one.question.about == about]
        for one in found:
            self._open.pop(one.id)
        return found

    def close_answered(self, event: Event, phase: str) -> list[OpenQuestion]:
        """Closes and returns the questions that an accepted event answers, or whose phase is over. An agreed
        position, and time that ran out, also close those that may stay unanswered: they are about what was
        before."""
        before = event.get("event") in ("position", "time_passed")
        found = [
            one
            for one in self
            if one.is_answered_by(event)
            or one.question.phase not in (None, phase)
            or (before and one.question.unanswered is not None)
        ]
        for one in found:
            self.close(one)
        return found

    def replaced_by(self, question: Question) -> list[OpenQuestion]:
        """Removes and returns the questions in whose place another one is asked."""
        if not question.instead:
            return []
        events = [event for option in question.options for event in option.events]
        found = [one for one in self if not one.question.stays and any(map(one.is_answered_by, events))]
        for one in found:
            self._open.pop(one.id)
        return found

    def clear(self) -> list[OpenQuestion]:
        """Drops all questions and deferred observations: earlier events of the game were changed. Returns the
        questions; what they are about may be asked again."""
        found = list(self)
        self._open.clear()
        self._deferred.clear()
        return found

    def begin(self) -> None:
        """Another game is on the table."""
        self._open.clear()
        self._deferred.clear()
        self._settled.clear()
