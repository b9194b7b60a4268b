"""`companion score`: counts the points of photographed displays and tiles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands import deck_files, reports
from companion.commands.reports import Report
from companion.core.errors import UsageError
from companion.games import games, known_game
from companion.games.game import Game

if TYPE_CHECKING:
    from companion.core.message import Message
    from companion.vision.deck.deck import Deck
    from companion.vision.tiles.read import TilesReading


@click.command()
@click.argument("game")
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True)
@click.option("--deck", "deck_name", required=True, help="A deck's name, or a path to its folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each picture.")
def command(game: str, images: tuple[str, ...], deck_name: str, as_json: bool) -> None:
    """Score the display or the tiles of GAME in each picture. Without a score where something is unsure.

    With --json, `unsure` lists the places that must be looked at, each with `corners` (pixels of the
    picture), `likely` (labels that may lie there, likeliest first) and `reason`; of a display also `column`
    (the monster of the column that the place belongs to) and `counted` (whether a card was counted there).
    `score` is null while `unsure` is not empty. An open score is a result: the exit status is 0.
    """
    known = known_game(game)
    reader = None if known is None else _READERS.get(known.photographed)
    if reader is None or known is None:
        scored = tuple(one.name for one in games() if one.photographed in _READERS)
        raise UsageError("photo.not_scored_of", game=game, games=scored)
    reports.report_each(images, reader(deck_files.open_deck(deck_name), known), _readable, as_json)


def _columns(deck: Deck, game: Game) -> Callable[[Path], Report]:
    """Reads a display of columns."""
    from companion.vision.display.read import read_display
    from companion.vision.image.picture import load_picture

    def work(path: Path) -> Report:
        reading = read_display(load_picture(path), deck, game.joker)
        return {
            "image": str(path),
            "columns": reading.display,
            "score": None if reading.unsure else game.points_of_display(reading.display),
            "unsure": [
                {
                    "corners": reports.corners_object(place.corners),
                    "likely": list(place.likely),
                    "column": place.column,
                    "counted": place.card is not None,
                    "reason": str(place.reason),
                }
                for place in reading.unsure
            ],
            "cards": [
                {**reports.card_object(card), "column": monster}
                for card, monster in zip(reading.cards, reading.monsters, strict=True)
            ],
        }

    return work


def _tiles(deck: Deck, game: Game) -> Callable[[Path], Report]:
    """Reads a player's tiles; a trophy is no tile and is not counted."""
    from companion.vision.image.picture import load_picture
    from companion.vision.tiles.read import read_tiles

    def work(path: Path) -> Report:
        reading = read_tiles(load_picture(path), deck, game.most_copies)
        return {
            "image": str(path),
            "tiles": reading.tiles,
            "score": None if reading.unsure else game.points_of_tiles(reading.tiles),
            "unsure": [_unsure_tile(reading, one) for one in reading.unsure],
            "cards": [reports.card_object(card) for card in reading.cards],
        }

    return work


def _unsure_tile(reading: TilesReading, reason: Message) -> Report:
    """What is unsure about tiles: a place, or without corners something about all of them."""
    doubt = next((one for one in reading.doubts if one.message == reason), None)
    if doubt is None:
        return {"corners": [], "likely": [], "reason": str(reason)}
    (x, y), r = doubt.centre, doubt.radius
    box = ((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r))
    likely = [] if doubt.like is None else [doubt.like]
    return {"corners": reports.corners_object(box), "likely": likely, "reason": str(reason)}


_READERS = {"display": _columns, "tiles": _tiles}
"""What is photographed (`Game.photographed`) -> its reader."""


def _readable(result: Report) -> str:
    """A display as text: its columns or tiles, its score or the doubts that prevent one."""
    score = "not sure" if result["score"] is None else _counted(result["score"], "point")
    lines = [f"{result['image']}: {score}"]
    lines += [f"  {symbol:<12} {_counted(n, 'tile')}" for symbol, n in result.get("tiles", {}).items()]
    for monster, column in result.get("columns", {}).items():
        jokers = f", of them {_counted(column['jokers'], 'joker')}" if column["jokers"] else ""
        lines.append(f"  {monster:<12} {_counted(column['cards'], 'card')}{jokers}")
    for place in result["unsure"]:
        likely = f" ({' or '.join(place['likely'])}?)" if place["likely"] else ""
        lines.append(f"  unsure: {place['reason']}{likely}")
    return "\n".join(lines)


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
