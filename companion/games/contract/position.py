"""The event `position`: the state of the table, in the JSON form of a game's `view`.

It starts a game in the middle, corrects a count, or enters what the table agrees on against the rules. Every
game reads its own position. This module holds what they share: the event, and readers of checked JSON values.
An impossible value is rejected with `bad_position`.

    >>> whole(3, 1, 7)
    3
    >>> whole(True)
    Traceback (most recent call last):
    companion.core.errors.Rejected: bad_position
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from companion.core.errors import Rejected
from companion.core.events import agreement_of
from companion.core.sentence import Sentence
from companion.games.contract.fields import Event, EventKind, Field, Setup, a_time, identical, is_integer

T = TypeVar("T")
Shown = Mapping[str, Any]
"""A position in the JSON form of `Rulebook.view`."""


def an_object(value: Any, setup: Setup) -> str | None:
    """A JSON object."""
    return None if isinstance(value, dict) else "bad_field"


POSITION = EventKind(
    (Field("state", an_object), Field("t", a_time, required=False)),
    frozenset(),
    "How things stand on the table, by agreement; keys left out stay as they are.",
)
"""Part of every game, in every phase but `over`."""


def impossible() -> NoReturn:
    """Refuses the position.

    Raises:
        Rejected: `bad_position`, always.
    """
    raise Rejected("bad_position")


def require(holds: bool) -> None:
    """Refuses the position unless something holds.

    Raises:
        Rejected: `bad_position`.
    """
    if not holds:
        impossible()


def whole(value: Any, low: int = 0, high: int | None = None) -> int:
    """An integer from `low` to `high` (None: no bound).

    Raises:
        Rejected: `bad_position`.
    """
    if not is_integer(value) or value < low or (high is not None and value > high):
        impossible()
    return value


def flag(value: Any) -> bool:
    """true or false.

    Raises:
        Rejected: `bad_position`.
    """
    if not isinstance(value, bool):
        impossible()
    return value


def listed(value: Any) -> list[Any]:
    """A JSON list.

    Raises:
        Rejected: `bad_position`.
    """
    if not isinstance(value, list | tuple):
        impossible()
    return list(value)


def mapped(value: Any) -> dict[str, Any]:
    """A JSON object.

    Raises:
        Rejected: `bad_position`.
    """
    if not isinstance(value, Mapping):
        impossible()
    return dict(value)


def one_of(value: Any, values: Sequence[T]) -> T:
    """One of the values.

    Raises:
        Rejected: `bad_position`.
    """
    for known in values:
        if identical(known, value):
            return known
    impossible()


def a_seat(value: Any, setup: Setup) -> str:
    """The name of a player.

    Raises:
        Rejected: `bad_position`.
    """
    return one_of(value, setup.players)


def by_player(value: Any, setup: Setup, read: Callable[[Any], T]) -> tuple[T, ...]:
    """One value for each player, in seating order; exactly the players must be named.

    Raises:
        Rejected: `bad_position`, also from `read`.
    """
    values = mapped(value)
    require(values.keys() == set(setup.players))
    return tuple(read(values[player]) for player in setup.players)


def agrees(given: Shown, shown: Shown) -> bool:
    """Whether a position shows all that was given for it.

    Keys that the game does not know do not count. What follows from the rest of an object (a monster's health
    points) may be left out.
    """
    return all(_shows(shown[key], value) for key, value in given.items() if key in shown)


def _shows(shown: Any, given: Any) -> bool:
    if isinstance(given, Mapping) and isinstance(shown, Mapping):
        return all(key in shown and _shows(shown[key], value) for key, value in given.items())
    if isinstance(given, list | tuple) and isinstance(shown, list | tuple):
        return len(given) == len(shown) and all(map(_shows, shown, given))
    return identical(shown, given)


def position_sentence(event: Event) -> Sentence:
    """The table agreed how things stand, or to count a refused event."""
    about = agreement_of(event)
    if about is None:
        return Sentence("position")
    if not about.rule:
        return Sentence("agreed_without_rule", {"n": about.n})
    return Sentence("agreed", {"n": about.n, "rule": about.rule}, (about.rule,))
