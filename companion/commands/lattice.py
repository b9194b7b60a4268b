"""`companion lattice`: reads the cards of a Trio Monsters table and their places."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands import deck_files, reports
from companion.commands.reports import Report

if TYPE_CHECKING:
    from companion.core.observations import LatticeCard


@click.command()
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True)
@click.option("--deck", "deck_name", required=True, help="A deck's name, or a path to its folder.")
@click.option(
    "--start", type=(float, float), metavar="X Y",
    help="A point in pixels on the start card, [0, 0]; default: see above.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each picture.")
def command(
    images: tuple[str, ...], deck_name: str, start: tuple[float, float] | None, as_json: bool
) -> None:
    """Read a Trio Monsters table in each picture: the card at every place of the triangular lattice.

    Places are [row, column]: rows grow downwards, columns to the right, row + column even points up. Rows are
    as horizontal in the picture as possible. A picture does not show which card was the start card: [0, 0]
    is the card pointing up nearest to the centre of the picture, or the one at --start. An unsure card is
    listed under `unsure` with the other card that it may be.
    """
    from companion.vision.image.picture import load_picture
    from companion.vision.lattice.read import read_lattice, templates_of_deck

    deck = deck_files.open_deck(deck_name)
    templates_of_deck(deck)

    def work(path: Path) -> Report:
        reading = read_lattice(load_picture(path), deck, start=start)
        return {
            "image": str(path),
            "cards": [_card(card) for card in reading.cards],
            "unsure": [_card(card) for card in reading.unsure],
        }

    reports.report_each(images, work, _readable, as_json)


def _card(card: LatticeCard) -> Report:
    return {
        "at": list(card.at),
        "card": card.card,
        **({} if card.other is None else {"other": card.other}),
        "confidence": round(card.confidence, 3),
        "corners": [list(corner) for corner in card.corners],
        "centre": [round(v, 1) for v in card.centre],
    }


def _readable(result: Report) -> str:
    """A table as text: a line for each card, the doubtful ones last."""
    lines = [f"{result['image']}: {len(result['cards'])} cards"]
    for kind in ("cards", "unsure"):
        for card in result[kind]:
            at = f"[{card['at'][0]}, {card['at'][1]}]"
            doubt = "" if kind == "cards" else "unsure: "
            either = f" or {card['other']}" if "other" in card else ""
            lines.append(f"  {doubt}{at:<9} {card['card']:<10} {card['confidence']:.2f}{either}")
    return "\n".join(lines)
