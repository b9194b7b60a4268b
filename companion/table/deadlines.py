"""When a deadline of the game has run out: once the watermarks of all senses have passed it, it becomes an
event, unless something was said in time that may have been the call."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from companion.core.observations import Landing, Utterance
from companion.games.contract.event_times import JUST_AFTER_S, run_out
from companion.games.spotter import Fact, Postponed, Question
from companion.table import observing
from companion.table.inbox import moment_of
from companion.table.running_game import RunningGame

if TYPE_CHECKING:
    from companion.table.referee import Referee

PRESS_S = 0.06
"""Seconds within which a press reaches the table: debounce, the kernel's tick, the button's thread. A
deadline waits this long, so that a press just before it is judged before it."""


def due(referee: Referee) -> float | None:
    """The moment at which the deadline expires; None without a deadline or while the time is paused."""
    game = referee.game
    if game is None or game.clock.paused is not None:
        return None
    deadline = game.book.deadline(game.record.state)
    return None if deadline is None else game.clock.moment(deadline)


def is_overdue(referee: Referee, observed: Landing | Utterance) -> bool:
    """Whether a deadline ran out before a card landed or a sound began, and not just before: it expires
    first, since what was said in time is asked about then."""
    deadline, game = _expired(referee, moment_of(observed)), referee.game
    if deadline is None or game is None:
        return False
    return moment_of(observed) > game.clock.moment(deadline) + _tolerance_s(game, observed)


def expire(referee: Referee, before: float = math.inf) -> None:
    """Turns every expired deadline into an event.

    Args:
        before: the moment of the observation that is handled next: what happened later was no sign of having
            been in time.

    Raises:
        JournalFailed: the event could not be written; nothing has changed.
    """
    while (deadline := _expired(referee, before)) is not None:
        game = referee.game
        assert game is not None
        with referee.happened_at(game.clock.moment(deadline)):
            if _asks_instead(referee, game, deadline):
                return
            referee.judge(run_out(deadline), "clock")
        referee.run_out = (len(game.record.entries), deadline)


def _expired(referee: Referee, before: float) -> float | None:
    """The deadline (s of the game) that has expired and is not judged yet; `before` as in `expire`."""
    game = referee.game
    if game is None or game.clock.paused is not None:
        return None
    deadline = game.book.deadline(game.record.state)
    if deadline is None or referee.run_out == (len(game.record.entries), deadline):
        return None
    moment, now = game.clock.moment(deadline), referee.clock()
    if now <= moment + JUST_AFTER_S:
        return None
    if game.spotter.immediate(game.seen()):
        return deadline if now >= moment + PRESS_S and not referee.inbox.waits(moment) else None
    return deadline if _all_known(referee, game, moment, before) else None


def _all_known(referee: Referee, game: RunningGame, moment: float, before: float) -> bool:
    """Whether everything is known that tells whether a deadline (a moment of the clock) was met; `before` as
    in `expire`."""
    begun = referee.inbox.first_after(moment, lambda what: isinstance(what, Utterance))
    if begun is not None and begun <= min(before, moment + _sound_tolerance_s(game)):
        return False
    return referee.inbox.settled(moment, referee.clock())


def _tolerance_s(game: RunningGame, observed: Landing | Utterance) -> float:
    """So many seconds behind a deadline it may have been in time, or tells who was."""
    return _sound_tolerance_s(game) if isinstance(observed, Utterance) else game.spotter.dating_s


def _sound_tolerance_s(game: RunningGame) -> float:
    return max(game.spotter.late_sound_s(game.seen()), game.spotter.dating_s)


def _asks_instead(referee: Referee, game: RunningGame, deadline: float) -> bool:
    """Before a deadline (s of the game) expires: accepts what was said in time, or asks if it may have been
    the call; then the time stands still at the deadline, or behind a sound that ends later. True also
    while that is being weighed."""
    found = game.spotter.before_deadline(game.seen())
    if found is None:
        return False
    observing.apply(referee, game, [found], None)
    if isinstance(found, Question) and not referee.questions.settled:
        game.clock.ask(game.clock.moment(max(deadline, found.about_t)))
    return isinstance(found, Fact | Postponed) or not referee.questions.settled
