"""Positions of 13 Monsters in which an event that was refused becomes possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.contract.fields import Event
from companion.games.thirteen_monsters.state import ThirteenMonstersState, place_as_json

TURN = ("before_search", "search", "after_search")
"""The phases of a turn in their order."""


def waivers(state: ThirteenMonstersState, event: Event) -> Iterator[dict[str, Any]]:
    """The limits of a turn, one at a time: attacks, powers, dice, frozen cards, the search."""
    match event["event"]:
        case "attack_declared":
            yield {"attacked": False}
            for phase in TURN:
                yield {"phase": phase, "attacked": False, "revealed": [], "prophet_found": False}
        case "power_used":
            denied = [power for power in state.denied if power != event["power"]]
            yield {"denied": denied}
            yield {"denied": denied, "frozen_this_turn": 0, "prophet": False}
        case "card_revealed":
            frozen = [
                {"at": place_as_json(frost.place), "player": frost.player}
                for frost in state.frozen
                if place_as_json(frost.place) != list(event["at"])
            ]
            yield {"frozen": frozen}
            yield {"phase": "before_search", "frozen": frozen}
        case "turn_ended" | "traded":
            for phase in reversed(TURN):
                yield {"phase": phase, "revealed": [], "prophet_found": False}
        case _:
            pass
