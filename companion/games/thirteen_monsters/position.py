"""A position of 13 Monsters: the field, what is known of it, sets, monsters and a fight under way."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.core.events import StateView
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
from companion.games.thirteen_monsters.state import (
    CARDS,
    DICE,
    GHOST,
    GRID,
    KINDS,
    PARTS,
    POWERS,
    Battle,
    Frost,
    Monster,
    MonsterSet,
    Parts,
    ThirteenMonstersState,
    health,
    owners,
    place_as_json,
    place_of,
    set_as_json,
    sets_of,
    throws,
)

T = TypeVar("T")
PHASES = (
    *("before_search", "search", "after_search", "attack", "spoils"),
    *("final_round", "death_battle", "over"),
)
FIGHTS = frozenset({"attack", "spoils", "death_battle"})
MOST_REVEALED = 3
"""Cards of a search with Prophet."""


def as_json(state: ThirteenMonstersState) -> StateView:
    """What a position holds beyond what the table shows: the search and the turn so far, the faces seen."""
    return {
        "dealing": state.dealing,
        "empty": [place_as_json(place) for place in sorted(state.empty)],
        "seen": [
            {"at": place_as_json(place), "card": set_as_json(face)}
            for place, face in sorted(state.seen.items())
        ],
        "revealed": [place_as_json(place) for place in state.revealed],
        "prophet": state.prophet,
        "prophet_found": state.found,
        "set_found": state.set_found,
        "attacked": state.attacked,
        "denied": list(state.denied),
        "frozen_this_turn": state.frozen_this_turn,
        "final_turns": None if state.finals is None else list(state.finals),
        "winner": list(state.winners),
    }


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
        cards_left=whole(shown["cards_left"], 0, CARDS),
        empty=frozenset(_places(shown["empty"])),
        seen=_seen(shown["seen"]),
        sets=by_player(shown["sets"], setup, lambda value: _different([_set(one) for one in listed(value)])),
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
    if "seen" not in given:  # the faces of sets that somebody owns now lie no longer on the field
        owned = owners(after)
        after = replace(after, seen={place: face for place, face in after.seen.items() if face not in owned})
    if phase in FIGHTS:
        after = replace(after, battle=_battle(after, shown["battle"]))
    _check_cards(after)
    _check_turn(after)
    return replace(after, winners=_winners(after, shown, given)) if phase == "over" else after


# --- readers ----------------------------------------------------------------------------------------------


def _different(values: list[T]) -> tuple[T, ...]:
    require(len(set(values)) == len(values))
    return tuple(sorted(values))  # type: ignore[type-var]


def _place(value: Any) -> int:
    at = [whole(one, 0, GRID - 1) for one in listed(value)]
    require(len(at) == 2)
    place = place_of(at)
    return impossible() if place is None else place


def _places(value: Any) -> list[int]:
    found = [_place(at) for at in listed(value)]
    require(len(set(found)) == len(found))
    return found


def _set(value: Any) -> MonsterSet:
    found = mapped(value)
    return MonsterSet(whole(found["monster"], 1, KINDS), PARTS.index(one_of(found["part"], PARTS)))


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
    return _different(found)


def _seen(value: Any) -> dict[int, MonsterSet]:
    found = {_place(mapped(one)["at"]): _set(one["card"]) for one in listed(value)}
    require(len(found) == len(value))
    return found


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


def _check_cards(state: ThirteenMonstersState) -> None:
    """78 cards: each set belongs to one player or lies on the field; dice lie on cards (M13-2, M13-35)."""
    held = [one for loose in state.sets for one in loose]
    held += [one for monsters in state.monsters for monster in monsters for one in sets_of(monster.parts)]
    require(len(set(held)) == len(held))
    require(state.cards_left == CARDS - 2 * len(held))
    require(len(state.empty) <= GRID * GRID - state.cards_left)
    require(not state.empty & state.seen.keys())
    require(not set(held) & set(state.seen.values()))
    require(max(Counter(state.seen.values()).values(), default=0) <= 2)
    require(not state.empty & {frost.place for frost in state.frozen})
    require(len(state.seen) <= state.cards_left)


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
    require(all(place in state.seen or state.found for place in state.revealed))


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
