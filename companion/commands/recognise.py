"""`companion recognise`: finds and names the cards in pictures."""

from __future__ import annotations

import time
from pathlib import Path

import click

from companion.commands import deck_files, reports
from companion.commands.reports import Report


@click.command()
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True)
@click.option("--deck", "deck_name", required=True, help="A deck's name, or a path to its folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each picture.")
def command(images: tuple[str, ...], deck_name: str, as_json: bool) -> None:
    """Find and name the cards of a deck in pictures, also partly covered ones, or the symbols on tiles."""
    from companion.vision.cards.recognise import recognise
    from companion.vision.image.picture import load_picture
    from companion.vision.tiles.read import read_symbols

    deck = deck_files.open_deck(deck_name)
    deck_files.note_triangles(deck)

    def work(path: Path) -> Report:
        image = load_picture(path)
        begun = time.perf_counter()
        if deck.symbols is None:
            reading = recognise(image, deck)
            cards, unknown = reading.cards, reading.unknown
        else:
            symbols = read_symbols(image, deck)
            cards, unknown = symbols.cards, len(symbols.unidentified)
        return {
            "image": str(path),
            "cards": [reports.card_object(card) for card in cards],
            "unknown": unknown,
            "ms": round((time.perf_counter() - begun) * 1000.0, 1),
        }

    reports.report_each(images, work, _readable, as_json)


def _readable(result: Report) -> str:
    """The cards of one picture as text."""
    lines = [f"{result['image']}: {len(result['cards'])} cards, {result['unknown']} unknown"]
    for card in result["cards"]:
        x, y = card["centre"]
        lines.append(f"  {card['label']:<20} {card['confidence']:4.0%} at {x:.0f}, {y:.0f}")
    return "\n".join(lines)
