"""Output of the commands that read pictures: one result a file, cards and deck checks as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from companion.core.observations import Sighting
    from companion.vision.deck.check import DeckReport


Report = dict[str, Any]
"""The JSON object that a command prints with `--json` for one file or recording."""


def report_each(
    files: Iterable[str],
    work: Callable[[Path], Report],
    show: Callable[[Report], str],
    as_json: bool,
) -> None:
    """Prints the result of every file, as one JSON object a line or as text.

    Args:
        work: makes the result of one file.
        show: the result as text.

    Raises:
        CompanionError: at the end, the error of the last file that could not be read; those of others are
            printed on standard error and do not stop the rest.
    """
    failures: list[CompanionError] = []
    for file in files:
        try:
            result = work(Path(file))
        except CompanionError as error:
            if failures:
                click.echo(f"companion: {failures[-1]}", err=True)
            failures.append(error)
            continue
        click.echo(json.dumps(result, ensure_ascii=False) if as_json else show(result))
    if failures:
        raise failures[-1]


def corners_object(corners: Iterable[tuple[float, float]]) -> list[list[float]]:
    """Corners in pixels as JSON."""
    return [[round(x, 1), round(y, 1)] for x, y in corners]


def card_object(card: Sighting) -> Report:
    """A recognised card as JSON."""
    return {
        "label": card.label,
        "confidence": round(card.confidence, 3),
        "corners": corners_object(card.corners),
        "centre": [round(v, 1) for v in card.centre],
    }


def check_object(check: DeckReport) -> Report:
    """The check of a deck as JSON."""
    return {
        "alike": [[pair.first, pair.second, pair.cost] for pair in check.alike],
        "misread": [[one.label, one.look, one.other] for one in check.misread],
        "plain": list(check.plain),
        "missing": list(check.missing),
        "strange": [[label, meant] for label, meant in check.strange],
        "without_detail": list(check.without_detail),
    }
