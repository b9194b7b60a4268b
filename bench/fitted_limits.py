"""Limits of a reader as numbers with names, as a fit moves them, and as the file that is shipped; and what
the commands that fit limits have in common."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from bench.coordinate_search import CoordinateSearch, FittedNumbers, Numbers, TriedStep

Limits = TypeVar("Limits", bound=msgspec.Struct)
Picture = TypeVar("Picture")


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


@dataclass(frozen=True)
class FittedLimits(Generic[Limits]):
    """Limits as a fit left them, its figures, and what the values beside the fitted ones cost."""

    limits: Limits
    numbers: FittedNumbers
    near: Mapping[str, Sequence[TriedStep]]

    def write(self, file: Path, data: str, figures: Mapping[str, object]) -> None:
        """Writes the file that is shipped: see `write`."""
        write(file, self.limits, data, figures, self.numbers, self.near)


@dataclass(frozen=True)
class LimitsFit(Generic[Picture]):
    """How limits are fitted: `cost`, `pictures`, `margin` and `behind` are those of a CoordinateSearch, which
    says each step that it keeps. What the limits beside the fitted ones cost is measured on each `sample`-th
    picture; 0: not at all."""

    cost: Callable[[Numbers, Picture], float]
    pictures: Sequence[Picture]
    margin: float
    behind: float
    sample: int

    def run(
        self, start: Limits, names: Sequence[str], passes: int, beside: Sequence[str] | None = None
    ) -> FittedLimits[Limits]:
        """Fits the limits of these names; `beside`: those whose neighbours are measured, if not the same."""
        search = CoordinateSearch(self.cost, self.pictures, self.margin, self.behind, _say)
        fitted = search.fit(numbers_of(start), passes, names)
        chosen = names if beside is None else beside
        near = search.neighbours(fitted.values, chosen, self.sample) if self.sample else {}
        return FittedLimits(limits_of(fitted.values, type(start)), fitted, near)


def names_of(
    limits: msgspec.Struct, only: Sequence[str], left_out: tuple[str, ...] = (), parts: Sequence[str] = ("",)
) -> list[str]:
    """The limits whose names begin with one of `only` and with none of `left_out`, one part after the other.

    >>> from companion.vision.match.limits import search_limits
    >>> names_of(search_limits(), ["outlines.", "ends.clear"], ("outlines.most",), ["ends", "outlines"])
    ['ends.clear_cost', 'ends.clear_margin', 'outlines.smallest', 'outlines.largest', 'outlines.changed']
    """
    kept = [name for name in numbers_of(limits) if not name.startswith(left_out)]
    return [name for part in parts for name in kept if name.startswith(part) and name.startswith(tuple(only))]


def limits_parser(fit: str, file: Path, passes: int = 1) -> argparse.ArgumentParser:
    """The options that all commands have which fit limits: `fit` is what follows `--fit`, `file` the one that
    is written, `passes` how often all limits are tried, if nothing else is asked for."""
    parser = argparse.ArgumentParser(prog=f"python -m bench --fit {fit}")
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="NAME", help="limits whose names begin so, as PART.LIMIT"
    )
    parser.add_argument(
        "--passes", type=int, default=passes, help="how often all limits are tried, at most; 0: only measured"
    )
    parser.add_argument("--to", type=Path, default=file, metavar="FILE", help="file that is written")
    return parser


def _say(text: str) -> None:
    print(text, flush=True)
