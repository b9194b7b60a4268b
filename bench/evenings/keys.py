"""Compares events: what they say, without when it was; and two lists of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from bench.evenings.script import TIMES

Key = tuple[Hashable, ...]
LEFT_OUT = TIMES | {"side", "announced"}
"""Fields that do not tell events apart here."""
CLOCK = frozenset({"time_passed"})
"""Events of the clock alone."""


@dataclass(frozen=True)
class ComparedItem:
    """One event, or several `heard` in a row, which are one call."""

    key: Key
    numbers: tuple[int, ...]
    """Numbers of the entries, or indices of the true events."""
    event: Mapping[str, Any]
    """The latest of them."""


def key_of(event: Mapping[str, Any]) -> Key:
    """What the event says; equal for two events that mean the same."""
    fields = {name: value for name, value in event.items() if name not in LEFT_OUT | {"event"}}
    kind = str(event["event"])
    if kind == "card_placed" and isinstance(fields.get("card"), Mapping):
        card = fields["card"]
        if card.get("monster") == "joker":
            fields["card"] = {"monster": "joker"}
        else:
            fields.setdefault("column", card["monster"])
    if kind == "dice_thrown":
        # equal dice left lying or thrown again count the same: nobody has to say which it was
        fields["dice"] = sorted([*fields["dice"], *(fields.pop("kept", None) or [])])
    if kind == "accused":
        fields = {"by": sorted(fields["by"])}
    if kind == "heard":
        fields = {"words": tuple(str(word) for word in fields["words"])}
    return (kind, *((name, _frozen(value)) for name, value in sorted(fields.items()) if value is not None))


def _frozen(value: Any) -> Hashable:
    if isinstance(value, Mapping):
        return tuple((name, _frozen(one)) for name, one in sorted(value.items()) if name not in LEFT_OUT)
    if isinstance(value, list | tuple):
        return tuple(_frozen(one) for one in value)
    return value  # type: ignore[no-any-return]


def items(events: Sequence[tuple[int, Mapping[str, Any]]], countdown: bool = False) -> list[ComparedItem]:
    """The numbered events as items: without those of the clock, calls in one piece.

    `countdown`: what is heard counts down; it is left out, because only its end matters.
    """
    found: list[ComparedItem] = []
    for number, event in events:
        if event["event"] in CLOCK or event["event"] == "position":
            continue
        key = key_of(event)
        if event["event"] == "heard":
            words = dict([pair for pair in key[1:] if isinstance(pair, tuple)])["words"]
            before = found[-1] if found and found[-1].key[0] == "heard" else None
            if before is not None:
                found.pop()
                words = (*_words(before), *words)  # type: ignore[misc]
            shown: Key = ("heard", ("words", words))
            found.append(ComparedItem(shown, (*(before.numbers if before else ()), number), event))
            continue
        found.append(ComparedItem(key, (number,), event))
    if not countdown:
        return found
    # a countdown is told by its effect: words that are not the next number are passed over
    return [one for one in found if one.key[0] != "heard"]


def _words(item: ComparedItem) -> tuple[Hashable, ...]:
    pair = item.key[1]
    return pair[1] if isinstance(pair, tuple) else ()  # type: ignore[no-any-return]


@dataclass(frozen=True)
class EventDifference:
    """Where two lists differ: what should be there, and what is."""

    at: int
    wanted: tuple[ComparedItem, ...]
    found: tuple[ComparedItem, ...]

    @property
    def kind(self) -> str:
        """`missed`, `invented` or `misread`."""
        return "missed" if not self.found else "invented" if not self.wanted else "misread"


def differences(wanted: Sequence[ComparedItem], found: Sequence[ComparedItem]) -> list[EventDifference]:
    """The places at which the lists differ, first to last; `at` counts in `found`."""
    matcher = SequenceMatcher(None, [one.key for one in wanted], [one.key for one in found], autojunk=False)
    return [
        EventDifference(low, tuple(wanted[first:last]), tuple(found[low:high]))
        for kind, first, last, low, high in matcher.get_opcodes()
        if kind != "equal"
    ]
