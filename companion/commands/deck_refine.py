"""`companion deck refine`: learns to tell the cards of one deck apart, a minute or two of computing."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from companion.commands import deck_files
from companion.commands.deck_maintenance import writable_folder
from companion.core.errors import UsageError

if TYPE_CHECKING:
    from companion.vision.deck.deck import Deck


@click.command("refine")
@click.argument("deck")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def refine(deck: str, as_json: bool) -> None:
    """Refine the recognition of DECK: the companion learns to tell its cards apart, stored in the deck.

    `companion enrol` does it by itself, and so does the service for decks that are learned with the phone,
    while no game is on the table. After `mend` has added pictures, refine again.
    """
    found = deck_files.open_deck(deck)
    if not found.can_be_refined:
        raise UsageError("deck.not_refined", name=found.name)
    better = refined(found)
    if better is None:
        raise UsageError("deck.refinement_failed", name=found.name)
    file = better.save(writable_folder(deck))
    if as_json:
        about = {"deck": found.name, "file": str(file), "cards": len(found.names)}
        click.echo(json.dumps(about, ensure_ascii=False))
        return
    click.echo(f"{found.name}: refined on {len(found.names)} cards, {file}")


def refined(deck: Deck, seconds: float | None = None) -> Deck | None:
    """The deck with what the program that refines has learned (in at most so many `seconds`), None if that
    failed; how far it is and why it failed stands on standard error."""
    from companion.host.deck_refinement import refining
    from companion.vision.deck.deck import Deck

    try:
        with TemporaryDirectory(prefix="refine-") as folder:
            before, after = Path(folder) / "before.npz", Path(folder) / "after.npz"
            before.write_bytes(deck.packed())
            with refining(before, after, seconds) as process:
                for line in process.stdout or ():
                    at = json.loads(line)
                    click.echo(f"refining {deck.name}: {at['step']} of {at['steps']} steps", err=True)
            return Deck.load(after) if process.returncode == 0 else None
    except OSError as error:  # no room for its files
        click.echo(str(error), err=True)
        return None
