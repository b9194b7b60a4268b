"""The JSON state of 13 Monsters: what the table shows, the search and the turn so far, the faces seen."""

from __future__ import annotations

from typing import Any

from companion.core.events import StateView
from companion.games.thirteen_monsters.building import level
from companion.games.thirteen_monsters.field import empty_places, faces_seen
from companion.games.thirteen_monsters.sets import HEALTH, Monster, set_as_json, sets_in, species
from companion.games.thirteen_monsters.state import (
    Battle,
    ThirteenMonstersSettings,
    ThirteenMonstersState,
    place_as_json,
    throws,
)


def as_json(state: ThirteenMonstersState) -> StateView:
    """The whole state, so that a position restores it."""
    players, settings = state.setup.players, state.setup.settings
    return {
        "phase": state.phase,
        "turn": state.turn,
        "cards_left": state.cards_left,
        "must_build": list(state.must_build),
        "level": {player: level(state, seat) for seat, player in enumerate(players)},
        "sets": {
            player: [set_as_json(one) for one in sets_in(loose)]
            for player, loose in zip(players, state.sets, strict=True)
        },
        "monsters": {
            player: [_monster_as_json(monster, settings) for monster in monsters]
            for player, monsters in zip(players, state.monsters, strict=True)
        },
        "frozen": [{"at": place_as_json(one.place), "player": one.player} for one in state.frozen],
        "battle": _battle_as_json(state.battle),
        "dealing": state.dealing,
        "empty": [place_as_json(place) for place in empty_places(state.field)],
        "seen": [
            {"at": place_as_json(place), "card": set_as_json(face)}
            for place, face in faces_seen(state.field).items()
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


def _monster_as_json(monster: Monster, settings: ThirteenMonstersSettings) -> dict[str, Any]:
    kind = species(monster.parts)
    return {
        "parts": list(monster.parts),
        "species": kind,
        "hp": HEALTH[kind],
        "throws": throws(monster.parts, settings),
        "spent": monster.spent,
    }


def _battle_as_json(battle: Battle | None) -> dict[str, Any] | None:
    """An attack or a Death Battle as a JSON object, null in peace."""
    if battle is None:
        return None
    allowed = {player: n for player, n in zip(battle.players, battle.throws, strict=True) if n is not None}
    points = {player: n for player, n in zip(battle.players, battle.points, strict=True) if n is not None}
    thrown = {"thrown": battle.thrown, "lying": list(battle.lying)}
    dice = {"throws": allowed, "points": points, **thrown}
    if battle.target is None:
        chosen = zip(battle.players, battle.monsters, strict=True)
        return {
            "players": list(battle.players),
            "chosen": {player: None if parts is None else list(parts) for player, parts in chosen},
            **dice,
        }
    return {
        "attacker": battle.players[0],
        "defender": battle.players[1],
        "parts": list(battle.monsters[0] or ()),
        "set": set_as_json(battle.target),
        **dice,
    }
