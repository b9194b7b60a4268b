"""What becomes of an observation: the spotter's findings are judged, asked or announced."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from companion.announce.announcement import Announcement
from companion.core.observations import Landing, LatticeSeen, Press, Removal, Utterance
from companion.games.generic_spotter import REFEREE_BUTTON
from companion.games.spotter import (
    Fact,
    Finding,
    Observed,
    Postponed,
    Question,
    Remark,
    Resolved,
    seat_of,
)
from companion.table.game_clock import RESUMED
from companion.table.inbox import known_from, moment_of
from companion.table.running_game import RunningGame

if TYPE_CHECKING:
    from companion.table.referee import Referee


def handle(referee: Referee, observed: Observed, at: float | None) -> None:
    """Handles an observation in its order.

    Args:
        referee: the table's.
        observed: what was seen, heard or pressed.
        at: the moment that its announcements are about; None: now, because it waited for an answer.

    Raises:
        JournalFailed: an event of it could not be written and was not made.
    """
    game = referee.game
    if game is None:
        return
    arrived = observed
    if isinstance(observed, Utterance) and observed.landing is None:
        landing = referee.inbox.first_after(observed.start, lambda what: isinstance(what, Landing))
        observed = msgspec.structs.replace(observed, landing=landing)
    if isinstance(observed, Press) and chord_window_s(referee, observed) > 0.0:
        arrived = observed = _with_chord(referee, observed)
    if referee.questions.block:
        referee.questions.defer(observed)
        game.clock.ask(referee.clock())
        return
    with referee.happened_at(at):
        if isinstance(observed, Landing | LatticeSeen):
            _take_unanswered(referee, game, observed.t)
        if _is_move(referee, observed):
            game.clock.go_on(moment_of(observed), RESUMED)
        findings = game.spotter.observe(observed, game.seen())
        if findings == [Postponed()]:
            referee.inbox.postpone(arrived, moment_of(arrived), known_from(arrived))
            return
        if not findings and isinstance(observed, Press) and observed.button == REFEREE_BUTTON:
            referee.undo("buttons")
        apply(referee, game, findings, observed)
        if not referee.questions.settled and (findings or not isinstance(observed, Press)):
            # the table plays on beside an open question: the time until now counts, or later events would
            # have an earlier time than this one; a press from which nothing follows yet is no move
            game.clock.ask(referee.clock())


def apply(
    referee: Referee, game: RunningGame, findings: Iterable[Finding], observed: Observed | None
) -> None:
    """Judges, asks, announces or withdraws what a spotter found; `observed` None: an event showed it."""
    for finding in findings:
        match finding:
            case Fact():
                judged = referee.judge(finding.event, finding.source)
                if finding.notice and judged.entry.code is None:
                    referee.announce(Announcement(finding.notice, {"player": finding.player}))
            case Question():
                referee.withdraw(referee.questions.replaced_by(finding))
                announcement = referee.questions.ask(finding, observed)
                referee.changed = True
                if announcement is not None:
                    referee.announce(announcement)
                if announcement is not None and finding.pauses and observed is not None:
                    game.clock.pause(moment_of(observed), RESUMED)
                if not finding.stays and not referee.questions.settled:
                    game.clock.ask(referee.clock())
            case Remark():
                referee.announce(Announcement(finding.code, finding.params, about=finding.about))
            case Resolved():
                referee.resolve(finding.about)
            case Postponed():
                referee.inbox.hold()


def sound_weighed(referee: Referee) -> None:
    """A sound was weighed: what waited for it is judged.

    Raises:
        JournalFailed: an event of it could not be written and was not made.
    """
    referee.inbox.go_on(referee.clock())
    if referee.game is not None:
        apply(referee, referee.game, referee.game.spotter.sound_weighed(referee.game.seen()), None)


def _is_move(referee: Referee, observed: Observed) -> bool:
    """Whether a clock that waits for the next move runs again. Cards that are taken away are no move; nor is
    talk while a question is open about which the table may be talking."""
    if isinstance(observed, Removal):
        return False
    return not (isinstance(observed, Utterance) and any(one.question.pauses for one in referee.questions))


def chord_window_s(referee: Referee, press: Press) -> float:
    """Seconds for which a press is held for others that count as one press with it."""
    game = referee.game
    if game is None or seat_of(press.button, tuple(game.row.players)) is None:
        return 0.0
    return game.spotter.chord_window_s


def _with_chord(referee: Referee, press: Press) -> Press:
    until = press.t + chord_window_s(referee, press)
    others = referee.inbox.take_matching(
        until, lambda what: isinstance(what, Press) and chord_window_s(referee, what) > 0.0
    )
    beside = (*press.beside, *(one for one in others if isinstance(one, Press)))
    return msgspec.structs.replace(press, beside=beside)


def _take_unanswered(referee: Referee, game: RunningGame, t: float) -> None:
    """The table plays on without answering: takes the option that costs no player anything."""
    for open_question in referee.questions:
        asked = open_question.question
        if asked.stays:
            continue
        for _ in referee.answer(open_question, None):
            referee.announce(Announcement("taken_as_right", {"player": asked.player}))
    if referee.questions.settled:
        game.clock.answered(t)
