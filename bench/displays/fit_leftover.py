"""Fits from which area it is asked about what looks like cards and is none that was found: so that hardly a
covered card would not be asked about if it had not been found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.display.column_events import ColumnCards
from companion.vision.display.columns import left_over
from companion.vision.display.counting import CountedDisplay
from companion.vision.image.picture import Floats

RARE = 0.005
"""Share of the covered cards that nobody would be asked about."""


@dataclass(frozen=True)
class FittedLeftover:
    """What is left over in a display, as areas by that of a card: the largest if all cards of its columns are
    found, None if these are not all that were laid; and the largest if a covered end is not, for each column
    of several cards."""

    largest: float | None
    struck: tuple[float, ...]

    @staticmethod
    def of(display: CountedDisplay, cards: Sequence[ColumnCards], laid: int) -> FittedLeftover:
        """What is left over if these are the cards of the columns, and so many were laid."""
        columns = list(zip((one.column for one in display.columns), cards, strict=True))
        whole = [column.between(own.starts[0].at, own.end).quad for column, own in columns]
        right = sum(len(own.starts) for own in cards) == laid
        struck = [
            _largest(display, [*whole[:at], column.between(own.starts[1].at, own.end).quad, *whole[at + 1 :]])
            for at, (column, own) in enumerate(columns)
            if len(own.starts) > 1
        ]
        return FittedLeftover(_largest(display, whole) if right else None, tuple(struck))


def _largest(display: CountedDisplay, found: Sequence[Floats]) -> float:
    """The largest area that is left over beside what was found, by that of a card."""
    return max((one.area for one in left_over(display.maps, found, display.card_area)), default=0.0)


def fit_leftover(displays: Sequence[FittedLeftover]) -> tuple[float, dict[str, object]]:
    """The area from which somebody is asked, and the figures of the data it comes from.

    >>> fit_leftover([FittedLeftover(0.02, (0.1, 0.2)), FittedLeftover(None, (0.1,))])[0]
    0.1
    """
    right = [one.largest for one in displays if one.largest is not None]
    struck = [area for one in displays for area in one.struck]
    limit = round(float(np.quantile(struck, RARE)), 3)
    about: dict[str, object] = {
        "displays_counted_rightly": len(right),
        "leftover_asked_of_these": sum(area > limit for area in right),
        "covered_cards_struck_out": len(struck),
        "not_asked_of_these": sum(area <= limit for area in struck),
    }
    return limit, about
