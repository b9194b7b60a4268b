"""`companion watch`: lists the cards that land in a video, with their times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands import deck_files
from companion.commands.reports import Report

if TYPE_CHECKING:
    from companion.core.observations import Landing


@click.command()
@click.argument("video", metavar="VIDEO")
@click.option("--deck", "deck_name", required=True, help="A deck's name, or a path to its folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each landing.")
def command(video: str, deck_name: str, as_json: bool) -> None:
    """Report each card that lands in a video, with its time."""
    from companion.vision.tracking.video import landings

    deck = deck_files.open_deck(deck_name)
    deck_files.note_triangles(deck)
    for landing in landings(Path(video), deck):
        found = _object(landing)
        click.echo(json.dumps(found, ensure_ascii=False) if as_json else _readable(found))


def _object(landing: Landing) -> Report:
    """A landing as JSON; label and confidence are null for a card that could not be named."""
    card = landing.sighting
    return {
        "t": round(landing.t, 3),
        "label": None if card is None else card.label,
        "confidence": None if card is None else round(card.confidence, 3),
        "corners": None if card is None else [[round(x, 1), round(y, 1)] for x, y in card.corners],
    }


def _readable(found: Report) -> str:
    """A landing as text."""
    if found["label"] is None:
        return f"{found['t']:8.2f} s  a card that is none of the deck"
    (x, y), (u, v) = found["corners"][0], found["corners"][2]
    at = f"{(x + u) / 2:.0f}, {(y + v) / 2:.0f}"
    return f"{found['t']:8.2f} s  {found['label']:<20} {found['confidence']:4.0%} at {at}"
