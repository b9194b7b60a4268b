"""What is legal in 13 Monsters: building first, then phase and turn, then the event's own codes."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.contract.choices import Dice, Parts
from companion.games.contract.fields import Event
from companion.games.contract.legality import Breach
from companion.games.thirteen_monsters.battle import target_throws
from companion.games.thirteen_monsters.building import unspent
from companion.games.thirteen_monsters.field import EMPTY, UNSEEN, times_seen, turnable
from companion.games.thirteen_monsters.power_legality import power_used
from companion.games.thirteen_monsters.search import SEARCH
from companion.games.thirteen_monsters.sets import (
    layers,
    mask_of,
    parts_from,
    set_from,
    sets_of,
)
from companion.games.thirteen_monsters.state import (
    DICE,
    Battle,
    ThirteenMonstersState,
    owner_of,
    place_of,
    throws,
)
from companion.games.thirteen_monsters.vocabulary import EVENTS

State = ThirteenMonstersState

_PHASE_RULE = {
    "before_search": "M13-11",
    "search": "M13-11",
    "after_search": "M13-13",
    "attack": "M13-51",
    "spoils": "M13-58",
    "final_round": "M13-60",
    "death_battle": "M13-62",
}
"""What the table is about in each phase: why another event does not belong there."""
_ON_TURN = frozenset({"before_search", "search", "after_search", "final_round"})
"""Phases in which everything is done by the player on turn; in fights the fight says who acts."""


def breach(state: State, event: Event) -> Breach | None:
    """The rule that an event would break (see `Rulebook.breach`)."""
    name = event["event"]
    if name == "monster_built":
        return _monster_built(state, event)
    if state.must_build:
        return Breach("must_build", "M13-16")
    if state.phase not in EVENTS[name].of(event).phases:
        return Breach("wrong_phase", _PHASE_RULE[state.phase])
    if name != "sets_dealt" and event["player"] != state.turn and state.phase in _ON_TURN:
        return Breach("not_your_turn", "M13-13")
    return _OWN[name](state, event)


# --- sets that change hands -------------------------------------------------------------------------------


def _monster_built(state: State, event: Event) -> Breach | None:
    """Somebody chooses the sets of a monster that has to be built (M13-R2)."""
    if not state.must_build:
        return Breach("wrong_phase", "M13-15")
    if event["player"] not in state.must_build:
        return Breach("not_your_turn", "M13-R2")
    possible = buildable_parts(state, event["player"])
    return None if possible.allows(event["parts"]) else Breach("no_such_set", "M13-15")


def buildable_parts(state: State, player: str) -> Parts:
    """The monsters that a player can build from loose sets."""
    return Parts(*layers(state.sets[state.setup.players.index(player)]))


def _sets_dealt(state: State, event: Event) -> Breach | None:
    """Only before the game, and only sets that lie on the field (M13-10, M13-R12)."""
    if not state.dealing:
        return Breach("wrong_phase", "M13-10")
    sets = [set_from(one) for one in event["sets"]]
    if len(set(sets)) < len(sets) or mask_of(sets) & ~state.unfound:
        return Breach("impossible_card", "M13-R12")
    return None


def _traded(state: State, event: Event) -> Breach | None:
    """Loose sets of those who trade (M13-8, M13-R1)."""
    players = state.setup.players
    seat, other = players.index(event["player"]), players.index(event["with"])
    if not state.sets[seat] and not state.monsters[seat]:
        return Breach("not_allowed_yet", "M13-8")
    gives, gets = mask_of(map(set_from, event["gives"])), mask_of(map(set_from, event["gets"]))
    if gives & ~state.sets[seat] or gets & ~state.sets[other]:
        return Breach("no_such_set", "M13-R1")
    return None


# --- searching --------------------------------------------------------------------------------------------


def _card_revealed(state: State, event: Event) -> Breach | None:
    """A card that may be turned over, with a face that it can have (M13-4, M13-11, M13-34, M13-R12)."""
    place = place_of(event["at"])
    if place is None or not state.unfound:
        return Breach("no_card", "M13-4")
    mark = state.field[place]
    if mark == EMPTY:
        return Breach("no_card", "M13-4")
    for frost in state.frozen:
        if frost.place == place and frost.player != event["player"]:
            return Breach("frozen", "M13-34")
    if place in state.revealed:
        return Breach("already_revealed", "M13-11")
    face = set_from(event["card"])
    if mark != UNSEEN:
        return None if mark == face + 1 else Breach("impossible_card", "M13-R12")
    if not state.unfound >> face & 1 or times_seen(state.field, face) > 1:
        return Breach("impossible_card", "M13-R12")
    return None


def _search_ended(state: State, event: Event) -> Breach | None:
    """The third card of Prophet may be declined (M13-41)."""
    ends = state.prophet and len(state.revealed) == SEARCH
    return None if ends else Breach("wrong_phase", "M13-41")


def _turn_ended(state: State, event: Event) -> Breach | None:
    """Nobody passes without searching who can (M13-R6)."""
    if state.phase != "before_search" or state.set_found or turnable(state, event["player"]) < SEARCH:
        return None
    return Breach("must_search", "M13-R6")


# --- fights -----------------------------------------------------------------------------------------------


def _attack_declared(state: State, event: Event) -> Breach | None:
    """An own monster, once a turn, for a set of somebody else (M13-24 to M13-26, M13-R3)."""
    seat, parts = state.setup.players.index(event["player"]), parts_from(event["parts"])
    if parts not in unspent(state, seat):
        return Breach("no_such_monster", "M13-24")
    if state.attacked:
        return Breach("already_attacked", "M13-R3")
    target = set_from(event["set"])
    other = owner_of(state, target)
    own = throws(parts, state.setup.settings)
    if other is None or other == seat or target_throws(state, other, target, own) is None:
        return Breach("no_such_set", "M13-26")
    return None


def _not_throwing(state: State, event: Event) -> Breach | None:
    """Whether it is somebody else's throw, or nobody's yet (M13-56, M13-62)."""
    if state.turn is None:
        return Breach("wrong_phase", "M13-62")
    return None if event["player"] == state.turn else Breach("not_your_turn", "M13-56")


def _dice_thrown(state: State, event: Event) -> Breach | None:
    """All dice, or those that do not stay; equal dice that lie there may stay (M13-51, M13-52)."""
    breach = _not_throwing(state, event)
    battle = state.battle
    if breach is not None or battle is None:
        return breach
    kept = event.get("kept", [])
    stays = not kept or (len(set(kept)) == 1 and battle.lying.count(kept[0]) >= len(kept))
    if stays and len(kept) < DICE and thrown_dice(kept).allows(event["dice"]):
        return None
    return Breach("bad_dice", "M13-52" if battle.lying else "M13-51")


def thrown_dice(kept: list[int]) -> Dice:
    """The dice that are thrown while some are kept."""
    return Dice(DICE - len(kept))


def _throwing_ended(state: State, event: Event) -> Breach | None:
    """Everybody throws at least once (M13-51)."""
    breach = _not_throwing(state, event)
    battle = state.battle
    if breach is not None or battle is None or battle.thrown:
        return breach
    return Breach("must_throw", "M13-51")


def _set_taken(state: State, event: Event) -> Breach | None:
    """The defender takes a set of the attacking monster, or none (M13-58, M13-R19)."""
    if event["player"] != state.turn:
        return Breach("not_your_turn", "M13-58")
    if event["set"] is None or sets_of(attacking(state.battle)) >> set_from(event["set"]) & 1:
        return None
    return Breach("no_such_set", "M13-58")


def attacking(battle: Battle | None) -> tuple[int, int, int]:
    """The monster that attacks."""
    assert battle is not None
    parts = battle.monsters[0]
    assert parts is not None
    return parts


def _monster_chosen(state: State, event: Event) -> Breach | None:
    """Each tied player once, an unspent monster of the own (M13-62)."""
    battle, player = state.battle, event["player"]
    if battle is None or state.turn is not None:
        return Breach("wrong_phase", "M13-62")
    if player not in battle.players or battle.monsters[battle.players.index(player)] is not None:
        return Breach("not_your_turn", "M13-62")
    if parts_from(event["parts"]) not in unspent(state, state.setup.players.index(player)):
        return Breach("no_such_monster", "M13-62")
    return None


_OWN: dict[str, Callable[[State, Event], Breach | None]] = {
    "sets_dealt": _sets_dealt,
    "traded": _traded,
    "power_used": power_used,
    "card_revealed": _card_revealed,
    "search_ended": _search_ended,
    "turn_ended": _turn_ended,
    "attack_declared": _attack_declared,
    "dice_thrown": _dice_thrown,
    "throwing_ended": _throwing_ended,
    "set_taken": _set_taken,
    "monster_chosen": _monster_chosen,
}
