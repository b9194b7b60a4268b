"""The table of 13 Monsters: house rules, sets, monsters, the state of a game, the fields of its events."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from companion.core.errors import BadSetting
from companion.games.contract.fields import Setup, a_place, is_integer

Part = Literal["top", "eyes", "bottom"]
PARTS: tuple[Part, ...] = ("top", "eyes", "bottom")
KINDS = 13
"""Monsters of which each has six cards, three sets (M13-2)."""
GRID = 9
"""Rows and columns of the field (M13-3)."""
CARDS = 78
DICE = 5
GHOST = 13
"""The number of the 13th Monster."""

Parts = tuple[int, int, int]
"""A built monster: the numbers of its top, eyes and bottom set."""
Species = Literal["grunt", "abomination", "og", "thirteenth"]

HEALTH: dict[Species, int] = {"grunt": 10, "abomination": 20, "og": 40, "thirteenth": 60}
"""Health points (M13-28 to M13-31)."""
POWERS = ("sacrifice", "permafrost", "prophet", "supernova")


class ThirteenMonstersSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules of 13 Monsters."""

    gap: tuple[tuple[int, int], ...] = ((4, 3), (4, 4), (4, 5))
    """The places that are empty at the start (M13-4, M13-R11)."""
    elements: tuple[str, ...] = (
        *("earth",) * 3,
        *("air",) * 3,
        *("fire",) * 3,
        *("water",) * 3,
        "ghost",
    )
    """The element of each of the 13 monsters (M13-48)."""
    grunt_permafrost: bool = True
    """A Grunt has Permafrost (M13-R7)."""
    attack_again_after_set: bool = False
    """Finding a set allows another attack in the same turn (M13-R3)."""
    permafrost_per_turn: int | None = None
    """Most cards that one player may freeze in a turn (M13-R5); empty: as far as the dice reach."""
    single_die_scores: bool = True
    """One die is a group of one; off: only equal dice count (M13-R4)."""
    first_player: str | None = None
    """Begins: the most beastly one (M13-6)."""

    def __post_init__(self) -> None:
        on_grid = all(0 <= row < GRID and 0 <= column < GRID for row, column in self.gap)
        if len(self.gap) != GRID * GRID - CARDS or len(set(self.gap)) != len(self.gap) or not on_grid:
            raise BadSetting("setting.gap")
        if len(self.elements) != KINDS or "" in self.elements:
            raise BadSetting("setting.elements")
        if self.permafrost_per_turn is not None and self.permafrost_per_turn < 0:
            raise BadSetting("setting.permafrost")


class MonsterSet(NamedTuple):
    """A set, or one of its two cards: they look the same. Sorted by monster, then top, eyes, bottom."""

    monster: int
    layer: int
    """Index into PARTS."""


class Monster(NamedTuple):
    """A built monster. Only the 13th can be spent, by going Supernova (M13-44)."""

    parts: Parts
    spent: bool = False


class Frost(NamedTuple):
    """A die on a card (M13-34)."""

    place: int
    player: str


class Battle(msgspec.Struct, frozen=True):
    """An attack or a Death Battle. Values per fighter are in the order of `players`."""

    players: tuple[str, ...]
    """Attacker and defender; in a Death Battle those who are tied, in seating order."""
    target: MonsterSet | None
    """The set attacked; None in a Death Battle."""
    monsters: tuple[Parts | None, ...]
    """The monsters that fight: of the attacker, or as chosen in a Death Battle."""
    throws: tuple[int | None, ...]
    """Throws allowed."""
    points: tuple[int | None, ...]
    """Points of the latest throw of each."""
    thrown: int = 0
    """Throws that the present thrower has used."""
    lying: tuple[int, ...] = ()
    """The five dice of the present thrower."""


class ThirteenMonstersState(msgspec.Struct, frozen=True):
    """One game of 13 Monsters at one moment. A place is row * 9 + column; players' values by seat."""

    setup: Setup
    phase: str
    turn: str | None
    dealing: bool
    """Nothing but dealing and building has happened yet."""
    cards_left: int
    empty: frozenset[int]
    """Places known to be empty."""
    seen: dict[int, MonsterSet]
    """The faces seen on the cards that still lie on the field."""
    sets: tuple[tuple[MonsterSet, ...], ...]
    """Loose sets, sorted."""
    monsters: tuple[tuple[Monster, ...], ...]
    """Built monsters, sorted."""
    frozen: tuple[Frost, ...]
    """In order of freezing."""
    revealed: tuple[int, ...]
    """Places turned over in this search."""
    found: bool
    """This search, with Prophet, has found a set with its first two cards."""
    set_found: bool
    """The player on turn has found a set in this turn and may therefore end it (M13-R6)."""
    prophet: bool
    """Prophet is in force for this search or the next one (M13-40)."""
    attacked: bool
    """The player on turn has attacked (M13-25)."""
    denied: tuple[str, ...]
    """Powers denied to the player on turn (M13-R10)."""
    frozen_this_turn: int
    battle: Battle | None
    finals: tuple[str, ...] | None
    """In the final round: who still has the own last turn, the one on turn first."""
    winners: tuple[str, ...]
    time: float


