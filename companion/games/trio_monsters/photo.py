"""Compares a photographed table with the one that the rules know: what is new or differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.core.observations import LatticeCard
from companion.games.lattice_photo import ComparedLattice, PhotoKind
from companion.games.spotter import GameView
from companion.games.trio_monsters.lattice import Place
from companion.games.trio_monsters.lattice_match import Matched, matched
from companion.games.trio_monsters.order_of_cards import layings, place_of, table_of
from companion.games.trio_monsters.spotter import MOST_AT_ONCE, leaving_of

CardsByKind = dict[PhotoKind, Mapping[Place, LatticeCard]]


def compare(cards: Sequence[LatticeCard], unsure: Sequence[LatticeCard], game: GameView) -> ComparedLattice:
    """The cards of a photograph by what they mean for the game (see `LatticeComparison`)."""
    known, leaving = table_of(game.view), leaving_of(game)
    found = matched(cards, unsure, {**leaving, **known})
    if found is None:
        kinds = _lost([*cards, *unsure])
    else:
        kinds = _kinds(found, leaving)
        if game.view["phase"] == "setup":
            kinds = _start(kinds)
    order, ordered = _order({at: card.card for at, card in kinds["new"].items()}, game)
    kinds["new"] = {at: kinds["new"][at] for at in order}
    missing = {at: known[at] for at in (found.missing if found else ()) if at in known}
    return ComparedLattice(found is not None, kinds, ordered, missing)


def _kinds(found: Matched, leaving: Mapping[Place, str]) -> CardsByKind:
    """The cards by kind. At the place of a caught card another one may be new."""
    relaid = {at: card for at, card in found.differs.items() if at in leaving}
    return {
        "known": found.agree,
        "differs": {at: card for at, card in found.differs.items() if at not in leaving},
        "unsure": found.unsure,
        "new": {**found.new, **relaid},
    }


def _lost(cards: Iterable[LatticeCard]) -> CardsByKind:
    """The known cards were not found, so no place is valid: all cards are shown, none can be entered."""
    return {"new": {}, "lost": {card.at: card for card in cards}}


def _order(new: Mapping[Place, str], game: GameView) -> tuple[list[Place], bool]:
    """An order in which the new cards can have been laid, and whether the rules allow only that one."""
    if len(new) < 2 or len(new) > MOST_AT_ONCE or game.view["phase"] != "play":
        return list(new), len(new) < 2
    ways = layings(new, game)
    return [place_of(event) for event in ways[0] if event["event"] == "card_played"], len(ways) == 1


def _start(kinds: CardsByKind) -> CardsByKind:
    """The start card: the only card in the picture is at [0, 0]; of several none can be chosen."""
    several = {**kinds["new"], **kinds["unsure"]}
    if len(several) == 1:
        ((_, only),) = several.items()
        return {kind: {(0, 0): only} if kinds[kind] else {} for kind in ("unsure", "new")}
    return {"new": {}, "lost": several}
