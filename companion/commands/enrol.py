"""`companion enrol`: learns a deck from a folder of pictures."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.commands import _eyes


@click.command()
@click.argument("deck")
@click.option(
    "--from", "source", type=click.Path(path_type=Path), required=True,
    help="Folder with one picture a card: <label>.png or .jpg, further looks as <label>~2.png.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(deck: str, source: Path, as_json: bool) -> None:
    """Learn DECK (a name, or a path to a folder) from pictures: crops, or cards on a plain ground."""
    from companion.vision.enrolling import enrol

    target = _eyes.deck_folder(deck)
    enrolment = enrol(source, target.name)
    file = enrolment.deck.save(target)
    found = enrolment.deck
    result = {
        "deck": found.name,
        "file": str(file),
        "cards": len(found.names),
        "looks": len(found.labels),
        "labels": list(found.names),
        "notes": list(enrolment.notes),
    }
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False))
        return
    click.echo(f"{found.name}: learned {len(found.names)} cards from {len(found.labels)} pictures, {file}")
    for note in enrolment.notes:
        click.echo(f"note: {note}", err=True)
