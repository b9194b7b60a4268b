"""The table of Bugs & Co: what is in the box, house rules, the state of a game, what tiles are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from companion.core.errors import BadSetting
from companion.games.contract.fields import Setup, is_number
from companion.games.contract.number_words import CountingLanguage
from companion.games.contract.points import Points

SETS_OF = {1: 5, 2: 15, 3: 5}
"""Sets of three tiles of the monsters with so many eyes (BUGS-2)."""
REMOVED = 7
"""Tiles that go back to the box unseen (BUGS-7)."""
SAME = 3
"""Tiles of one symbol, and the points for all of them (BUGS-2, BUGS-21)."""
TROPHIES = (3, 3, 2, 2, 1)
"""All trophies (BUGS-3), used from six players on."""
FEW_TROPHIES = {2: (3,), 3: (3, 2), 4: (3, 2, 1), 5: (3, 2, 2, 1)}
"""Trophies used by two to five players (BUGS-5)."""
COUNT_FROM = 10


class BugsAndCoSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules of Bugs & Co."""

    extra_eyes: Literal[1, 3] = 1
    """Which monsters join the two-eyed ones with five or six players (BUGS-4)."""
    countdown: Literal["heard", "companion"] = "heard"
    """The players count aloud, or the companion counts (BUGS-18, BUGS-R4)."""
    countdown_step_s: float = 1.0
    """Seconds from one number of the companion's countdown to the next (BUGS-R4)."""
    language: CountingLanguage = "en"
    """In which the players count."""

    def __post_init__(self) -> None:
        if not (is_number(self.countdown_step_s) and self.countdown_step_s > 0):
            raise BadSetting("setting.countdown_step")


class BugsAndCoState(msgspec.Struct, frozen=True):
    """One game of Bugs & Co at one moment. Values per player are in seating order."""

    setup: Setup
    phase: str
    trophies: tuple[int, ...]
    """Still to be had, highest first."""
    trophy: tuple[int | None, ...]
    taken: tuple[int, ...]
    """Tiles in the keeping hands."""
    counted: tuple[dict[str, int] | None, ...]
    """The tiles of the players already counted."""
    countdown: int | None
    """The last number counted."""
    counting_since: float | None
    """When the companion said "ten": as the last trophy was taken. None after a `position`: the count goes on
    with the next event that has a time."""
    time: float


def eyes_in_play(players: int, extra: int) -> tuple[int, ...]:
    """The kinds of monsters in play, ascending (BUGS-4)."""
    if players <= 4:
        return (2,)
    return (1, 2, 3) if players >= 7 else tuple(sorted((2, extra)))


def sets_in_play(setup: Setup) -> int:
    """Sets of three tiles in play (BUGS-2, BUGS-4)."""
    return sum(SETS_OF[eyes] for eyes in eyes_in_play(len(setup.players), setup.settings.extra_eyes))


def tiles_in_play(setup: Setup) -> int:
    """Tiles on the table at the start (BUGS-7)."""
    return SAME * sets_in_play(setup) - REMOVED


def points(tiles: Mapping[str, int], trophy: int) -> int:
    """3 for three of a symbol, -1 for every other tile, and the trophy (BUGS-21 to BUGS-23, BUGS-R3)."""
    return sum(SAME * (n // SAME) - n % SAME for n in tiles.values()) + trophy


def tile_points(tiles: Mapping[str, int], view: Mapping[str, Any] | None, player: str) -> Points:
    """What a player's tiles are worth with the player's trophy, without entering them. Without a state
    (`view`) there is no trophy.

    Raises:
        KeyError: nobody of that name is at the table.
    """
    trophy = 0 if view is None else view["trophy"][player] or 0
    parts = {symbol: points({symbol: n}, 0) for symbol, n in tiles.items()}
    return Points(points(tiles, trophy), parts, trophy)


def together(state: BugsAndCoState) -> Counter[str]:
    """The tiles of all players already counted."""
    all_tiles: Counter[str] = Counter()
    for tiles in state.counted:
        all_tiles.update(tiles or {})
    return all_tiles
