"""The Nasty 7 (Jacques Zeimet, Drei Hasen in der Abendsonne 2015/2019): count aloud, and never hesitate.

Everything here happens in time. What has run out is settled before an event is judged, and stands even if
the event is rejected then. Rule ids refer to the digest (`companion rules nasty_7`).

Readings of the vocabulary where it leaves a choice:

- Every event of the game that carries a time in order settles what has run out, also one whose fields are
  bad; `undone` and unknown events settle nothing.
- The next card that falls on a finished last card (a gun, or any card in `on_accusation`) ends the game and
  is itself `game_over`: it leaves no stack. `time_passed` is never `game_over` itself.
- Whoever has no card left when a pile is taken away has won: the card cannot be called any more, and it was
  not that player's fault (N7-31 by analogy with N7-R16).
- Once a call's time has run out, the caller starts the new round: a card that falls then is judged in it.
- A round's invented sound is compared like everything else: without regard to case, digits as numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.core.errors import BadSetting, Rejected
from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.contract.fields import (
    HEARD,
    TIME_TOLERANCE,
    Event,
    EventKind,
    Field,
    Setup,
    a_player,
    a_time,
)
from companion.games.contract.offers import Offer
from companion.games.contract.position import POSITION
from companion.games.contract.rulebook import (
    RejectedAfter,
    Rulebook,
    Ruling,
    Verdict,
    event_time,
    seat_after,
)
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
from companion.games.nasty_7.offers import offers
from companion.games.nasty_7.position import call_as_json, placed
from companion.games.nasty_7.state import (
    Nasty7Settings,
    Nasty7State,
    a_card,
    ends_the_game,
    laid,
    left,
    new_round,
    pile_taken,
    some_players,
    won,
)
from companion.games.nasty_7.story import story

NO_DEADLINE = float("inf")


PLAY = frozenset({"play"})


class Nasty7(Rulebook[Nasty7State]):
    """The rules of The Nasty 7."""

    name: ClassVar[str] = "nasty_7"
    title: ClassVar[str] = "The Nasty 7"
    seats: ClassVar[range] = range(2, 7)
    settings_type: ClassVar[type[msgspec.Struct]] = Nasty7Settings
    state_type: ClassVar[type[msgspec.Struct]] = Nasty7State
    events: ClassVar[Mapping[str, EventKind]] = {
        "card_played": EventKind(
            (Field("player", a_player), Field("card", a_card), Field("t", a_time)),
            PLAY,
            "A card lies face up on the pile.",
        ),
        "heard": EventKind(HEARD, PLAY, "Something was said: by whoever played the top card, unless named."),
        "time_passed": EventKind((Field("t", a_time),), PLAY, "Nothing else happened up to this time."),
        "accused": EventKind(
            (Field("by", some_players), Field("t", a_time), Field("player", a_player, required=False)),
            PLAY,
            "Somebody doubts the latest finished call.",
        ),
    }

    def check_settings(self, setup: Setup) -> None:
        """Every player needs a card (N7-3)."""
        super().check_settings(setup)
        if setup.settings.dealt() < len(setup.players):
            raise BadSetting("setting.too_few_cards")

    def start(self, setup: Setup) -> Nasty7State:
        """The deal (N7-3, N7-5): what cannot be dealt evenly goes to the box."""
        each, box = divmod(setup.settings.dealt(), len(setup.players))
        return Nasty7State(
            setup=setup,
            phase="play",
            round=1,
            turn=setup.settings.first_player or setup.players[0],
            skipped=None,
            racketeers=0,
            sound=setup.settings.sound,
            stacks=(each,) * len(setup.players),
            pile=0,
            box=box,
            call=None,
            winners=(),
            time=0.0,
        )

    def play(self, state: Nasty7State, event: Event) -> Ruling[Nasty7State]:
        """Settles what has run out, then judges the event (see Rulebook.play)."""
        return self._judge(state, event, pardoned=False)

    def pardon(self, state: Nasty7State, event: Event) -> Ruling[Nasty7State]:
        """The same with every mistake set aside: a wrong call was right, a late card in time, a skip waived,
        an accusation withdrawn (N7-R12: the table decides)."""
        return self._judge(state, event, pardoned=True)

    def lapse(self, state: Nasty7State, event: Event, pardoned: bool = False) -> Ruling[Nasty7State] | None:
        """What the event's time settles (N7-22); None if nothing has run out."""
        try:
            if self.timely(state, event) is POSITION:
                return None
        except Rejected:
            return None
        return _settled(state, event_time(event), pardoned)

    def apply(self, state: Nasty7State, event: Event) -> Ruling[Nasty7State]:
        """Judges an admitted event before which nothing has run out."""
        return _judged(state, event, pardoned=False)

    def waivers(self, state: Nasty7State, event: Event) -> Iterable[Mapping[str, Any]]:
        """Nobody has to skip (N7-13)."""
        return ({"skipped": None},)

    def explained(
        self, before: Nasty7State, event: Event, ruling: Ruling[Nasty7State]
    ) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state, ruling.verdicts)

    def expects(self, state: Nasty7State) -> list[Offer]:
        """Cards, calls and doubts up to the next deadline, and whose card may fall after it."""
        if state.phase == "over":
            return []
        limit = self.deadline(state)
        later = None if limit is None else _settled(state, NO_DEADLINE, pardoned=False)
        return offers(state, limit, None if later is None else later.state)

    def deadline(self, state: Nasty7State) -> float | None:
        """When the time for the call or for the next card is up (N7-R3); exactly then is still in time."""
        if state.call is None or state.call.since is None or state.phase == "over":
            return None
        limit: float = state.call.since + state.setup.settings.hesitation_s
        return limit

    def view(self, state: Nasty7State) -> StateView:
        """The JSON state."""
        return {
            "phase": state.phase,
            "round": state.round,
            "turn": state.turn,
            "skipped": state.skipped,
            "count": number_of(state.racketeers),
            "next_number": number_of(state.racketeers + 1),
            "sound": None if state.sound is None else list(state.sound),
            "stack": self.scores(state),
            "pile": state.pile,
            "box": state.box,
            "call": None if state.call is None else call_as_json(state.call),
        }

    def placed(self, state: Nasty7State, shown: Mapping[str, Any], given: Mapping[str, Any]) -> Nasty7State:
        """Stacks, pile, count and call as agreed."""
        return placed(state, shown, given)

    def scores(self, state: Nasty7State) -> dict[str, int]:
        """Cards left in the stacks; fewest is best."""
        return dict(zip(state.setup.players, state.stacks, strict=True))

    def winner(self, state: Nasty7State) -> list[str]:
        """Who has played all cards (N7-31)."""
        return list(state.winners)

    def _judge(self, state: Nasty7State, event: Event, pardoned: bool) -> Ruling[Nasty7State]:
        kind = self.timely(state, event)
        if kind is POSITION:  # agreed by the table: no deadline is settled before it
            self.check_fields(kind, state, event)
            return Ruling(self.agreed(state, event))
        state = _clock_started(state, event_time(event))
        settled = _settled(state, event_time(event), pardoned)
        try:
            self.check_fields(kind, state, event)
            return (
                _judged(state, event, pardoned) if settled is None else _late(state, settled, event, pardoned)
            )
        except Rejected as error:
            if settled is None:
                raise
            raise RejectedAfter(error.code, settled, error.rule) from None


