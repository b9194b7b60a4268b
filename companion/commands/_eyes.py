"""What the commands of the eyes share: finding a deck, and reporting several pictures one after the other."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.errors import CompanionError, UsageError
from companion.host.deck_library import SHIPPED
from companion.store.folder import DataFolder, default_folder

if TYPE_CHECKING:
    from companion.core.observations import Sighting
    from companion.vision.deck.check import DeckCheck
    from companion.vision.deck.deck import Deck


def enrolled_decks() -> Path:
    """The folder of the owner's decks."""
    return DataFolder(default_folder(os.environ)).decks


def deck_folder(name: str) -> Path:
    """Where a deck that is to be written lies: DECK is a path if it looks like one, otherwise a name."""
    if not name.strip():
        raise UsageError("the deck needs a name, or a path to its folder")
    if os.sep in name or name.startswith((".", "~")):
        return Path(name).expanduser()
    return enrolled_decks() / name


def open_deck(name: str) -> Deck:
    """The deck of that name (the owner's, then one that came with the companion) or at that path."""
    from companion.vision.deck.deck import Deck
    from companion.vision.deck.header import FILE

    if not name.strip():
        raise UsageError("--deck needs a name, or a path to a deck's folder")
    if os.sep not in name:
        for folder in (enrolled_decks() / name, SHIPPED / name):
            if (folder / FILE).is_file():
                return Deck.load(folder)
    path = Path(name).expanduser()
    if path.exists():
        return Deck.load(path)
    raise UsageError(
        f"there is no deck {name!r}; enrol it with `companion enrol {name} --from DIR`, "
        f"or name one of {', '.join(known_decks()) or 'none yet'}"
    )


def note_triangles(deck: Deck) -> None:
    """Says on standard error what reads triangular cards, where they are looked for one by one."""
    if deck.triangles is not None:
        click.echo(
            f"note: {deck.name} has triangular cards: `companion lattice` reads a table of them", err=True
        )


def known_decks() -> list[str]:
    """The names of all decks that can be opened by name."""
    folders = [f for base in (enrolled_decks(), SHIPPED) if base.is_dir() for f in base.iterdir()]
    return sorted({f.name for f in folders if (f / "deck.npz").is_file()})


def each(files: Iterable[str], work: Callable[[Path], dict[str, Any]], show: Callable[[dict[str, Any]], str],
         as_json: bool) -> None:  # fmt: skip
    """Reports every file, one JSON object or text each. One that cannot be read is reported on standard
    error and does not stop the others; at the end the last such error is raised."""
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


def card_object(card: Sighting) -> dict[str, Any]:
    """A recognised card as JSON."""
    return {
        "label": card.label,
        "confidence": round(card.confidence, 3),
        "corners": [[round(x, 1), round(y, 1)] for x, y in card.corners],
        "centre": [round(v, 1) for v in card.centre],
    }


def check_object(check: DeckCheck) -> dict[str, Any]:
    """What is wrong with a deck as JSON."""
    return {
        "alike": [[pair.first, pair.second, pair.cost] for pair in check.alike],
        "misread": [[one.label, one.look, one.other] for one in check.misread],
        "plain": list(check.plain),
        "missing": list(check.missing),
        "strange": [[label, meant] for label, meant in check.strange],
    }