def new_turn(state: ThirteenMonstersState, phase: str, player: str) -> ThirteenMonstersState:
    """The start of a player's turn in a phase: nothing has been done in it."""
    return replace(
        state,
        phase=phase,
        turn=player,
        revealed=(),
        found=False,
        set_found=False,
        prophet=False,
        attacked=False,
        denied=(),
        frozen_this_turn=0,
    )


# --- what monsters are worth ------------------------------------------------------------------------------


def species(parts: Parts) -> Species:
    """What a monster is by how many of its sets belong together (M13-28 to M13-31)."""
    different = len(set(parts))
    if different == 1:
        return "thirteenth" if parts[0] == GHOST else "og"
    return "abomination" if different == 2 else "grunt"


def throws(parts: Parts, settings: ThirteenMonstersSettings) -> int:
    """Throws in a fight: 3, 4, 5 for one, two, three equal elements, 6 for the 13th Monster (M13-49)."""
    if species(parts) == "thirteenth":
        return 6
    return 6 - len({settings.elements[number - 1] for number in parts})


def health(monsters: tuple[Monster, ...]) -> int:
    """Health points of somebody's monsters; a spent 13th counts (M13-45, M13-61)."""
    return sum(HEALTH[species(monster.parts)] for monster in monsters)


def sets_of(parts: Parts) -> tuple[MonsterSet, MonsterSet, MonsterSet]:
    """The three sets of a monster."""
    top, eyes, bottom = parts
    return MonsterSet(top, 0), MonsterSet(eyes, 1), MonsterSet(bottom, 2)


def set_from(value: Any) -> MonsterSet:
    """The set that a checked JSON object names."""
    return MonsterSet(value["monster"], PARTS.index(value["part"]))


def set_as_json(one: MonsterSet) -> dict[str, Any]:
    """A set as a JSON object."""
    return {"monster": one.monster, "part": PARTS[one.layer]}


def parts_from(value: Any) -> Parts:
    """The parts that a checked JSON list names."""
    return cast(Parts, tuple(value))


def owner_of(state: ThirteenMonstersState, one: MonsterSet) -> int | None:
    """The seat that owns a set, loose or in a monster; None while its cards are on the field."""
    for seat, (loose, monsters) in enumerate(zip(state.sets, state.monsters, strict=True)):
        if one in loose or any(monster.parts[one.layer] == one.monster for monster in monsters):
            return seat
    return None


def owners(state: ThirteenMonstersState) -> dict[MonsterSet, int]:
    """All sets that somebody owns, with the seat."""
    owned = {one: seat for seat, loose in enumerate(state.sets) for one in loose}
    for seat, monsters in enumerate(state.monsters):
        for monster in monsters:
            for one in sets_of(monster.parts):
                owned[one] = seat
    return owned


ALL_SETS = tuple(MonsterSet(monster, layer) for monster in range(1, KINDS + 1) for layer in range(len(PARTS)))
"""The 39 sets of the game, sorted."""


# --- the fields of its events -----------------------------------------------------------------------------


def a_set(value: Any, setup: Setup) -> str | None:
    """{"monster", "part"}: a card of that set, or the set itself."""
    if not isinstance(value, dict):
        return "bad_field"
    monster, part = value.get("monster"), value.get("part")
    if not is_integer(monster) or not isinstance(part, str):
        return "bad_field"
    return None if 1 <= monster <= KINDS and part in PARTS else "unknown_card"


def some_sets(value: Any, setup: Setup) -> str | None:
    """A list of sets, perhaps an empty one."""
    if not isinstance(value, list):
        return "bad_field"
    codes = {a_set(one, setup) for one in value}
    return "bad_field" if "bad_field" in codes else "unknown_card" if "unknown_card" in codes else None


def some_parts(value: Any, setup: Setup) -> str | None:
    """[top, eyes, bottom]: three monster numbers."""
    good = isinstance(value, list) and len(value) == len(PARTS)
    good = good and all(is_integer(number) and 1 <= number <= KINDS for number in value)
    return None if good else "bad_field"


def some_monsters(value: Any, setup: Setup) -> str | None:
    """A list of [top, eyes, bottom]."""
    good = isinstance(value, list) and all(some_parts(one, setup) is None for one in value)
    return None if good else "bad_field"


def some_dice(value: Any, setup: Setup) -> str | None:
    """A list of integers; whether dice can show them is judged with the throw."""
    return None if isinstance(value, list) and all(map(is_integer, value)) else "bad_field"


def a_set_or_none(value: Any, setup: Setup) -> str | None:
    """A set, or null where it is declined."""
    return None if value is None else a_set(value, setup)


def a_power(value: Any, setup: Setup) -> str | None:
    """The name of a special power."""
    return None if isinstance(value, str) and value in POWERS else "bad_field"


def place_of(at: Any) -> int | None:
    """The place that [row, column] names, None if it is off the grid."""
    row, column = at
    return row * GRID + column if 0 <= row < GRID and 0 <= column < GRID else None


def place_as_json(place: int) -> list[int]:
    """A place as [row, column]."""
    return list(divmod(place, GRID))


a_field_place = a_place
"""[row, column]; a place off the grid has no card (`no_card`)."""
