"""A position of The Nasty 7: stacks, pile, count and the call for the top card."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.contract.fields import Setup
from companion.games.contract.position import (
    Shown,
    a_seat,
    by_player,
    flag,
    impossible,
    listed,
    mapped,
    one_of,
    require,
    whole,
)
from companion.games.nasty_7.calls import (
    CARDS,
    CYCLE,
    MISTAKE_RULE,
    TWINS,
    Call,
    Sound,
    needed,
    racketeers_counted,
    racketeers_on,
)
from companion.games.nasty_7.state import Nasty7State


def call_as_json(call: Call) -> dict[str, Any]:
    """The call for the top card, without its time."""
    return {
        "player": call.player,
        "card": call.card,
        "numbers": list(call.numbers),
        "first": call.first,
        "heard": call.heard,
        "done": call.done,
        "mistake": call.mistake,
    }


def placed(state: Nasty7State, shown: Shown, given: Shown) -> Nasty7State:
    """The state of a position.

    Args:
        state: before it.
        shown: the whole position.
        given: the keys that the event names; the others of `shown` are as before.

    Raises:
        Rejected: `bad_position`.
    """
    setup = state.setup
    phase = one_of(shown["phase"], ("play", "over"))
    pile = whole(shown["pile"])
    sound = _sound(shown["sound"], setup)
    after = replace(
        state,
        phase=phase,
        round=whole(shown["round"], 1),
        turn=None if phase == "over" and shown["turn"] is None else a_seat(shown["turn"], setup),
        skipped=None if shown["skipped"] is None else a_seat(shown["skipped"], setup),
        racketeers=_racketeers(state, pile, given),
        sound=sound,
        stacks=by_player(shown["stack"], setup, whole),
        pile=pile,
        box=whole(shown["box"]),
        call=_call(shown["call"], setup, sound) if pile or "call" in given else None,
    )
    if not pile and "skipped" not in given:
        after = replace(after, skipped=None)
    require(sum(after.stacks) + after.pile + after.box == setup.settings.dealt())
    require(after.skipped is None or after.skipped != after.turn)
    require(pile > 0 or (after.call is None and after.skipped is None))
    return _with_winners(after)


def _racketeers(state: Nasty7State, pile: int, given: Shown) -> int:
    """The racketeers on the pile: as many as before, or the fewest that show the given numbers."""
    if not pile:
        return 0
    if "count" not in given and "next_number" not in given:
        return state.racketeers
    count, following = given.get("count"), given.get("next_number")
    fitting = racketeers_counted(count, following)
    require(bool(fitting))
    # The same number stands on the way up and on the way down: the nearer one is meant.
    here = state.racketeers % CYCLE
    return min(fitting, key=lambda n: (abs(n - here), n))


def _sound(value: Any, setup: Setup) -> Sound | None:
    if value is None:
        require(setup.settings.nasty_rules)
        return None
    words = listed(value)
    require(bool(words) and all(isinstance(word, str) and word.strip() for word in words))
    return tuple(words)


def _call(value: Any, setup: Setup, sound: Sound | None) -> Call | None:
    """The call for the top card; its time starts with the next event that has one."""
    if value is None:
        return None
    found = mapped(value)
    card = one_of(found.get("card"), CARDS)
    require(setup.settings.twins or card not in TWINS)
    numbers = tuple(whole(number, 1, 7) for number in listed(found.get("numbers")))
    require(len(numbers) == racketeers_on(card))
    call = Call(
        player=a_seat(found.get("player"), setup),
        card=card,
        numbers=numbers,
        first=flag(found.get("first")),
        since=None,
        heard=whole(found.get("heard")),
        done=flag(found.get("done")),
        mistake=one_of(found.get("mistake"), ("", *MISTAKE_RULE)),
    )
    if sound is not None:
        require(call.heard <= len(needed(call, sound, setup.settings.language)))
    return call


def _with_winners(state: Nasty7State) -> Nasty7State:
    """Whoever has no card left has won, unless the call for the last card may still be wrong."""
    players = state.setup.players
    out = tuple(player for player, cards in zip(players, state.stacks, strict=True) if not cards)
    if state.phase == "over":
        require(bool(out) and state.turn is None)
        return replace(state, winners=out, call=None)
    call = state.call
    open_call = call is not None and (
        call.due or call.silent or state.setup.settings.enforcement == "on_accusation"
    )
    if out and not (open_call and call is not None and out == (call.player,)):
        impossible()
    return replace(state, winners=())
