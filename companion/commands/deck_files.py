"""Finds the deck that a command names: by its name, or by a path to its folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.data_folder import data_folder
from companion.core.errors import UsageError
from companion.host.deck_library import SHIPPED

if TYPE_CHECKING:
    from companion.vision.deck.deck import Deck


def enrolled_decks() -> Path:
    """The folder of the owner's decks."""
    return data_folder().decks


def deck_folder(name: str) -> Path:
    """The folder of a deck to be written: DECK is a path if it looks like one, otherwise a name."""
    if not name.strip():
        raise UsageError("deck.no_name")
    decks = enrolled_decks()
    if os.sep in name or name.startswith((".", "~")):
        return Path(name).expanduser()
    return decks / name


def open_deck(name: str) -> Deck:
    """The deck of that name (the owner's, then one that came with the companion) or at that path."""
    from companion.vision.deck.deck import Deck
    from companion.vision.deck.header import FILE

    if not name.strip():
        raise UsageError("deck.no_option_name")
    if os.sep not in name:
        for folder in (enrolled_decks() / name, SHIPPED / name):
            if (folder / FILE).is_file():
                return Deck.load(folder)
    path = Path(name).expanduser()
    if path.exists():
        return Deck.load(path)
    raise UsageError("deck.unknown_of", name=name, decks=", ".join(known_decks()) or "none yet")


def note_triangles(deck: Deck) -> None:
    """Names on standard error the command that reads triangular cards, if the deck has them."""
    if deck.triangles is not None:
        click.echo(
            f"note: {deck.name} has triangular cards: `companion lattice` reads a table of them", err=True
        )


def known_decks() -> list[str]:
    """The names of all decks that can be opened by name."""
    folders = [f for base in (enrolled_decks(), SHIPPED) if base.is_dir() for f in base.iterdir()]
    return sorted({f.name for f in folders if (f / "deck.npz").is_file()})
