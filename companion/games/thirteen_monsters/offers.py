"""What may come next in 13 Monsters."""

from __future__ import annotations

from collections import Counter

from companion.games.contract.choices import Collection, Dice, Monsters, Number, Objects, Parts
from companion.games.contract.offers import Choice, Offer, OneOf
from companion.games.thirteen_monsters.battle import target_throws
from companion.games.thirteen_monsters.building import layers, must_build, unspent
from companion.games.thirteen_monsters.field import frozen_by_others, turnable
from companion.games.thirteen_monsters.powers import holds_power, pool
from companion.games.thirteen_monsters.search import SEARCH
from companion.games.thirteen_monsters.state import (
    ALL_SETS,
    DICE,
    GRID,
    POWERS,
    Battle,
    MonsterSet,
    ThirteenMonstersState,
    owners,
    place_as_json,
    set_as_json,
    sets_of,
)
from companion.games.thirteen_monsters.state import Parts as MonsterParts


def offers(state: ThirteenMonstersState) -> list[Offer]:
    """All events that would be accepted now."""
    if state.phase == "over":
        return []
    building = must_build(state)
    if building:
        return [_offer(state, "monster_built", player, _buildable(state, player)) for player in building]
    if state.phase == "death_battle" and state.turn is None:
        return _choosing(state)
    player = state.turn
    assert player is not None
    match state.phase:
        case "attack" | "death_battle":
            return _throwing(state, player)
        case "spoils":
            assert state.battle is not None
            sets = sets_of(state.battle.monsters[0] or (0, 0, 0))
            return [
                _offer(state, "set_taken", player, {"set": _objects(sets)}, rule="M13-58"),
                _offer(state, "set_taken", player, {"set": OneOf((None,))}, rule="M13-R19"),
            ]
        case "search":
            ending = state.prophet and len(state.revealed) == SEARCH
            ends = [_offer(state, "search_ended", player, rule="M13-41")] if ending else []
            return [*_searching(state, player), *ends]
        case "after_search":
            return [_offer(state, "turn_ended", player, rule="M13-13"), *_powers(state, player)]
    found = [*_powers(state, player), *_attacks(state, player)]
    if state.phase == "final_round":
        return [*found, _offer(state, "turn_ended", player, rule="M13-60")]
    found += [*_searching(state, player), *_trades(state, player), *_dealing(state)]
    if state.set_found or turnable(state, player) < SEARCH:
        found.append(_offer(state, "turn_ended", player, rule="M13-R6"))
    return found


def _offer(
    state: ThirteenMonstersState,
    event: str,
    player: str,
    fields: dict[str, Choice] | None = None,
    optional: tuple[str, ...] = (),
    rule: str = "M13-15",
) -> Offer:
    when = {"t": Number(low=state.time)}
    return Offer(event, {"player": OneOf((player,)), **(fields or {}), **when}, (*optional, "t"), rule=rule)


_SETS = {one: set_as_json(one) for one in ALL_SETS}
_PLACES = tuple(tuple(place_as_json(place)) for place in range(GRID * GRID))


def _objects(sets: tuple[MonsterSet, ...] | list[MonsterSet]) -> Objects:
    return Objects(tuple(_SETS[one] for one in sets))


def _places(places: list[int]) -> OneOf:
    return OneOf(tuple(_PLACES[place] for place in places))


def _parts(monsters: list[MonsterParts]) -> OneOf:
    return OneOf(tuple(list(parts) for parts in monsters))


# --- building and dealing ---------------------------------------------------------------------------------


def _buildable(state: ThirteenMonstersState, player: str) -> dict[str, Choice]:
    return {"parts": Parts(*layers(state.sets[state.setup.players.index(player)]))}


def _dealing(state: ThirteenMonstersState) -> list[Offer]:
    if not state.dealing:
        return []
    fields = {"sets": Collection(tuple(_SETS[one] for one in _on_field(state)))}
    return [
        _offer(state, "sets_dealt", player, dict(fields), rule="M13-10") for player in state.setup.players
    ]


def _on_field(state: ThirteenMonstersState) -> list[MonsterSet]:
    """The sets whose cards lie on the field."""
    owned = owners(state)
    return [one for one in ALL_SETS if one not in owned]


def _trades(state: ThirteenMonstersState, player: str) -> list[Offer]:
    """Something for something or nothing, something or nothing for something."""
    players = state.setup.players
    seat = players.index(player)
    if not state.sets[seat] and not state.monsters[seat]:
        return []
    found = []
    mine = tuple(_SETS[one] for one in state.sets[seat])
    for other, sets in zip(players, state.sets, strict=True):
        theirs = tuple(_SETS[one] for one in sets)
        for least, most in (((1, 0), mine), ((0, 1), theirs)):
            if other != player and most:
                fields: dict[str, Choice] = {
                    "with": OneOf((other,)),
                    "gives": Collection(mine, least[0]),
                    "gets": Collection(theirs, least[1]),
                }
                found.append(_offer(state, "traded", player, fields, rule="M13-17"))
    return found


