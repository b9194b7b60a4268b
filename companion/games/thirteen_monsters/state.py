"""The table of 13 Monsters: house rules, fights, the state of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from companion.core.errors import BadSetting
from companion.games.contract.fields import Setup
from companion.games.thirteen_monsters.sets import KINDS, Monster, Parts, sets_of_all, species

GRID = 9
"""Rows and columns of the field (M13-3)."""
CARDS = 78
DICE = 5
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


class Frost(NamedTuple):
    """A die on a card (M13-34)."""

    place: int
    player: str


class Battle(msgspec.Struct, frozen=True):
    """An attack or a Death Battle. Values per fighter are in the order of `players`."""

    players: tuple[str, ...]
    """Attacker and defender; in a Death Battle those who are tied, in seating order."""
    target: int | None
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
    unfound: int
    """The sets that nobody owns, as a mask (companion.games.thirteen_monsters.sets): their cards lie on the
    field."""
    field: bytes
    """What is known of each place (companion.games.thirteen_monsters.field)."""
    must_build: tuple[str, ...]
    """Who has to choose the sets of a monster now, in seating order (M13-R2): follows from `sets`."""
    sets: tuple[int, ...]
    """Loose sets, as masks."""
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

    @property
    def cards_left(self) -> int:
        """Cards on the field."""
        return 2 * self.unfound.bit_count()


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


def throws(parts: Parts, settings: ThirteenMonstersSettings) -> int:
    """Throws in a fight: 3, 4, 5 for one, two, three equal elements, 6 for the 13th Monster (M13-49)."""
    if species(parts) == "thirteenth":
        return 6
    return 6 - len({settings.elements[number - 1] for number in parts})


def owner_of(state: ThirteenMonstersState, one: int) -> int | None:
    """The seat that owns a set, loose or in a monster; None while its cards are on the field."""
    bit = 1 << one
    if state.unfound & bit:
        return None
    for seat, (loose, monsters) in enumerate(zip(state.sets, state.monsters, strict=True)):
        if (loose | sets_of_all(monsters)) & bit:
            return seat
    return None


def place_of(at: Sequence[int]) -> int | None:
    """The place that [row, column] names, None if it is off the grid."""
    row, column = at
    return row * GRID + column if 0 <= row < GRID and 0 <= column < GRID else None


def place_as_json(place: int) -> list[int]:
    """A place as [row, column]."""
    return list(divmod(place, GRID))
