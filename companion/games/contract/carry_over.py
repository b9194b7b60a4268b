"""An event carried over to a corrected game: its effect at the table is applied to another state.

The effect is the difference between two views of the table, before and after the event. It is merged into a
third view as version control merges texts: what only one side changed is taken from that side, counts add up,
lists gain and lose what the event brought and took.

    >>> merged({"won": {"Ida": 2}, "turn": "Ida"}, {"won": {"Ida": 6}, "turn": "Jo"},
    ...        {"won": {"Ida": 0}, "turn": "Ida"})
    {'won': {'Ida': 4}, 'turn': 'Jo'}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract.fields import identical, is_integer


def merged(before: Any, after: Any, other: Any) -> Any:
    """`other` with the effect of the event that led from `before` to `after`.

    Where all three differ and no merge is possible (names, flags), `after` is taken.
    """
    if identical(before, after):
        return other
    if identical(before, other):
        return after
    if isinstance(before, Mapping) and isinstance(after, Mapping) and isinstance(other, Mapping):
        return _objects(before, after, other)
    if isinstance(before, list) and isinstance(after, list) and isinstance(other, list):
        return _lists(before, after, other)
    if is_integer(before) and is_integer(after) and is_integer(other):
        return other + after - before
    return after


def _objects(before: Mapping[str, Any], after: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Key by key, in the order of `other`, then what the event added."""
    found: dict[str, Any] = {}
    for key in [*other, *(key for key in after if key not in other)]:
        if key in before and key in after and key in other:
            found[key] = merged(before[key], after[key], other[key])
        elif key in after and (key not in before or key in other):
            found[key] = after[key]
        elif key in other and key not in before:
            found[key] = other[key]
    return found


def _lists(before: list[Any], after: list[Any], other: list[Any]) -> list[Any]:
    """Without what the event took away, with what it added at the end."""
    taken, added = list(before), []
    for one in after:
        if one in taken:
            taken.remove(one)
        else:
            added.append(one)
    kept = []
    for one in other:
        if one in taken:
            taken.remove(one)
        else:
            kept.append(one)
    return kept + added
