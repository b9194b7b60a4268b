"""The countdown of Bugs & Co: ten ... one, stop; the players count aloud, or the companion counts."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.bugs_and_co.state import COUNT_FROM, BugsAndCoState
from companion.games.contract.fields import TIME_TOLERANCE
from companion.games.contract.number_words import is_stop, number, number_word, stop_word


def heard(state: BugsAndCoState, words: list[str]) -> BugsAndCoState:
    """The players count: each number in its turn, others are passed over, "stop" after one (BUGS-R6)."""
    settings = state.setup.settings
    if state.phase != "countdown" or settings.countdown != "heard":
        return state
    count = state.countdown
    for word in words:
        if count == 1 and is_stop(word, settings.language):
            return stopped(state)
        following = COUNT_FROM if count is None else count - 1
        if following >= 1 and number(word, settings.language) == following:
            count = following
    return replace(state, countdown=count)


def clock_started(state: BugsAndCoState, when: float) -> BugsAndCoState:
    """After a `position` the companion's countdown goes on from its number with the next timed event."""
    if state.counting_since is not None or state.countdown is None:
        return state
    step: float = state.setup.settings.countdown_step_s
    return replace(state, counting_since=when - (COUNT_FROM - state.countdown) * step)


def counted_down(state: BugsAndCoState, when: float) -> BugsAndCoState:
    """The companion's countdown as far as a moment (BUGS-R4)."""
    if state.phase != "countdown" or state.setup.settings.countdown != "companion":
        return state
    if state.counting_since is None:
        return state
    if when >= moment(state, COUNT_FROM):
        return stopped(state)
    count = state.countdown
    assert count is not None
    while count > 1 and when >= moment(state, COUNT_FROM - count + 1):
        count -= 1
    return replace(state, countdown=count)


def moment(state: BugsAndCoState, steps: int) -> float:
    """When so many steps of the companion's countdown are over.

    A billionth of a second early, because decimal times have no exact binary form.
    """
    step: float = state.setup.settings.countdown_step_s
    assert state.counting_since is not None
    return state.counting_since + steps * step - TIME_TOLERANCE


def stopped(state: BugsAndCoState) -> BugsAndCoState:
    """Nobody may go on (BUGS-19)."""
    return replace(state, phase="scoring", countdown=None)


def right_words(state: BugsAndCoState) -> tuple[tuple[str, ...], ...]:
    """What the players say next in the countdown."""
    settings = state.setup.settings
    if state.phase != "countdown" or settings.countdown != "heard":
        return ()
    if state.countdown == 1:
        return ((stop_word(settings.language),),)
    following = COUNT_FROM if state.countdown is None else state.countdown - 1
    return ((number_word(following, settings.language),),)
