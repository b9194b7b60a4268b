"""What is legal in The Nasty 7: whose card may fall, and what may be doubted, in time and after it."""

from __future__ import annotations

from companion.games.contract.fields import Event
from companion.games.contract.legality import Breach
from companion.games.contract.offers import Several
from companion.games.contract.rulebook import Ruling
from companion.games.nasty_7.calls import Call
from companion.games.nasty_7.hesitation import is_late_card
from companion.games.nasty_7.state import Nasty7State, ends_the_game, left


def breach(
    state: Nasty7State, event: Event, settled: Ruling[Nasty7State] | None, pardoned: bool = False
) -> Breach | None:
    """The rule that an event would break (see `Rulebook.breach`).

    Args:
        settled: what has run out before the event.
        pardoned: the table sets mistakes aside.
    """
    if settled is not None:
        if settled.state.phase == "over":
            return None if event["event"] == "time_passed" else Breach("game_over", "N7-31")
        if is_late_card(state, event) and not pardoned:
            return None
        state = settled.state
    if event["event"] == "card_played":
        return _card_played(state, event["player"], pardoned)
    return _accused(state, event) if event["event"] == "accused" else None


def _card_played(state: Nasty7State, player: str, pardoned: bool) -> Breach | None:
    """A card of the player on turn, or of the one to be skipped, unless the game is decided (N7-31)."""
    skipped = player == state.skipped
    if not skipped and player != state.turn:
        return Breach("not_your_turn", "N7-R8")
    if left(state, player) == 0:
        return Breach("no_cards_left", "N7-R5")
    if ends_the_game(state) and (pardoned or not skipped):
        return Breach("game_over", "N7-31")
    return None


def _accused(state: Nasty7State, event: Event) -> Breach | None:
    """Others doubt the latest finished call (N7-23, N7-R10)."""
    call = state.call
    if call is None or not call.done or event.get("player", call.player) != call.player:
        return Breach("nothing_to_accuse", "N7-R10")
    return None if accusers(state, call).allows(event["by"]) else Breach("bad_field", "N7-23")


def accusers(state: Nasty7State, call: Call) -> Several:
    """Who may doubt a call: everybody but the caller."""
    return Several(tuple(player for player in state.setup.players if player != call.player))
