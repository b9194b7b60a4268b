"""`companion deck check`, `mend`, `share` and `add`: maintenance of enrolled decks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands import deck_files, reports
from companion.commands.reports import Report
from companion.core.errors import UsageError

if TYPE_CHECKING:
    from companion.vision.deck.deck import Deck
    from companion.vision.deck.labels import Template


@click.command("check")
@click.argument("deck")
@click.option("--game", help="Game of these cards; default: found by the name of DECK or by the labels.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def check(deck: str, game: str | None, as_json: bool) -> None:
    """Check DECK: each picture of a card is compared with those of all other cards.

    Reports cards that look too much alike, pictures that match another card better than their own, cards
    with too few features to be recognised when partly covered, and cards of the game that are missing.
    """
    from companion.vision.deck.check import check_deck as look_over

    found = deck_files.open_deck(deck)
    template = _template(game, found)
    result = look_over(found, template)
    about = {
        "deck": found.name,
        "game": template.game if template else None,
        "cards": len(found.names),
        "looks": len(found.labels),
        **reports.check_object(result),
        "notes": [str(note) for note in result.notes()],
    }
    if as_json:
        click.echo(json.dumps(about, ensure_ascii=False))
        return
    click.echo(f"{found.name}: {about['cards']} cards, {about['looks']} looks")
    for note in result.notes():
        click.echo(f"  {note}")
    if not result.notes():
        click.echo("  nothing to put right")


@click.command("mend")
@click.argument("deck")
@click.option("--drop", "drops", multiple=True, metavar="LABEL[~N]", help="Remove a card, or its picture N.")
@click.option("--rename", "renames", nargs=2, multiple=True, metavar="OLD NEW", help="Rename a card.")
@click.option(
    "--add", "adds", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
    help="Add a picture, named <label>.png or <label>~2.png.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def mend(
    deck: str,
    drops: tuple[str, ...],
    renames: tuple[tuple[str, str], ...],
    adds: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Edit DECK: cards are removed, then renamed, then pictures are added. An error changes nothing."""
    if not (drops or renames or adds):
        raise UsageError("deck.no_change_named")
    mended = deck_files.open_deck(deck)
    mended = _dropped(mended, drops)
    for old, new in renames:
        from companion.vision.deck.edit import rename

        mended = rename(mended, old, new)
    if adds:
        mended = _added(mended, adds)
    file = mended.save(writable_folder(deck))
    cards, looks = len(mended.names), len(mended.labels)
    result = {"deck": mended.name, "file": str(file), "cards": cards, "looks": looks}
    _print_result(result, f"{mended.name}: now {cards} cards, {looks} looks, {file}", as_json)


@click.command("share")
@click.argument("deck")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def share(deck: str, out: Path, as_json: bool) -> None:
    """Write DECK to one file for another table, without pictures. `companion deck add` reads it."""
    from companion.commands.atomic_file import write_file
    from companion.vision.deck.archive import SUFFIX, pack_deck

    found = deck_files.open_deck(deck)
    template = _template(None, found)
    target = out if out.suffix == SUFFIX else out.with_name(out.name + SUFFIX)
    data = pack_deck(found, template.game if template else None)
    write_file(target, data)
    cards = len(found.names)
    result = {"deck": found.name, "file": str(target), "cards": cards, "bytes": len(data)}
    _print_result(result, f"{found.name}: {cards} cards in {target}, {len(data) / 1e6:.1f} MB", as_json)


@click.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "name", help="Name of the deck; default: its own.")
@click.option("--replace", is_flag=True, help="Replace a deck that already has this name.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def add(file: Path, name: str | None, replace: bool, as_json: bool) -> None:
    """Add a deck that `companion deck share` has written."""
    import dataclasses

    from companion.vision.deck.archive import unpack_deck

    found, game = unpack_deck(file)
    kept = _plain_name(name if name is not None else found.name)
    folder = deck_files.enrolled_decks() / kept
    if (folder / "deck.npz").exists() and not replace:
        raise UsageError("deck.exists", path=kept)
    target = dataclasses.replace(found, name=kept).save(folder)
    result = {"deck": kept, "file": str(target), "game": game, "cards": len(found.names)}
    _print_result(result, f"{kept}: {len(found.names)} cards, {target}", as_json)


def _dropped(deck: Deck, drops: tuple[str, ...]) -> Deck:
    """The deck without these looks; the last is dropped first, so that the numbers of the others stay
    valid."""
    from companion.vision.deck.edit import remove

    asked = []
    for drop in drops:
        label, mark, number = drop.rpartition("~")
        if mark and not number.isdigit():
            raise UsageError("deck.bad_look", name=drop)
        asked.append((label, int(number)) if mark else (drop, 0))
    for label, look in sorted(set(asked), key=lambda one: -one[1]):
        deck = remove(deck, label, look or None)
    return deck


def _added(deck: Deck, files: tuple[Path, ...]) -> Deck:
    from companion.vision.deck.edit import add_looks, valid_label
    from companion.vision.deck.enrol import label_from_file
    from companion.vision.deck.outline import card_outline
    from companion.vision.image.picture import load_picture

    labels = [valid_label(label_from_file(file)) for file in files]
    images = [load_picture(file) for file in files]
    quads = [card_outline(image, deck.aspect, str(file)) for image, file in zip(images, files, strict=True)]
    return add_looks(deck, labels, images, quads)


def writable_folder(deck: str) -> Path:
    """The folder in which a deck is edited; one that came with the companion is first copied to the
    owner's."""
    import os

    if os.sep in deck or deck.startswith((".", "~")):
        path = Path(deck).expanduser()
        return path if path.is_dir() else path.parent
    return deck_files.enrolled_decks() / deck


def _plain_name(name: str) -> str:
    """Checks that a deck's name is a plain folder name."""
    if (
        not name
        or len(name) > 64
        or name.startswith(".")
        or not name.isprintable()
        or set(name) & set("/\\:~")
    ):
        raise UsageError("deck.bad_name_as", name=name)
    return name


def _template(game: str | None, deck: Deck) -> Template | None:
    from companion.host.deck_library import templates
    from companion.vision.deck.labels import template_of

    if game is not None and game not in templates():
        raise UsageError("game.unknown_of", game=game, games=tuple(templates()))
    return template_of(templates(), game or deck.name, deck.names)


def _print_result(result: Report, words: str, as_json: bool) -> None:
    click.echo(json.dumps(result, ensure_ascii=False) if as_json else words)
