"""A card that no camera saw, told by the call behind the next card.

A card is missed and its call is heard; then another card is seen, which counts as the missed one, and its
right call is a wrong one. Both calls together tell what happened: the one before the card is what the missed
card needs, the one behind it what the seen card needs if it comes second. A call that was shouted long before
its card sounds the same, so the table is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.core.events import Event
from companion.core.observations import Utterance
from companion.core.weighing import EVEN, CallDue
from companion.games.contract.fields import seat_after
from companion.games.generic_spotter import heard
from companion.games.nasty_7.calls import racketeers_on
from companion.games.nasty_7.missed_card import calls_by_card
from companion.games.spotter import GameView, Option, Postponed, Question


class CardBetween(msgspec.Struct, frozen=True):
    """A card that may have been missed before the top card, and the calls of both."""

    card: str
    first: Event
    """What was heard before the top card."""
    second: Event
    """What was heard behind it."""


def card_between(
    earlier: Iterable[Utterance], later: Utterance, top: Mapping[str, Any], game: GameView
) -> CardBetween | Postponed | None:
    """The card that was missed before the top card; Postponed while a sound is being weighed; None if the
    sounds are not the calls of two cards.

    Args:
        earlier: the sounds since the event before the top card that are too early to be its call.
        later: what was said behind the top card, which is not the call that is due.
        top: the event that put it there, the latest one.
        game: while its call is due.
    """
    counted = racketeers_on(top["card"])
    calls = calls_by_card(game, -counted)
    for sound in earlier:
        first = game.weigh(sound, CallDue(tuple(calls.values()), speaker=top["player"]))
        if first is None:
            return Postponed()
        card = next((one for one in calls if calls[one] == first.said), None)
        if card is None or first.right < EVEN:
            continue
        due = calls_by_card(game, racketeers_on(card) - counted)[top["card"]]
        second = game.weigh(later, CallDue((due,), speaker=_player_after(card, top, game)))
        if second is None:
            return Postponed()
        if second.said == due and second.right >= EVEN:
            return CardBetween(card, heard(sound, first, game), heard(later, second, game))
    return None


def question_between(found: CardBetween, top: Mapping[str, Any], spoken: Event, game: GameView) -> Question:
    """Asks whether a card was missed. `spoken`: what was said behind the top card, as the call of that card.
    The table that plays on had no mistake to object to: the card was there."""
    first, t = found.first, float(top["t"])
    began_t = min(float(first["start"]), t)
    missed = {"event": "card_played", "player": top["player"], "card": found.card, "t": began_t}
    events: tuple[Event, ...] = (
        {"event": "amended", "n": game.numbers[-1], "replacement": missed},
        {**first, "start": began_t, "end": max(began_t, min(float(first["end"]), t))},
        {"event": "card_played", "player": _player_after(found.card, top, game), "card": top["card"], "t": t},
        {**found.second, "start": max(t, float(found.second["start"]))},
    )
    there = Option(found.card, events, card=found.card)
    said, nobody = Option("no", (spoken,), words=("no card",)), Option("none", words=("not said",))
    return Question(
        "card_between",
        {"guess": list(first["words"]), "player": top["player"]},
        (there, said, nobody),
        "camera",
        top["player"],
        blocks=False,
        unanswered=there.id,
        about_t=float(found.second["end"]),
    )


def _player_after(card: str, top: Mapping[str, Any], game: GameView) -> str:
    """Who played the top card if this card was played before it, by the player who is now taken for that of
    the top card."""
    return seat_after(game.players, str(top["player"]), racketeers_on(card))
