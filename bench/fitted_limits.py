"""Limits of a reader as numbers with names, as a fit moves them, and as the file that is shipped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from bench.coordinate_search import FittedNumbers, TriedStep

Limits = TypeVar("Limits", bound=msgspec.Struct)


def numbers_of(limits: msgspec.Struct) -> dict[str, float]:
    """The limits of a struct of structs by their names, as `pips.contrast`."""
    parts = msgspec.to_builtins(limits).items()
    return {f"{part}.{name}": value for part, values in parts for name, value in values.items()}


def limits_of(numbers: Mapping[str, float], kind: type[Limits]) -> Limits:
    """The limits of numbers by their names.

    >>> from companion.vision.match.limits import SearchLimits, search_limits
    >>> limits_of(numbers_of(search_limits()), SearchLimits) == search_limits()
    True
    """
    parts: dict[str, dict[str, float]] = {}
    for name, value in numbers.items():
        part, own = name.split(".")
        parts.setdefault(part, {})[own] = value
    return msgspec.convert(parts, kind)


def write(
    file: Path,
    limits: msgspec.Struct,
    data: str,
    figures: Mapping[str, object],
    fitted: FittedNumbers,
    near: Mapping[str, Sequence[TriedStep]],
) -> None:
    """Writes the limits with the figures of their fit. Of each limit the costs at its neighbours are given:
    how much higher they are, `null` for a step that was clearly behind before all pictures were read."""
    fit = {
        "data": data,
        **figures,
        "cost": round(fitted.cost, 1),
        "cost_at_start": round(fitted.cost_at_start, 1),
        "neighbours": {
            name: {f"{one.value:g}": None if one.stopped else round(one.excess, 1) for one in steps}
            for name, steps in near.items()
        },
    }
    text = json.dumps({**msgspec.to_builtins(limits), "fit": fit}, indent=1)
    file.write_text(text + "\n", encoding="utf-8")
