"""The 39 monster sets as numbers, hands of sets as bit masks, and monsters as their three parts.

A set has the number (monster - 1) * 3 + layer, so that numbers are in the order of the game: by monster, then
top, eyes, bottom. In a mask bit n stands for set n.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, cast

Part = Literal["top", "eyes", "bottom"]
PARTS: tuple[Part, ...] = ("top", "eyes", "bottom")
LAYER = {part: layer for layer, part in enumerate(PARTS)}
KINDS = 13
"""Monsters of which each has six cards, three sets (M13-2)."""
GHOST = 13
"""The number of the 13th Monster."""
ALL_SETS = range(KINDS * len(PARTS))
NOTHING = 0
EVERYTHING = (1 << len(ALL_SETS)) - 1
TOPS = sum(1 << one for one in ALL_SETS[::3])
EYES, BOTTOMS = TOPS << 1, TOPS << 2
"""All sets of a layer."""

Parts = tuple[int, int, int]
"""A built monster: the numbers of its top, eyes and bottom set."""
Species = Literal["grunt", "abomination", "og", "thirteenth"]
HEALTH: dict[Species, int] = {"grunt": 10, "abomination": 20, "og": 40, "thirteenth": 60}
"""Health points (M13-28 to M13-31)."""


class Monster(NamedTuple):
    """A built monster. Only the 13th can be spent, by going Supernova (M13-44)."""

    parts: Parts
    spent: bool = False


def set_from(value: Any) -> int:
    """The set that a checked JSON object names."""
    number: int = (value["monster"] - 1) * 3 + LAYER[value["part"]]
    return number


def set_as_json(one: int) -> dict[str, Any]:
    """A set as a JSON object."""
    return {"monster": one // 3 + 1, "part": PARTS[one % 3]}


def mask_of(sets: Iterable[int]) -> int:
    """Some sets as a mask."""
    mask = NOTHING
    for one in sets:
        mask |= 1 << one
    return mask


def sets_in(mask: int) -> list[int]:
    """The sets of a mask, ascending."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def buildable(mask: int) -> bool:
    """Whether a monster can be built from some sets."""
    return bool(mask & TOPS and mask & EYES and mask & BOTTOMS)


def layers(mask: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The monster numbers of the tops, the eyes and the bottoms among some sets."""
    of_layer: tuple[list[int], list[int], list[int]] = ([], [], [])
    while mask:
        lowest = mask & -mask
        monster, layer = divmod(lowest.bit_length() - 1, 3)
        of_layer[layer].append(monster + 1)
        mask ^= lowest
    top, eyes, bottom = of_layer
    return tuple(top), tuple(eyes), tuple(bottom)


def parts_from(value: Any) -> Parts:
    """The parts that a checked JSON list names."""
    return cast(Parts, tuple(value))


def sets_of(parts: Parts) -> int:
    """The three sets of a monster as a mask."""
    top, eyes, bottom = parts
    return 1 << top * 3 - 3 | 1 << eyes * 3 - 2 | 1 << bottom * 3 - 1


def sets_of_all(monsters: Iterable[Monster]) -> int:
    """The sets of some monsters as a mask."""
    mask = NOTHING
    for monster in monsters:
        mask |= sets_of(monster.parts)
    return mask


def species(parts: Parts) -> Species:
    """What a monster is by how many of its sets belong together (M13-28 to M13-31)."""
    different = len(set(parts))
    if different == 1:
        return "thirteenth" if parts[0] == GHOST else "og"
    return "abomination" if different == 2 else "grunt"


def health(monsters: tuple[Monster, ...]) -> int:
    """Health points of somebody's monsters; a spent 13th counts (M13-45, M13-61)."""
    return sum(HEALTH[species(monster.parts)] for monster in monsters)
