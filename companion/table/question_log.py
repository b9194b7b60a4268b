"""Writes what became of a question into the journal, for the figures of the senses."""

from __future__ import annotations

import logging

from companion.store.journal import Journal, JournalFailed
from companion.store.rows import AskedQuestion
from companion.table.questions import OpenQuestion
from companion.table.running_game import RunningGame

logger = logging.getLogger(__name__)


def note(
    journal: Journal, game: RunningGame, now: float, asked: OpenQuestion, answer: str | None, events: int
) -> None:
    """Notes a question that is open no longer. An error does not take back what was answered.

    Args:
        now: moment of the one clock.
        answer: the option that was chosen; None: none was.
        events: how many events followed; they are the record's latest entries.
    """
    question, n = asked.question, len(game.record.entries) - events
    t = game.clock.time(now)
    row = AskedQuestion(n, t, question.source, question.code, question.player, question.about, answer, events)
    try:
        journal.note_question(game.row.id, row)
    except JournalFailed as error:
        logger.warning("%s", error)
