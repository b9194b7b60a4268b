"""`companion enrol`: learns a deck from a folder of pictures."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands import deck_files, reports
from companion.commands.deck_refine import refine_in
from companion.core.errors import UsageError
from companion.host.deck_refinement import can_refine

if TYPE_CHECKING:
    from companion.vision.deck.deck import Deck


@click.command()
@click.argument("deck")
@click.option(
    "--from", "source", type=click.Path(path_type=Path), required=True,
    help="Folder with one picture per card: <label>.png or .jpg; further pictures <label>~2.png.",
)  # fmt: skip
@click.option("--game", help="Game of these cards; default: found by the name of DECK or by the labels.")
@click.option(
    "--refine/--no-refine", default=None,
    help="Train for held cards afterwards (PyTorch, minutes); default: if a person reads the output.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(deck: str, source: Path, game: str | None, refine: bool | None, as_json: bool) -> None:
    """Learn DECK (a name, or a path to a folder) from pictures: crops, or cards on a plain ground.

    Two or three pictures of a card in different light improve recognition. Problems are listed: missing
    cards, cards that look too much alike, blurred pictures, labels that the game does not know. If pictures
    cannot be read, all of them are listed and nothing is written.
    """
    from companion.host.deck_library import templates
    from companion.vision.deck.enrol import enrol, list_pictures
    from companion.vision.deck.labels import template_of

    if game is not None and game not in templates():
        raise UsageError("game.unknown_of", game=game, games=tuple(templates()))
    target = deck_files.deck_folder(deck)
    labels = [label for label, _ in list_pictures(source)]
    template = template_of(templates(), game or target.name, list(dict.fromkeys(labels)))
    enrolment = enrol(source, target.name, template)
    file = enrolment.deck.save(target)
    found, check = enrolment.deck, enrolment.check
    refined = found.suits_networks and _is_refined(found, target, refine)
    if not as_json:
        click.echo(
            f"{found.name}: learned {len(found.names)} cards from {len(found.labels)} pictures, {file}"
        )
        for note in enrolment.notes:
            click.echo(f"note: {note}", err=True)
        return
    result = {
        "deck": found.name,
        "file": str(file),
        "game": template.game if template else None,
        "cards": len(found.names),
        "looks": len(found.labels),
        "refined": refined,
        "labels": list(found.names),
        "blurred": list(enrolment.blurred),
        **reports.check_object(check),
        "notes": [str(note) for note in enrolment.notes],
    }
    click.echo(json.dumps(result, ensure_ascii=False))


def _is_refined(deck: Deck, folder: Path, wanted: bool | None) -> bool:
    """Refines the enrolled deck if that is wanted (None: if a person reads the output); whether it was.

    Raises:
        UsageError: it is wanted, and PyTorch is not installed.
    """
    reader = sys.stderr.isatty()
    if wanted is None and reader and not can_refine():
        text = f"note: for held cards refine it where PyTorch is installed: companion deck refine {deck.name}"
        click.echo(text, err=True)
        return False
    if not (reader if wanted is None else wanted):
        return False
    refine_in(deck, folder)
    return True
