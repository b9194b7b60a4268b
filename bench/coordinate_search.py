"""Fits numbers one after the other: each is moved by a step, and stays there if that costs less.

A reader with many limits has no cost that could be differentiated: a picture is read rightly, wrongly or not
at all. So each limit is tried a little smaller and a little larger on the same pictures. A step is kept only
if it saves more than a margin; otherwise the fit would follow single pictures. Hardly a step saves anything,
so pictures that cost most come first, and a step is given up once it is clearly behind, or could not save
enough any more even if all pictures that are left cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Picture = TypeVar("Picture")
Numbers = Mapping[str, float]
"""The numbers to fit by their names. Whole numbers (int) stay whole."""
FACTORS = (0.8, 1.25)
"""By what a number is multiplied to get its neighbours."""


@dataclass(frozen=True)
class TriedStep:
    """A neighbour of a number, and by how much its total cost is higher; `stopped`: on the pictures up to the
    one after which it was given up."""

    value: float
    excess: float
    stopped: bool


@dataclass(frozen=True)
class FittedNumbers:
    """The numbers, their cost, that of the start, and how often all numbers were tried; `settled`: whether
    none was moved the last time."""

    values: Numbers
    cost: float
    cost_at_start: float
    passes: int
    settled: bool


@dataclass
class CoordinateSearch(Generic[Picture]):
    """`cost` of a picture with some numbers; `margin`: what a step must save in total to be kept; `behind`:
    how much more than before a step may cost so far before it is given up; `said` is told each step that is
    kept. What a picture costs with the same numbers is asked once."""

    cost: Callable[[Numbers, Picture], float]
    pictures: Sequence[Picture]
    margin: float
    behind: float
    said: Callable[[str], None] = field(default=lambda text: None)
    _known: dict[tuple[int, tuple[tuple[str, float], ...]], float] = field(default_factory=dict, init=False)

    def fit(self, start: Numbers, passes: int, names: Sequence[str]) -> FittedNumbers:
        """Tries some of the numbers in turn, until none moves any more, at most for so many passes."""
        best = _Priced.of(self, start)
        before, done, settled = best.total, 0, False
        while done < passes and not settled:
            done, settled = done + 1, True
            for name in names:
                moved = self._moved(name, best)
                settled &= moved is best
                best = moved
        return FittedNumbers(best.numbers, best.total, before, done, settled)

    def neighbours(
        self, numbers: Numbers, names: Sequence[str], every: int = 1
    ) -> dict[str, list[TriedStep]]:
        """What some of the numbers cost a step below and above: on each `every`-th picture, the dearest
        first, up to where a step is clearly behind."""
        dearest = _Priced.of(self, numbers)
        best = _Priced(numbers, dearest.pictures[::every], dearest.costs[::every])
        found = dict[str, list[TriedStep]]()
        for name in names:
            found[name] = []
            for value in neighbours(numbers[name]):
                costs = self._try({**numbers, name: value}, best, -math.inf)
                excess = sum(costs) - sum(best.costs[: len(costs)])
                found[name].append(TriedStep(value, excess, len(costs) < len(best.costs)))
        return found

    def cost_of(self, numbers: Numbers, picture: Picture) -> float:
        """What a picture costs with some numbers."""
        key = (id(picture), tuple(numbers.items()))
        if key not in self._known:
            self._known[key] = self.cost(numbers, picture)
        return self._known[key]

    def _moved(self, name: str, best: _Priced[Picture]) -> _Priced[Picture]:
        """The numbers with one of them moved as far as it gets cheaper."""
        known = {best.numbers[name]}
        while True:
            cheapest = best
            for value in neighbours(best.numbers[name]):
                if value in known:
                    continue
                known.add(value)
                numbers = {**best.numbers, name: value}
                costs = self._try(numbers, best, self.margin)
                if len(costs) == len(best.costs) and sum(costs) < min(
                    best.total - self.margin, cheapest.total
                ):
                    cheapest = _Priced.in_order(numbers, best.pictures, costs)
            if cheapest is best:
                return best
            change = f"{best.numbers[name]:g} -> {cheapest.numbers[name]:g}"
            self.said(f"{name}: {change}, cost {best.total:.1f} -> {cheapest.total:.1f}")
            best = cheapest

    def _try(self, numbers: Numbers, best: _Priced[Picture], margin: float) -> list[float]:
        """The cost of each picture, up to the one after which these numbers are clearly behind, or cannot
        save the margin any more."""
        costs: list[float] = []
        excess, left = 0.0, best.total
        for one, least in zip(best.pictures, best.costs, strict=True):
            costs.append(self.cost_of(numbers, one))
            excess, left = excess + costs[-1] - least, left - least
            if excess > self.behind or excess - left > -margin:
                break
        return costs


@dataclass(frozen=True)
class _Priced(Generic[Picture]):
    """Numbers and what each picture costs with them, the dearest picture first."""

    numbers: Numbers
    pictures: Sequence[Picture]
    costs: Sequence[float]

    @property
    def total(self) -> float:
        return sum(self.costs)

    @staticmethod
    def of(search: CoordinateSearch[Picture], numbers: Numbers) -> _Priced[Picture]:
        """All pictures with these numbers."""
        return _Priced.in_order(
            numbers, search.pictures, [search.cost_of(numbers, one) for one in search.pictures]
        )

    @staticmethod
    def in_order(numbers: Numbers, pictures: Sequence[Picture], costs: Sequence[float]) -> _Priced[Picture]:
        """The dearest picture first."""
        order = sorted(range(len(costs)), key=lambda k: -costs[k])
        return _Priced(numbers, [pictures[k] for k in order], [costs[k] for k in order])


def neighbours(value: float) -> tuple[float, ...]:
    """The values that are tried beside one: a fifth less and a quarter more, rounded to three digits; of a
    whole number the two next to it.

    >>> neighbours(0.3), neighbours(2)
    ((0.24, 0.375), (1, 3))
    """
    if isinstance(value, int):
        return (value - 1, value + 1)
    return tuple(rounded(value * factor) for factor in FACTORS)


def rounded(value: float) -> float:
    """The number with three digits.

    >>> rounded(0.123456), rounded(-4321.0)
    (0.123, -4320.0)
    """
    return round(value, 2 - math.floor(math.log10(abs(value)))) if value else 0.0
