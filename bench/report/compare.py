"""Compares two sets of results: what got worse beyond noise.

The noise of a difference is estimated from the two 95 % intervals by the square-and-add method (R. G.
Newcombe, 1998, for shares; G. Y. Zou and A. Donner, 2008, for other values): of the old interval the side
that faces the new value counts, and of the new interval the side that faces the old value. Times depend on
the machine: they are compared only between equal processors, and only a change above TIME_TOLERANCE counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from bench.report.results import MeasureResult

TIME_TOLERANCE = 0.25
"""A time may be worse by this share: other programs share the caches and the clock of the processor."""
TOLERANCE = 0.10
"""A value without an interval may be worse by this share."""


@dataclass(frozen=True)
class Deterioration:
    """A measure whose new value is worse than the old one beyond noise."""

    old: MeasureResult
    new: MeasureResult

    def __str__(self) -> str:
        return (
            f"{self.old.measure}: {self.old.value:g} -> {self.new.value:g} {self.old.unit} "
            f"(N {self.old.n} -> {self.new.n}, {self.old.commit} -> {self.new.commit})"
        )


def worse(old: Mapping[str, MeasureResult], new: Mapping[str, MeasureResult]) -> list[Deterioration]:
    """What got worse beyond noise, of the measures that have a value on both sides."""
    both = [(result, new[name]) for name, result in old.items() if name in new]
    return [Deterioration(before, after) for before, after in both if is_worse(before, after)]


def uncompared(old: Mapping[str, MeasureResult], new: Mapping[str, MeasureResult]) -> dict[str, str]:
    """Measures with an old value that cannot be compared, each with the reason."""
    found: dict[str, str] = {}
    for name, before in old.items():
        after = new.get(name)
        if before.value is None:
            continue
        if after is None or after.value is None:
            found[name] = (after.reason if after else "") or "no new result"
        elif before.time and _processor(before) != _processor(after):
            found[name] = "a time on another processor"
    return found


def is_worse(old: MeasureResult, new: MeasureResult) -> bool:
    """Whether the new value is worse than the old one beyond noise."""
    if old.value is None or new.value is None:
        return False
    if old.time and _processor(old) != _processor(new):
        return False
    loss = old.value - new.value if old.better == "higher" else new.value - old.value
    if loss <= 0:
        return False
    if old.time and loss <= TIME_TOLERANCE * abs(old.value):
        return False
    noise = _noise(old, new)
    return loss > (TOLERANCE * abs(old.value) if noise is None else noise)


def _noise(old: MeasureResult, new: MeasureResult) -> float | None:
    """Half the 95 % interval of the difference, towards no difference; None without intervals."""
    if old.value is None or old.low is None or old.high is None:
        return None
    if new.value is None or new.low is None or new.high is None:
        return None
    if old.better == "higher":
        return math.hypot(old.value - old.low, new.high - new.value)
    return math.hypot(old.high - old.value, new.value - new.low)


def _processor(result: MeasureResult) -> str:
    return result.machine.partition(",")[0]