# --- time -------------------------------------------------------------------------------------------------


def _clock_started(state: Nasty7State, when: float | None) -> Nasty7State:
    """After a `position` the time of the call starts with the next event that has one."""
    if state.call is None or state.call.since is not None or when is None:
        return state
    return replace(state, call=replace(state.call, since=float(when)))


def _settled(state: Nasty7State, when: float | None, pardoned: bool) -> Ruling[Nasty7State] | None:
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
        if call.silent and not call.done and settings.enforcement == "automatic":
            verdicts = (Verdict(call.player, "correct", rule="N7-14"),)
        if left(state, call.player) == 0:
            return Ruling(won(state, call.player), verdicts)
        assert state.turn is not None
        to_blame = state.turn
    if pardoned:
        return Ruling(replace(state, call=replace(call, since=when)))
    late = Verdict(to_blame, "too_late", rule="N7-22")
    return Ruling(pile_taken(state, to_blame, call.due and call.first), (*verdicts, late))


def _late(
    state: Nasty7State, settled: Ruling[Nasty7State], event: Event, pardoned: bool
) -> Ruling[Nasty7State]:
    """Judges an event before which something has run out."""
    when = event_time(event)
    assert when is not None
    assert state.call is not None
    if settled.state.phase == "over":
        if event["event"] != "time_passed":
            raise Rejected("game_over", "N7-31")
        return Ruling(replace(settled.state, time=when), settled.verdicts)
    own_card = event["event"] == "card_played" and event["player"] == state.turn
    if own_card and not state.call.due and not pardoned:
        # The card lies on the pile and is taken with it (N7-R17).
        taken = pile_taken(laid(state, event["player"], event["card"]), event["player"])
        return Ruling(replace(taken, time=when), settled.verdicts)
    ruling = _judged(settled.state, event, pardoned)
    return Ruling(ruling.state, settled.verdicts + ruling.verdicts)


# --- events -----------------------------------------------------------------------------------------------


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
    if not skipped and player != state.turn:
        raise Rejected("not_your_turn", "N7-R8")
    if left(state, player) == 0:
        raise Rejected("no_cards_left", "N7-R5")
    after = replace(laid(state, player, event["card"]), time=event["t"])
    if skipped and not pardoned:
        return Ruling(pile_taken(after, player), (Verdict(player, "should_have_skipped", rule="N7-20"),))
    if call is not None and call.due and not skipped and not pardoned:
        missing = Verdict(call.player, "no_call", rule="N7-R6")
        return Ruling(pile_taken(after, call.player, call.first), (missing,))
    verdicts: tuple[Verdict, ...] = ()
    if call is not None:
        if call.silent and not call.done and state.setup.settings.enforcement == "automatic":
            verdicts = (Verdict(call.player, "correct", rule="N7-14"),)
        if call.due and left(state, call.player) == 0:  # the missing last call is pardoned
            return Ruling(won(after, call.player), verdicts)
        if ends_the_game(state):
            over = replace(won(state, call.player), time=event["t"])
            raise RejectedAfter("game_over", Ruling(over, verdicts), "N7-31")
    return Ruling(_next_call(after, player, event["card"], event["t"]), verdicts)


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
    if call is None or not call.done or event.get("player", call.player) != call.player:
        raise Rejected("nothing_to_accuse", "N7-R10")
    if not accusers or len(set(accusers)) < len(accusers) or call.player in accusers:
        raise Rejected("bad_field", "N7-23")
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
