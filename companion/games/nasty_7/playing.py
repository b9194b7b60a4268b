"""What legal events of The Nasty 7 do: cards fall, words are heard, calls are doubted."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.contract.event_times import moment_of
from companion.games.contract.fields import Event, seat_after
from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.nasty_7.calls import (
    CORRECT_RULE,
    MISTAKE_RULE,
    PHONES,
    Call,
    Card,
    invented,
    listen,
    number_of,
    racketeers_on,
)
from companion.games.nasty_7.hesitation import is_late_card, silence_kept
from companion.games.nasty_7.state import Nasty7State, laid, left, new_round, pile_taken, won


def effects(
    state: Nasty7State, event: Event, settled: Ruling[Nasty7State] | None, pardoned: bool = False
) -> Ruling[Nasty7State]:
    """What a legal event does, after what has run out before it (`settled`)."""
    when = moment_of(event)
    if settled is None or when is None:
        return _judged(state, event, pardoned)
    if settled.state.phase == "over":
        return Ruling(replace(settled.state, time=when), settled.verdicts)
    if is_late_card(state, event) and not pardoned:
        taken = pile_taken(laid(state, event["player"], event["card"]), event["player"])
        return Ruling(replace(taken, time=when), settled.verdicts)
    ruling = _judged(settled.state, event, pardoned)
    return Ruling(ruling.state, settled.verdicts + ruling.verdicts)


def ended_by_next_card(state: Nasty7State, event: Event) -> Ruling[Nasty7State]:
    """The last call stands: the game ended before the card that is refused (N7-31)."""
    assert state.call is not None
    return Ruling(replace(won(state, state.call.player), time=event["t"]), silence_kept(state))


def _judged(state: Nasty7State, event: Event, pardoned: bool) -> Ruling[Nasty7State]:
    match event["event"]:
        case "card_played":
            return _card_played(state, event, pardoned)
        case "heard":
            return _heard(state, event, pardoned)
        case "accused":
            return _accused(state, event, pardoned)
        case _:
            return Ruling(replace(state, time=event["t"]))


def _card_played(state: Nasty7State, event: Event, pardoned: bool) -> Ruling[Nasty7State]:
    """A card falls: in turn, from the skipped player (N7-20), or before the call was made (N7-R6)."""
    player, call = event["player"], state.call
    skipped = player == state.skipped
    after = replace(laid(state, player, event["card"]), time=event["t"])
    if skipped and not pardoned:
        return Ruling(pile_taken(after, player), (Verdict(player, "should_have_skipped", rule="N7-20"),))
    if call is not None and call.due and not skipped and not pardoned:
        missing = Verdict(call.player, "no_call", rule="N7-R6")
        return Ruling(pile_taken(after, call.player, call.first), (missing,))
    if call is not None and call.due and left(state, call.player) == 0:  # the missing last call is pardoned
        return Ruling(won(after, call.player))
    return Ruling(_next_call(after, player, event["card"], event["t"]), silence_kept(state))


def _next_call(state: Nasty7State, player: str, card: Card, t: float) -> Nasty7State:
    """The call for a card that has just been laid; after a twin the next player skips (N7-10, N7-13)."""
    players, count = state.setup.players, racketeers_on(card)
    numbers = tuple(number_of(state.racketeers - count + 1 + i) for i in range(count))
    following = seat_after(players, player)
    return replace(
        state,
        call=Call(player, card, numbers, first=state.pile == 1, since=float(t)),
        turn=seat_after(players, player, count),
        skipped=following if count == 2 else None,
    )


def _heard(state: Nasty7State, event: Event, pardoned: bool) -> Ruling[Nasty7State]:
    """Words: they belong to the call for the top card, if it is open (N7-R9)."""
    state = replace(state, time=event["start"])
    call, settings = state.call, state.setup.settings
    if call is None or call.done or event.get("player", call.player) != call.player:
        return Ruling(state)
    if state.sound is None and call.card in PHONES:
        sound = invented(call, event["words"], settings.language)
        heard = replace(call, done=True, mistake="" if sound else "wrong_sound")
        state = replace(state, sound=sound)
    else:
        heard = listen(call, event["words"], state.sound or settings.sound, settings.language)
    if pardoned and heard.mistake:
        heard = call if call.silent else replace(heard, mistake="", since=float(event["end"]))
        return _finished(state, heard, remark=False)
    if not call.silent:
        heard = replace(heard, since=float(event["end"]))
    return _finished(state, heard)


def _finished(state: Nasty7State, call: Call, remark: bool = True) -> Ruling[Nasty7State]:
    """Judges a call as far as it goes: still open, right, or wrong (and kept back in `on_accusation`)."""
    automatic = state.setup.settings.enforcement == "automatic"
    after = replace(state, call=call)
    if not call.done or not automatic:
        return Ruling(after)
    if call.mistake:
        return Ruling(pile_taken(after, call.player, call.first), (_wrong(call),))
    verdicts = (Verdict(call.player, "correct", rule=CORRECT_RULE[call.card]),) if remark else ()
    return Ruling(won(after, call.player) if left(after, call.player) == 0 else after, verdicts)


def _wrong(call: Call) -> Verdict:
    details = {"expected": list(call.numbers)} if call.mistake == "wrong_number" else {}
    return Verdict(call.player, call.mistake, details, MISTAKE_RULE[call.mistake])


def _accused(state: Nasty7State, event: Event, pardoned: bool) -> Ruling[Nasty7State]:
    """A doubt about the latest finished call: the wrong side takes the pile (N7-23 to N7-26)."""
    state, call, accusers = replace(state, time=event["t"]), state.call, event["by"]
    assert call is not None
    if pardoned:
        return Ruling(replace(state, call=replace(call, mistake="")))
    if call.mistake:
        return Ruling(pile_taken(state, call.player, call.first), (_wrong(call),))
    players = state.setup.players
    round_table = [seat_after(players, call.player, i) for i in range(1, len(players))]
    in_turn = [player for player in round_table if player in accusers]
    rule = "N7-25" if len(in_turn) == 1 else "N7-26"
    stacks = dict(zip(players, state.stacks, strict=True))
    for i in range(state.pile):  # one by one, who gets the last card starts (N7-R11)
        stacks[in_turn[i % len(in_turn)]] += 1
    starter = in_turn[(state.pile - 1) % len(in_turn)]
    after = new_round(state, tuple(stacks.values()), starter)
    return Ruling(after, tuple(Verdict(player, "false_accusation", rule=rule) for player in in_turn))
