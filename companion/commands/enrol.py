"""`companion enrol`: learns a deck from a folder of pictures."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.commands import deck_files, reports
from companion.commands.deck_refine import refined
from companion.core.errors import UsageError
from companion.core.message import message

REFINED_SECONDS = 90.0
"""Somebody waits for the command: `companion deck refine` takes the time that it needs."""


@click.command()
@click.argument("deck")
@click.option(
    "--from", "source", type=click.Path(path_type=Path), required=True,
    help="Folder with one picture per card: <label>.png or .jpg; further pictures <label>~2.png.",
)  # fmt: skip
@click.option("--game", help="Game of these cards; default: found by the name of DECK or by the labels.")
@click.option(
    "--refine/--no-refine", default=True, show_default=True,
    help="Learn to tell these cards apart, at most 90 s; how far it is stands on standard error.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(deck: str, source: Path, game: str | None, refine: bool, as_json: bool) -> None:
    """Learn DECK (a name, or a path to a folder) from pictures: crops, or photographs of one card on a table.

    Two or three pictures of a card in different light improve recognition. Problems are listed: missing
    cards, cards that look too much alike, blurred pictures, labels that the game does not know. If pictures
    cannot be read, all of them are listed and nothing is written. The deck is written before it is refined:
    interrupted, it works as it is, and the service or `companion deck refine` refines it later.
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
    better = refined(found, REFINED_SECONDS) if refine and found.can_be_refined else None
    if better is not None:
        better.save(target)
    elif refine and found.can_be_refined:
        click.echo(f"note: {message('deck.refinement_failed', name=found.name)}", err=True)
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
        "refined": better is not None,
        "labels": list(found.names),
        "blurred": list(enrolment.blurred),
        **reports.check_object(check),
        "notes": [str(note) for note in enrolment.notes],
    }
    click.echo(json.dumps(result, ensure_ascii=False))
