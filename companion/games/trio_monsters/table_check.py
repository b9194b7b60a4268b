"""Compares the triangles that the camera sees with those that the record knows.

A card that is gone, cards that were taken away without a catch, a card that is another one: the table is
asked, with the correction as an answer where the rules allow one. Caught and loose cards that still lie there
when the next card is laid are named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from companion.core.errors import Rejected
from companion.core.events import Event
from companion.core.observations import LatticeCard, LatticeSeen
from companion.games.contract.corrections import amended
from companion.games.spotter import NO, NONE_OF_THESE, Fact, GameView, Option, Question, Remark, Resolved, yes
from companion.games.trio_monsters.lattice import Place
from companion.games.trio_monsters.order_of_cards import (
    catches,
    place_of,
    state_after,
    table_of,
    unseen_catches,
)
from companion.games.trio_monsters.rules import TrioMonsters

BOOK = TrioMonsters()
Disagreement = Question | Remark | Resolved
MOST_CATCHES = 10
"""So many cards may have caught what was taken away: round a black card any colour does."""
MOST_READINGS = 4
"""So many single corrections may explain what was taken away; of more the table is told only what is gone."""


class TableCheck:
    """What was said about differences between the seen and the known table, while they last."""

    def __init__(self) -> None:
        self._said: dict[str, Question | Remark] = {}

    def compare(
        self,
        missing: Collection[Place],
        differs: Mapping[Place, LatticeCard],
        covered: Mapping[Place, str],
        game: GameView,
        seen: LatticeSeen,
    ) -> list[Disagreement | Fact]:
        """The differences that are new since the last look, and those that are over. If a card was seen under
        a hand that catches exactly what is missing, it was laid: that is a fact.

        Args:
            missing: places of known cards of which nothing was seen.
            differs: sure cards at places where another one is known.
            covered: new cards that were seen under hands before.
            game: the game now.
            seen: the table.
        """
        laid = _caught_under_hand(missing, covered, game, seen)
        if laid is not None:
            return [*self._said_now({}), *laid]
        found: dict[str, Question | Remark] = {}
        for one in (*_gone(missing, game, seen.evidence), *_others(differs, game, seen.evidence)):
            found[one.about] = one
        return [*self._said_now(found)]

    def cleared(
        self, missing: Collection[Place], covered: Mapping[Place, str], game: GameView, seen: LatticeSeen
    ) -> list[Disagreement | Fact]:
        """The check of a table on which nothing lies. What no catch explains is no difference: the camera
        may be covered, or the game is put away."""
        laid = _caught_under_hand(missing, covered, game, seen)
        if laid is not None:
            return [*self._said_now({}), *laid]
        gone = (one for one in _gone(missing, game, seen.evidence) if isinstance(one, Question))
        return [*self._said_now({one.about: one for one in gone})]

    def _said_now(self, found: dict[str, Question | Remark]) -> list[Disagreement]:
        """What is new among the differences, after what is over."""
        over = [Resolved(about) for about in sorted(self._said.keys() - found.keys())]
        fresh = [one for about, one in found.items() if about not in self._said]
        self._said = found
        return [*over, *fresh]

    def corrected(self) -> None:
        """Earlier events were changed: what was asked is out of date."""
        self._said = {}


def _caught_under_hand(
    missing: Collection[Place], covered: Mapping[Place, str], game: GameView, seen: LatticeSeen
) -> list[Fact] | None:
    """The events that laid a card under a hand, if it catches what is missing; None if none does, or two."""
    found = list(catches(covered.items(), missing, game).values()) if len(missing) > 1 else []
    if len(found) != 1:
        return None
    return [Fact({**event, "t": game.time(seen.t)}, "camera") for event in found[0]]


def still_there(left: Mapping[Place, str], player: str, number: int) -> Remark:
    """Cards that were caught or came loose still lie on the table."""
    return Remark("caught_still_there", {"player": player, "count": len(left)}, f"left by {number}")


def _gone(missing: Collection[Place], game: GameView, evidence: str) -> Iterator[Question | Remark]:
    """Cards that are no longer seen: the last one was taken back, or a catch was overlooked."""
    if not missing:
        return
    places = sorted(missing)
    about = "gone " + " ".join(f"{row},{column}" for row, column in places)
    latest = game.past[-1]
    if len(places) == 1 and latest["event"] == "card_played" and place_of(latest) == places[0]:
        back = yes(amended(game.numbers[-1], None))
        params = {"player": latest["player"], "card": latest["card"]}
        yield Question(
            "card_taken_back", params, (back, NO), "camera", latest["player"],
            about=about, stays=True, evidence=evidence,
        )  # fmt: skip
        return
    readings = overlooked(places, game) if len(places) > 1 else []
    if 0 < len(readings) <= MOST_READINGS:
        options = [
            Option(_named(event), (amended(n, event),), words=(_named(event),)) for n, event in readings
        ]
        yield Question(
            "cards_taken_away", {"count": len(places)}, (*options, NONE_OF_THESE), "camera",
            about=about, stays=True, evidence=evidence,
        )  # fmt: skip
        return
    unseen = unseen_catches(places, game) if len(places) > 1 else []
    if 0 < len(unseen) <= MOST_CATCHES:
        yield _which_catch(unseen, len(places), about, evidence)
        return
    known = table_of(game.view)
    for at in places:
        params = {"card": known[at], "row": at[0], "column": at[1]}
        yield Remark("card_gone", params, f"gone {at[0]},{at[1]}")


def _which_catch(catches: Sequence[Sequence[Event]], count: int, about: str, evidence: str) -> Question:
    """Asks for the card that was laid and taken away before the table came to rest."""
    laid = [events[-1] for events in catches]
    cards = [event["card"] for event in laid]
    options = [
        Option(_named(event), tuple(events), card=event["card"])
        if cards.count(event["card"]) == 1
        else Option(_named(event), tuple(events), words=(_named(event),))
        for event, events in zip(laid, catches, strict=True)
    ]
    params = {"count": count, "player": laid[0]["player"]}
    return Question(
        "catch_not_seen", params, (*options, NONE_OF_THESE), "camera", laid[0]["player"],
        about=about, stays=True, evidence=evidence,
    )  # fmt: skip


def _others(
    differs: Mapping[Place, LatticeCard], game: GameView, evidence: str
) -> Iterator[Question | Remark]:
    """Cards that are others than the record says."""
    known = table_of(game.view)
    for at, seen in sorted(differs.items()):
        params = {"card": seen.card, "known": known[at], "row": at[0], "column": at[1]}
        about = f"differs {at[0]},{at[1]} {seen.card}"
        index = _index_of(at, game)
        event = {**game.past[index], "card": seen.card}
        if _after(game, index, event) is None:
            yield Remark("card_differs", params, about)
            continue
        mend = amended(game.numbers[index], event)
        options = (Option(seen.card, (mend,), card=seen.card), Option(known[at], (), card=known[at]))
        yield Question("card_is_other", params, options, "camera", about=about, stays=True, evidence=evidence)


def overlooked(missing: Sequence[Place], game: GameView) -> list[tuple[int, Event]]:
    """The single corrections of a card after which the rules take exactly these cards away.

    Returns:
        (number in the log, the event with another card).
    """
    left = {at: card for at, card in table_of(game.view).items() if at not in missing}
    found: list[tuple[int, Event]] = []
    colours = game.labels or tuple(sorted({*table_of(game.view).values()}))
    for at in missing:
        index = _index_of(at, game)
        for card in colours:
            event = {**game.past[index], "card": card}
            after = None if card == game.past[index]["card"] else _after(game, index, event)
            if after is not None and table_of(after) == left:
                found.append((game.numbers[index], event))
    return found


def _after(game: GameView, index: int, event: Event) -> Mapping[str, Any] | None:
    """The view after the whole game with this event in place of another one; None if the rules refuse it."""
    try:
        return BOOK.view(state_after((*game.past[:index], event, *game.past[index + 1 :]), game))
    except Rejected:
        return None


def _index_of(at: Place, game: GameView) -> int:
    """Where among the past events the card that lies at a place was laid."""
    laid = ("card_played", "card_revealed")
    return max(i for i, event in enumerate(game.past) if event["event"] in laid and place_of(event) == at)


def _named(event: Event) -> str:
    row, column = event["at"]
    return f"{event['card']} [{row}, {column}]"
