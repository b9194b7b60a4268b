"""The time of The Nasty 7: when a call or a card is too late, and what that does to the game."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.contract.fields import TIME_TOLERANCE, Event
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.nasty_7.state import Nasty7State, left, pile_taken, won


def clock_started(state: Nasty7State, when: float | None) -> Nasty7State:
    """After a `position` the time of the call starts with the next event that has one."""
    if state.call is None or state.call.since is not None or when is None:
        return state
    return replace(state, call=replace(state.call, since=float(when)))


def expired(state: Nasty7State, when: float | None, pardoned: bool) -> Ruling[Nasty7State] | None:
    """What has run out before a moment (N7-22, N7-R3, N7-R5), None if nothing has.

    Decimal times have no exact binary form, so that a billionth of a second beyond the limit is in time.
    """
    call, settings = state.call, state.setup.settings
    if (
        call is None
        or call.since is None
        or when is None
        or when - call.since <= settings.hesitation_s + TIME_TOLERANCE
    ):
        return None
    verdicts: tuple[Verdict, ...] = ()
    to_blame = call.player
    if not call.due:
        verdicts = silence_kept(state)
        if left(state, call.player) == 0:
            return Ruling(won(state, call.player), verdicts)
        assert state.turn is not None
        to_blame = state.turn
    if pardoned:
        return Ruling(replace(state, call=replace(call, since=when)))
    late = Verdict(to_blame, "too_late", rule="N7-22")
    return Ruling(pile_taken(state, to_blame, call.due and call.first), (*verdicts, late))


def is_late_card(state: Nasty7State, event: Event) -> bool:
    """Whether an event after a deadline is the card that was too late: it lies on the pile all the same, and
    is taken with it (N7-R17)."""
    call = state.call
    own_card = event["event"] == "card_played" and event["player"] == state.turn
    return own_card and call is not None and not call.due


def silence_kept(state: Nasty7State) -> tuple[Verdict, ...]:
    """The verdict on a gun on top of the pile, where nobody has said anything (N7-14)."""
    call = state.call
    automatic = state.setup.settings.enforcement == "automatic"
    if call is None or not call.silent or call.done or not automatic:
        return ()
    return (Verdict(call.player, "correct", rule="N7-14"),)
