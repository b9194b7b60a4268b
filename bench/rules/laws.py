"""What must hold at every moment of a game: nothing gets lost, nothing appears from nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.games.bugs_and_co.state import FEW_TROPHIES, TROPHIES, BugsAndCoState, tiles_in_play
from companion.games.nasty_7.state import Nasty7State
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState
from companion.games.thirteen_monsters.building import builders
from companion.games.thirteen_monsters.field import empty_places, faces_seen
from companion.games.thirteen_monsters.sets import EVERYTHING, buildable, layers, mask_of, sets_of
from companion.games.thirteen_monsters.state import CARDS, DICE, ThirteenMonstersState
from companion.games.trio_monsters.cells import chain, groups
from companion.games.trio_monsters.state import BLACK, CHAIN, HAND, TrioMonstersState
from companion.table.record import Record

Law = tuple[str, bool]


def broken_laws(state: Any) -> list[str]:
    """The laws that a state breaks; there should be none."""
    laws = {
        SevenMerryMonstersState: _merry,
        TrioMonstersState: _trio,
        BugsAndCoState: _bugs,
        ThirteenMonstersState: _thirteen,
        Nasty7State: _nasty,
    }[type(state)]
    return [law for law, holds in laws(state) if not holds]


def states_of(record: Record[Any]) -> Iterator[Any]:
    """All states that a game went through and that count."""
    for step in record.steps:
        yield step.before
    yield record.state


def _trio(state: TrioMonstersState) -> Iterator[Law]:
    cards = state.draw_pile + sum(state.hands) + sum(state.won) + len(state.table)
    yield "the triangles are all there", cards == state.setup.settings.deck_size
    yield "hands hold up to three", all(0 <= hand <= HAND for hand in state.hands)
    yield "the table hangs together", len(groups(state.table)) <= 1
    chains = (len(chain(cell, state.table)) for cell, colour in state.table.items() if colour != BLACK)
    yield "no chain of four stays", all(length < CHAIN for length in chains)
    yield "somebody is on turn", (state.turn is None) == (state.phase in ("setup", "over"))


def _bugs(state: BugsAndCoState) -> Iterator[Law]:
    in_play = FEW_TROPHIES.get(len(state.setup.players), TROPHIES)
    held = Counter(trophy for trophy in state.trophy if trophy is not None)
    yield "the trophies are all there", held + Counter(state.trophies) == Counter(in_play)
    yield "the last trophy starts the countdown", (state.phase in ("setup", "play")) == bool(state.trophies)
    counted: Counter[str] = Counter()
    for tiles in state.counted:
        counted.update(tiles or {})
    yield "no more tiles than in play", counted.total() <= tiles_in_play(state.setup) <= 75 - 7
    yield "three of a symbol", all(0 < n <= 3 for n in counted.values())
    yield "all counted is over", (None not in state.counted) == (state.phase == "over")


def _thirteen(state: ThirteenMonstersState) -> Iterator[Law]:
    hands = [*state.sets, *(sets_of(monster.parts) for all_of in state.monsters for monster in all_of)]
    held = sum(hand.bit_count() for hand in hands)
    faces, empty = faces_seen(state.field), set(empty_places(state.field))
    frozen = {frost.place for frost in state.frozen}
    yield "the cards are all there", state.cards_left + 2 * held == CARDS
    yield "each set belongs to one player", sum(hands) + state.unfound == EVERYTHING
    yield "places are emptied by sets", len(empty) - 3 <= CARDS - state.cards_left
    yield "an owned set is not on the field", not mask_of(faces.values()) & ~state.unfound
    yield "two cards of a set", max(Counter(faces.values()).values(), default=0) <= 2
    yield "five dice, one on a card", len(state.frozen) == len(frozen) <= DICE
    yield "no die on an empty place", not empty & frozen
    fights = state.phase in ("attack", "spoils", "death_battle")
    yield "there is a battle while they fight", (state.battle is not None) == fights
    yield "an attack needs all dice", state.phase not in ("attack", "spoils") or not state.frozen
    if state.phase != "over":
        choices = [max(map(len, layers(sets))) > 1 for sets in state.sets if buildable(sets)]
        yield "what can be built in one way is built", all(choices)
        yield "who can build must build", state.must_build == builders(state)


def _nasty(state: Nasty7State) -> Iterator[Law]:
    cards = sum(state.stacks) + state.pile + state.box
    yield "the cards are all there", cards == state.setup.settings.dealt()
    yield "no stack is less than empty", min(state.stacks) >= 0
    yield "a pile has racketeers", (state.pile == 0) <= (state.racketeers == 0)


def _merry(state: SevenMerryMonstersState) -> Iterator[Law]:
    in_columns = sum(column.cards for display in state.display for column in display.values())
    hidden = sum(map(sum, state.hidden))
    lying = in_columns + hidden + sum(state.aside) + sum(state.jokers_owed) + len(state.table)
    all_cards = 10 * len(state.setup.players)
    yield "ten cards a player", lying == all_cards if state.phase == "over" else lying <= all_cards
    yield (
        "no more of a kind than the deck has",
        all(0 < n <= (11 if monster == "joker" else 7) for monster, n in state.left.items()),
    )
    if state.setup.settings.tracking == "tricks":
        yield "every card seen is somewhere", 7 * 7 + 11 - sum(state.left.values()) + hidden == lying