# --- searching --------------------------------------------------------------------------------------------


def _searching(state: ThirteenMonstersState, player: str) -> list[Offer]:
    """Cards that may be turned over: known ones with their face, the others with any face still possible."""
    barred = frozen_by_others(state, player).union(state.empty, state.revealed)
    known: dict[MonsterSet, list[int]] = {}
    for place, face in sorted(state.seen.items()):
        if place not in barred:
            known.setdefault(face, []).append(place)
    offered = [(places, [face]) for face, places in known.items()]
    hidden = [place for place in range(GRID * GRID) if place not in barred and place not in state.seen]
    times_seen = Counter(state.seen.values())
    faces = [one for one in _on_field(state) if times_seen[one] < 2]
    if hidden and faces:
        offered.append((hidden, faces))
    return [
        _offer(state, "card_revealed", player, {"at": _places(at), "card": _objects(cards)}, rule="M13-11")
        for at, cards in offered
    ]


# --- powers and fights ------------------------------------------------------------------------------------


def _powers(state: ThirteenMonstersState, player: str) -> list[Offer]:
    """Powers that the player has, has not lost, and can use."""
    seat = state.setup.players.index(player)
    found = []
    for power in POWERS:
        if not holds_power(state, player, power) or power in state.denied:
            continue
        if state.phase == "after_search" and power != "permafrost":
            continue
        fields: dict[str, Choice] = {"power": OneOf((power,))}
        if power == "sacrifice":
            fields["rebuilt"] = Monsters(*layers(pool(state, seat)))
        elif power == "permafrost":
            places = _freezable(state)
            if not places:
                continue
            fields["at"] = _places(places)
        elif power == "prophet":
            if state.prophet or state.cards_left == 0:
                continue
        else:
            prey = [parts for other in _opponents(state, seat) for parts in unspent(state, other)]
            if not prey:
                continue
            fields["parts"] = _parts(prey)
        found.append(_offer(state, "power_used", player, fields, rule=_POWER_RULE[power]))
    return found


_POWER_RULE = {"sacrifice": "M13-33", "permafrost": "M13-34", "prophet": "M13-40", "supernova": "M13-43"}


def _opponents(state: ThirteenMonstersState, seat: int) -> list[int]:
    return [other for other in range(len(state.setup.players)) if other != seat]


def _freezable(state: ThirteenMonstersState) -> list[int]:
    """The places on which a die may be put now."""
    most = state.setup.settings.permafrost_per_turn
    spent = len(state.frozen) == DICE or (most is not None and state.frozen_this_turn >= most)
    if spent or state.cards_left == 0:
        return []
    barred = {frost.place for frost in state.frozen}.union(state.empty)
    return [place for place in range(GRID * GRID) if place not in barred]


def _attacks(state: ThirteenMonstersState, player: str) -> list[Offer]:
    seat = state.setup.players.index(player)
    own = unspent(state, seat)
    if state.attacked or not own:
        return []
    targets = [
        one
        for one, other in sorted(owners(state).items())
        if other != seat and target_throws(state, other, one, 0) is not None
    ]
    if not targets:
        return []
    fields: dict[str, Choice] = {"parts": _parts(own), "set": _objects(targets)}
    return [_offer(state, "attack_declared", player, fields, rule="M13-24")]


def _throwing(state: ThirteenMonstersState, player: str) -> list[Offer]:
    """A throw with all dice, or with those that do not stay, or stopping (M13-51 to M13-54)."""
    battle = state.battle
    assert battle is not None
    found = []
    for count, keeping in _keepings(battle).items():
        fields: dict[str, Choice] = {"dice": Dice(DICE - count), "kept": OneOf(tuple(keeping))}
        optional = ("kept",) if count == 0 else ()
        found.append(_offer(state, "dice_thrown", player, fields, optional, "M13-51"))
    if battle.thrown:
        found.append(_offer(state, "throwing_ended", player, rule="M13-53"))
    return found


def _keepings(battle: Battle) -> dict[int, list[list[int]]]:
    """How many dice may be kept -> which ones: equal ones among those lying, never all five."""
    keepings: dict[int, list[list[int]]] = {0: [[]]}
    for value, number in sorted(Counter(battle.lying).items()):
        for count in range(1, min(number, DICE - 1) + 1):
            keepings.setdefault(count, []).append([value] * count)
    return keepings


def _choosing(state: ThirteenMonstersState) -> list[Offer]:
    battle = state.battle
    assert battle is not None
    waiting = [p for p, parts in zip(battle.players, battle.monsters, strict=True) if parts is None]
    return [
        _offer(
            state,
            "monster_chosen",
            player,
            {"parts": _parts(unspent(state, state.setup.players.index(player)))},
            rule="M13-62",
        )
        for player in waiting
    ]
