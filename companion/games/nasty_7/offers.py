"""What may come next in The Nasty 7: cards, calls and doubts, and the cards that are mistakes."""

from __future__ import annotations

from companion.games.contract.offers import Offer, OneOf, Several, Words
from companion.games.nasty_7.calls import CARDS, CORRECT_RULE, TWINS, Sound, right_words
from companion.games.nasty_7.state import Nasty7State, ends_the_game, left


def offers(state: Nasty7State, limit: float | None, later: Nasty7State | None) -> list[Offer]:
    """All events that would be accepted now.

    Args:
        state: of a game that is not over.
        limit: when the time for the call or for the next card is up, None without a hurry.
        later: what it will be once that time is up.
    """
    ends = later is not None and later.phase == "over"
    offered = [*_offered_cards(state, limit), *_offered_doubts(state, limit)]
    if later is not None and not ends:
        offered.append(_offered_card(state, later.turn, None, "N7-R17", after=limit))
    offered.append(_offered_words(state, limit if ends else None))
    offered.append(Offer("time_passed", {}, rule="N7-22"))
    return offered


def _offered_card(
    state: Nasty7State, player: str | None, by: float | None, rule: str, after: float | None = None
) -> Offer:
    twins = state.setup.settings.twins
    cards = tuple(card for card in CARDS if twins or card not in TWINS)
    return Offer("card_played", {"player": OneOf((player,)), "card": OneOf(cards)}, (), by, rule, after)


def _offered_cards(state: Nasty7State, limit: float | None) -> list[Offer]:
    """A card of the player on turn, and the mistake of the one to be skipped."""
    offers = []
    if state.turn is not None and left(state, state.turn) > 0 and not ends_the_game(state):
        offers.append(_offered_card(state, state.turn, limit, "N7-6"))
    if state.skipped is not None:
        offers.append(_offered_card(state, state.skipped, limit, "N7-20"))
    return offers


def _offered_doubts(state: Nasty7State, limit: float | None) -> list[Offer]:
    call = state.call
    if call is None or not call.done:
        return []
    others = tuple(player for player in state.setup.players if player != call.player)
    fields = {"by": Several(others), "player": OneOf((call.player,))}
    return [Offer("accused", fields, ("player",), limit, "N7-23")]


def _offered_words(state: Nasty7State, by: float | None) -> Offer:
    """Anything may be said; what would be right is in `right`."""
    right: tuple[Sound, ...] = ()
    rule = "N7-R9"
    if state.call is not None and not state.call.done:
        right = right_words(state.call, state.sound, state.setup.settings.language)
        rule = CORRECT_RULE[state.call.card]
    fields = {"words": Words(right), "player": OneOf(state.setup.players)}
    return Offer("heard", fields, ("player",), by, rule)
