"""A card that no camera saw, told by the call behind the next card.

A card is missed and its call is heard; then another card is seen, which counts as the missed one, and its
right call is a wrong one. Both calls together tell what happened: the one before the card may be what the
missed card needs, the one behind it is what the seen card needs if it comes second. A call that was shouted
long before its card sounds the same, so the table is asked.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.core.call_policy import CallPolicy
from companion.core.events import Event
from companion.core.observations import Utterance
from companion.core.weighing import EVEN, CallDue
from companion.games.contract.corrections import amended
from companion.games.contract.fields import seat_after
from companion.games.generic_spotter import heard
from companion.games.nasty_7.calls import racketeers_on
from companion.games.nasty_7.missed_card import calls_by_card
from companion.games.spotter import GameView, Option, Postponed, Question


class CardBetween(msgspec.Struct, frozen=True):
    """A card that may have been missed before the top card, and the calls of both."""

    cards: tuple[str, ...]
    """Which card it may be, the likeliest first."""
    first: Event
    """What was heard before the top card."""
    second: Event
    """What was heard behind it."""
    sure: bool
    """Whether the first rather was the call of such a card than not."""


def card_between(
    earlier: Iterable[Utterance], later: Utterance, top: Event, game: GameView, policy: CallPolicy
) -> CardBetween | Postponed | None:
    """The card that may have been missed before the top card; Postponed while a sound is being weighed; None
    if the sounds are not the calls of two cards.

    Args:
        earlier: sounds that are too early to be the top card's call; those that began before the event before
            that card was over do not count.
        later: what was said behind the top card, which is not the call that is due.
        top: the event that put it there, the latest one.
        game: while its call is due.
        policy: what it costs not to ask.
    """
    counted = racketeers_on(top["card"])
    calls = calls_by_card(game, -counted)
    fitting: dict[str, Event] = {}
    for added in sorted({racketeers_on(card) for card in calls}):
        due = calls_by_card(game, added - counted)[top["card"]]
        second = game.weigh(later, CallDue((due,), speaker=seat_after(game.players, top["player"], added)))
        if second is None:
            return Postponed()
        if second.said == due and second.right >= EVEN:
            cards = (card for card in calls if racketeers_on(card) == added)
            fitting |= dict.fromkeys(cards, heard(later, second, game))
    since = max((float(one.get("end", one.get("t", 0.0))) for one in game.past[-2:-1]), default=0.0)
    sounds = (sound for sound in earlier if game.time(sound.start) >= since)
    for sound in sounds if fitting else ():
        first = game.weigh(sound, CallDue(tuple(calls[card] for card in fitting), speaker=top["player"]))
        if first is None:
            return Postponed()
        if policy.asks_before_accusing(first.right):
            said = first.said
            likely = sorted(fitting, key=lambda card: calls[card] != said)
            sure = calls[likely[0]] == said and first.right >= EVEN
            return CardBetween(tuple(likely), heard(sound, first, game), fitting[likely[0]], sure)
    return None


def question_between(found: CardBetween, top: Event, spoken: Event, game: GameView) -> Question:
    """Asks whether a card was missed. `spoken`: what was said behind the top card, as the call of that card.
    The table that plays on had no mistake to object to: the card was there if its call was surely heard,
    otherwise nothing was said."""
    calls = calls_by_card(game, -racketeers_on(top["card"]))
    cards = tuple(
        Option(card, _both_played(card, list(calls[card]), found, top, game), card=card)
        for card in found.cards
    )
    said, nobody = Option("no", (spoken,), words=("no card",)), Option("none", words=("not said",))
    return Question(
        "card_between",
        {"guess": list(found.second["words"]), "player": top["player"]},
        (*cards, said, nobody),
        "camera",
        top["player"],
        blocks=False,
        unanswered=(cards[0] if found.sure else nobody).id,
        about_t=float(found.second["end"]),
    )


def _both_played(
    card: str, words: list[str], found: CardBetween, top: Event, game: GameView
) -> tuple[Event, ...]:
    """What happened if this card was missed: its right call, and the top card with the next player."""
    t, second = float(top["t"]), seat_after(game.players, str(top["player"]), racketeers_on(card))
    began_t = min(float(found.first["start"]), t)
    missed = {"event": "card_played", "player": top["player"], "card": card, "t": began_t}
    return (
        amended(game.numbers[-1], missed),
        {**found.first, "words": words, "start": began_t, "end": max(began_t, min(found.first["end"], t))},
        {"event": "card_played", "player": second, "card": top["card"], "t": t},
        {**found.second, "start": max(t, float(found.second["start"]))},
    )
