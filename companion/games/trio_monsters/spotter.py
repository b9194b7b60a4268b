"""Trio Monsters at the table: triangles laid side to side by the player whose turn it is.

Each time nothing moves any more, the whole table is recognised and matched with the known table
(lattice_match). New cards were laid by the player whose turn it is; an empty hand ends the turn, because
cards are drawn only at its end. The order of several new cards matters if one of them catches: if the rules
accept several orders with different results, the table is asked. Caught cards stay on the table until a
player removes them; until then they are neither new nor wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.observations import LatticeCard, LatticeSeen
from companion.games.generic_spotter import GenericSpotter
from companion.games.spotter import (
    NONE_OF_THESE,
    Expectation,
    Fact,
    Finding,
    GameView,
    Observed,
    Option,
    Question,
    Remark,
    Resolved,
    Thresholds,
)
from companion.games.trio_monsters.lattice import Place
from companion.games.trio_monsters.lattice_match import Pose, Stand, matched
from companion.games.trio_monsters.order_of_cards import Event, layings, place_of, state_after, table_of
from companion.games.trio_monsters.rules import TrioMonsters
from companion.games.trio_monsters.table_check import TableCheck, still_there

MOST_AT_ONCE = 4
"""The most new cards whose order is computed; more than a turn's three must be entered on a phone."""


