"""A position of 13 Monsters: the field, what is known of it, sets, monsters and a fight under way."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from companion.games.contract.fields import Setup
from companion.games.contract.position import (
    Shown,
    a_seat,
    by_player,
    flag,
    impossible,
    listed,
    mapped,
    one_of,
    require,
    whole,
)
from companion.games.thirteen_monsters.building import builders
from companion.games.thirteen_monsters.field import EMPTY, face_at, field_of
from companion.games.thirteen_monsters.sets import (
    EVERYTHING,
    GHOST,
    KINDS,
    PARTS,
    Monster,
    Parts,
    health,
    mask_of,
    set_from,
    sets_of,
)
from companion.games.thirteen_monsters.state import (
    DICE,
    GRID,
    POWERS,
    Battle,
    Frost,
    ThirteenMonstersState,
    place_of,
    throws,
)

PHASES = (
    *("before_search", "search", "after_search", "attack", "spoils"),
    *("final_round", "death_battle", "over"),
)
FIGHTS = frozenset({"attack", "spoils", "death_battle"})
MOST_REVEALED = 3
"""Cards of a search with Prophet."""


def placed(state: ThirteenMonstersState, shown: Shown, given: Shown) -> ThirteenMonstersState:
    """The state of a position (see `companion.games.nasty_7.position.placed`).

    Raises:
        Rejected: `bad_position`.
    """
    setup = state.setup
    phase = one_of(shown["phase"], PHASES)
    after = replace(
        state,
        phase=phase,
        turn=None if shown["turn"] is None else a_seat(shown["turn"], setup),
        dealing=flag(shown["dealing"]),
        sets=by_player(shown["sets"], setup, _sets),
        monsters=by_player(shown["monsters"], setup, _monsters),
        frozen=_frozen(shown["frozen"], setup),
        revealed=tuple(_places(shown["revealed"])),
        found=flag(shown["prophet_found"]),
        set_found=flag(shown["set_found"]),
        prophet=flag(shown["prophet"]),
        attacked=flag(shown["attacked"]),
        denied=tuple(one_of(power, POWERS) for power in listed(shown["denied"])),
        frozen_this_turn=whole(shown["frozen_this_turn"]),
        finals=_finals(shown["final_turns"], setup),
        battle=None,
        winners=(),
    )
    must_build = () if phase == "over" else builders(after)
    after = replace(after, unfound=_unfound(after), must_build=must_build)
    require(whole(shown["cards_left"]) == after.cards_left)
    after = replace(after, field=_field(after, shown, "seen" in given))
    if phase in FIGHTS:
        after = replace(after, battle=_battle(after, shown["battle"]))
    _check_field(after)
    _check_turn(after)
    return replace(after, winners=_winners(after, shown, given)) if phase == "over" else after


# --- readers ----------------------------------------------------------------------------------------------


def _place(value: Any) -> int:
    at = [whole(one, 0, GRID - 1) for one in listed(value)]
    require(len(at) == 2)
    place = place_of(at)
    return impossible() if place is None else place


def _places(value: Any) -> list[int]:
    found = [_place(at) for at in listed(value)]
    require(len(set(found)) == len(found))
    return found


def _set(value: Any) -> int:
    found = mapped(value)
    return set_from({"monster": whole(found["monster"], 1, KINDS), "part": one_of(found["part"], PARTS)})


def _sets(value: Any) -> int:
    found = [_set(one) for one in listed(value)]
    require(len(set(found)) == len(found))
    return mask_of(found)


def _parts(value: Any) -> Parts:
    numbers = [whole(number, 1, KINDS) for number in listed(value)]
    require(len(numbers) == len(PARTS))
    return numbers[0], numbers[1], numbers[2]


def _monsters(value: Any) -> tuple[Monster, ...]:
    found = []
    for one in listed(value):
        monster = Monster(_parts(mapped(one)["parts"]), flag(one.get("spent", False)))
        require(not monster.spent or monster.parts == (GHOST,) * len(PARTS))
        found.append(monster)
    require(len(set(found)) == len(found))
    return tuple(sorted(found))


def _field(state: ThirteenMonstersState, shown: Shown, faces_given: bool) -> bytes:
    """Empty places and faces; two cards of a set that nobody owns may have been seen."""
    empty = _places(shown["empty"])
    faces = {_place(mapped(one)["at"]): _set(one["card"]) for one in listed(shown["seen"])}
    require(len(faces) == len(shown["seen"]))
    if not faces_given:  # the faces of sets that somebody owns now lie no longer on the field
        faces = {place: face for place, face in faces.items() if state.unfound >> face & 1}
    require(not faces.keys() & set(empty))
    require(not mask_of(faces.values()) & ~state.unfound)
    require(max(Counter(faces.values()).values(), default=0) <= 2)
    require(len(faces) <= state.cards_left)
    return field_of(empty, faces)


def _frozen(value: Any, setup: Setup) -> tuple[Frost, ...]:
    found = tuple(Frost(_place(mapped(one)["at"]), a_seat(one["player"], setup)) for one in listed(value))
    require(len({frost.place for frost in found}) == len(found) <= DICE)
    return found


def _finals(value: Any, setup: Setup) -> tuple[str, ...] | None:
    return None if value is None else tuple(a_seat(player, setup) for player in listed(value))


# --- fights -----------------------------------------------------------------------------------------------


def _battle(state: ThirteenMonstersState, value: Any) -> Battle:
    """An attack, or a Death Battle, with the throws so far."""
    found, settings = mapped(value), state.setup.settings
    if state.phase == "death_battle":
        players = tuple(a_seat(player, state.setup) for player in listed(found["players"]))
        chosen = mapped(found["chosen"])
        monsters = tuple(None if chosen.get(player) is None else _parts(chosen[player]) for player in players)
        target = None
        allowed = tuple(None if parts is None else throws(parts, settings) for parts in monsters)
    else:
        players = (a_seat(found["attacker"], state.setup), a_seat(found["defender"], state.setup))
        monsters, target = (_parts(found["parts"]), None), _set(found["set"])
        counts = mapped(found["throws"])
        allowed = tuple(whole(counts[player], 1, 6) for player in players)
    require(len(set(players)) == len(players) > 1)
    points = mapped(found["points"])
    lying = tuple(whole(die, 1, 6) for die in listed(found["lying"]))
    require(len(lying) in (0, DICE))
    return Battle(
        players,
        target,
        monsters,
        allowed,
        tuple(None if points.get(player) is None else whole(points[player]) for player in players),
        whole(found["thrown"], 0, 6),
        lying,
    )


# --- laws -------------------------------------------------------------------------------------------------


def _unfound(state: ThirteenMonstersState) -> int:
    """The sets that lie on the field; each other set belongs to one player (M13-2)."""
    unfound = EVERYTHING
    hands = [sets_of(monster.parts) for monsters in state.monsters for monster in monsters]
    for mask in (*state.sets, *hands):
        require(not mask & ~unfound)
        unfound &= ~mask
    return unfound


def _check_field(state: ThirteenMonstersState) -> None:
    """All cards have a place, and dice lie on cards (M13-3, M13-35)."""
    require(state.field.count(EMPTY) <= GRID * GRID - state.cards_left)
    require(not any(state.field[frost.place] == EMPTY for frost in state.frozen))


def _check_turn(state: ThirteenMonstersState) -> None:
    """Who acts fits the phase."""
    battle, phase = state.battle, state.phase
    require((state.finals is not None) <= (phase in ("final_round", *FIGHTS, "over")))
    if phase == "over":
        require(state.turn is None)
    elif phase == "death_battle":
        assert battle is not None
        require((state.turn is None) == (None in battle.monsters))
        require(state.turn is None or state.turn in battle.players)
        if state.turn is not None:
            _check_fight(battle, state.turn)
    elif phase in ("attack", "spoils"):
        assert battle is not None
        require(not state.frozen and state.turn in battle.players)
        require(phase == "attack" or state.turn == battle.players[1])
        if phase == "attack" and state.turn is not None:
            _check_fight(battle, state.turn)
        require(phase == "attack" or None not in battle.points)
    else:
        require(state.turn is not None)
        require(phase != "final_round" or (state.finals is not None and state.finals[:1] == (state.turn,)))
    require(len(state.revealed) < MOST_REVEALED and (phase == "search" or not state.revealed))
    seen = (face_at(state.field, place) is not None for place in state.revealed)
    require(state.found or all(seen))


def _check_fight(battle: Battle, thrower: str) -> None:
    """Whoever threw before has points, who throws now as soon as dice lie, later ones have none (M13-56)."""
    now = battle.players.index(thrower)
    require(None not in battle.points[:now])
    require((battle.points[now] is not None) == (battle.thrown > 0) == bool(battle.lying))
    require(not any(points is not None for points in battle.points[now + 1 :]))
    allowed = battle.throws[now]
    require(allowed is not None and battle.thrown < allowed)


def _winners(state: ThirteenMonstersState, shown: Shown, given: Shown) -> tuple[str, ...]:
    """As named, else whoever has most health points (M13-61)."""
    if "winner" in given:
        names = tuple(a_seat(player, state.setup) for player in listed(shown["winner"]))
        require(bool(names) and len(set(names)) == len(names))
        return names
    points = [health(monsters) for monsters in state.monsters]
    best = zip(state.setup.players, points, strict=True)
    return tuple(player for player, score in best if score == max(points))
