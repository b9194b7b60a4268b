"""What may come next in The Nasty 7, before the rules have sorted out what is refused."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.contract.offers import Offer, OneOf, Words
from companion.games.nasty_7.calls import CARDS, CORRECT_RULE, TWINS, Sound, right_words
from companion.games.nasty_7.hesitation import expired
from companion.games.nasty_7.legality import accusers
from companion.games.nasty_7.state import Nasty7State

NO_DEADLINE = float("inf")


def proposals(state: Nasty7State, limit: float | None) -> Iterator[Offer]:
    """Cards, calls and doubts in time, and whose card may fall after it.

    Args:
        state: of a game that is not over.
        limit: when the time for the call or for the next card is up, None without a hurry.
    """
    later = None if limit is None else expired(state, NO_DEADLINE, pardoned=False)
    ends = later is not None and later.state.phase == "over"
    yield _card_of(state, state.turn, "N7-6", by=limit)
    yield _card_of(state, state.skipped, "N7-20", by=limit)
    if state.call is not None:
        fields = {"by": accusers(state, state.call), "player": OneOf((state.call.player,))}
        yield Offer("accused", fields, ("player",), limit, "N7-23")
    if later is not None:
        yield _card_of(state, later.state.turn, "N7-R17", after=limit)
    yield _words(state, limit if ends else None)
    yield Offer("time_passed", {}, rule="N7-22")


def _card_of(
    state: Nasty7State, player: str | None, rule: str, by: float | None = None, after: float | None = None
) -> Offer:
    """A card of a player; None: nobody's."""
    twins = state.setup.settings.twins
    cards = tuple(card for card in CARDS if twins or card not in TWINS)
    players = () if player is None else (player,)
    return Offer("card_played", {"player": OneOf(players), "card": OneOf(cards)}, (), by, rule, after)


def _words(state: Nasty7State, by: float | None) -> Offer:
    """Anything may be said; what would be right is in `right`."""
    right: tuple[Sound, ...] = ()
    rule = "N7-R9"
    if state.call is not None and not state.call.done:
        right = right_words(state.call, state.sound, state.setup.settings.language)
        rule = CORRECT_RULE[state.call.card]
    fields = {"words": Words(right), "player": OneOf(state.setup.players)}
    return Offer("heard", fields, ("player",), by, rule)