class TrioMonstersSpotter(GenericSpotter):
    """Reports facts where camera and rules agree, asks where two readings are possible, and remarks where the
    table differs from the known one. The seat button of the player whose turn it is ends the turn."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        super().__init__(thresholds)
        self._leaving: dict[Place, str] = {}
        self._told: dict[Place, str] = {}
        self._doubts: dict[str, Place] = {}
        self._check = TableCheck()
        self._looked = False
        self._lying: frozenset[Place] | None = None
        self._catch: tuple[str, int] | None = None
        self._stand: Stand | None = None
        self._lost = False

    def reset(self) -> None:
        self._leaving.clear()
        self._lying = None
        self._catch = None
        self._check.corrected()

    def follow(
        self, before: GameView, event: Mapping[str, Any], after: GameView
    ) -> Sequence[Question | Remark | Resolved]:
        """Stores caught and loose cards: they are no longer on the known table, but still on the real one,
        unless the last look has shown it without them. Those that still lie there when the next card is laid
        are named."""
        if event["event"] not in ("card_played", "card_revealed"):
            return ()
        lay = {**table_of(before.view), place_of(event): str(event["card"])}
        stays = table_of(after.view)
        left = {at: card for at, card in self._leaving.items() if at not in stays}
        remarks = [still_there(left, *self._catch)] if left and self._looked and self._catch else []
        gone = {at: card for at, card in lay.items() if at not in stays}
        if gone:
            self._catch, self._looked = (str(event["player"]), after.numbers[-1]), False
        if self._lying is not None and not self._lying & (gone.keys() - {place_of(event)}):
            gone = {}
        self._leaving = {**left, **gone}
        return remarks

    def expectation(self, game: GameView) -> Expectation:
        """Any card; the rules check the places."""
        return Expectation()

    def observe(self, observed: Observed, game: GameView) -> list[Finding]:
        if not isinstance(observed, LatticeSeen):
            return super().observe(observed, game)
        if game.view["phase"] == "setup":
            return self._first(observed, game)
        return self._changed(observed, game) if game.view["phase"] == "play" else []

    # --- the start card -----------------------------------------------------------------------------------

    def _first(self, seen: LatticeSeen, game: GameView) -> list[Finding]:
        """The start card is the only card; its place is [0, 0] however the camera is turned."""
        found = [*seen.cards, *seen.unsure]
        event: Event = {"event": "card_revealed", "at": [0, 0], "t": game.time(seen.t)}
        sure = [card for card in seen.cards if card.confidence >= self.thresholds.seen]
        if len(found) == 1 and len(sure) == 1:
            fact = {**event, "card": sure[0].card}
            start = sure[0].at
            self._stand = Stand(seen.view, Pose(0, -start[0], -start[1])) if seen.view else None
            return [Fact(fact, "camera")] if game.allows(fact) else []
        if not found:
            return []
        likely = [name for card in found for name in _names(card)]
        return [_which("unsure_start", {}, likely, event, game, None, seen)]

    # --- cards that were laid -----------------------------------------------------------------------------

    def _changed(self, seen: LatticeSeen, game: GameView) -> list[Finding]:
        if not (seen.cards or seen.unsure):
            return self._cleared(seen, game)
        known = {**self._leaving, **table_of(game.view)}
        sure = [card for card in seen.cards if card.confidence >= self.thresholds.seen]
        doubtful = [*seen.unsure, *(card for card in seen.cards if card not in sure)]
        found = matched(sure, doubtful, known, self._stand, seen.view)
        if found is None:
            was, self._lost = self._lost, True
            return [] if was else [Remark("table_lost", {})]
        self._lost = False
        covered = self._under_hands(seen, known)
        self._stand = Stand(seen.view, found.pose) if seen.view else None
        new = {**found.new, **{at: card for at, card in found.differs.items() if at in self._leaving}}
        self._leaving = {at: card for at, card in self._leaving.items() if at in found.agree}
        self._looked = True
        self._lying = frozenset({*found.agree, *found.new, *found.differs, *found.unsure})
        known = table_of(game.view)
        missing = [at for at in found.missing if at in known]
        differs = {at: card for at, card in found.differs.items() if at in known}
        differences = self._check.compare(missing, differs, covered, game, seen)
        return [*differences, *self._laid(new, found.unsure, seen, game)]

    def _cleared(self, seen: LatticeSeen, game: GameView) -> list[Finding]:
        """Nothing lies on the table: the last cards were caught or cut off, and have been taken away."""
        known = table_of(game.view)
        covered = self._under_hands(seen, {**self._leaving, **known})
        self._leaving, self._looked, self._lost, self._lying = {}, True, False, frozenset()
        return list(self._check.cleared(tuple(known), covered, game, seen)) if known else []

    def _under_hands(self, seen: LatticeSeen, known: Mapping[Place, str]) -> dict[Place, str]:
        """New cards that were seen while hands rested on the table, by the place of the table."""
        laid: dict[Place, str] = {}
        for one in seen.covered:
            sure = [card for card in one.cards if card.confidence >= self.thresholds.seen]
            found = matched(sure, (), known, self._stand, one.view)
            laid |= {at: card.card for at, card in found.new.items()} if found is not None else {}
        return laid

    def _laid(
        self,
        new: Mapping[Place, LatticeCard],
        doubtful: Mapping[Place, LatticeCard],
        seen: LatticeSeen,
        game: GameView,
    ) -> list[Finding]:
        """The new cards as facts in their order; at most one question at the end."""
        t = game.time(seen.t)
        told = {at: card for at, card in self._told.items() if at in new and new[at].card == card}
        # a card that was reported and is not known now was undone or illegal: it is not reported again
        fresh = {at: card.card for at, card in new.items() if at not in told}
        self._told = {**told, **fresh}
        findings: list[Finding] = self._settled_doubts(game)
        if len(fresh) > MOST_AT_ONCE:
            self._told = told
            return [*findings, Remark("too_many_new", {"count": len(fresh)})]
        if fresh:
            since = {at: game.time(seen.t if one.since is None else one.since) for at, one in new.items()}
            ways = layings(fresh, game, since)
            if len(ways) > 1:
                return [*findings, _order(ways, game, seen)]
            findings += [Fact(event, "camera") for event in ways[0]]
        if doubtful:
            at, card = max(doubtful.items(), key=lambda item: item[1].confidence)
            *before, event = layings({at: card.card}, game, {at: t})[0]
            player = str(event["player"])
            where = {"player": player, "row": at[0], "column": at[1]}
            about = f"doubt {at[0]} {at[1]} {' '.join(_names(card))}"
            self._doubts[about] = at
            findings.append(
                _which("unsure_card_at", where, _names(card), event, game, player, seen, about, before)
            )
        return findings

    def _settled_doubts(self, game: GameView) -> list[Finding]:
        """Places that are taken now may be asked about again when they are free."""
        known = table_of(game.view)
        over = [about for about, at in self._doubts.items() if at in known]
        for about in over:
            del self._doubts[about]
        return [Resolved(about) for about in over]


def leaving_of(game: GameView) -> dict[Place, str]:
    """The cards that the latest card caught or cut off: they may still be on the table."""
    if not game.past or game.past[-1]["event"] != "card_played":
        return {}
    book = TrioMonsters()
    before = state_after(game.past[:-1], game)
    last = game.past[-1]
    lay = {**table_of(book.view(before)), place_of(last): str(last["card"])}
    return {at: card for at, card in lay.items() if at not in table_of(game.view)}


def _order(ways: list[list[Event]], game: GameView, seen: LatticeSeen) -> Question:
    """Asks which of the new cards was laid first, because the result depends on it."""
    options = []
    for number, events in enumerate(ways):
        laid = [event for event in events if event["event"] == "card_played"]
        words = [f"{event['card']} [{event['at'][0]}, {event['at'][1]}]" for event in laid]
        options.append(Option(f"order {number}", tuple(events), words=(" → ".join(words),)))
    params = {"player": game.turn}
    return Question(
        "unsure_order", params, (*options, NONE_OF_THESE), "camera", game.turn, evidence=seen.evidence
    )


def _names(card: LatticeCard) -> list[str]:
    """The possible readings of a card, the likeliest first."""
    return [card.card] if card.other is None else [card.card, card.other]


def _which(
    code: str,
    params: dict[str, Any],
    likely: list[str],
    event: Event,
    game: GameView,
    player: str | None,
    seen: LatticeSeen,
    about: str = "",
    before: Sequence[Event] = (),
) -> Question:
    """Asks which card it is, the likeliest first. The table may play on: the next picture decides or asks
    again. What was answered is not asked again (`about`). `before`: what must have happened first."""
    options = tuple(
        Option(label, (*before, {**event, "card": label}), card=label)
        for label in dict.fromkeys((*likely, *game.labels))
    )
    return Question(
        code,
        params,
        (*options, NONE_OF_THESE),
        "camera",
        player,
        blocks=False,
        about=about,
        evidence=seen.evidence,
    )
