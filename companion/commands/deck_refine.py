"""`companion deck refine`: learns to name the cards of one deck better, a few minutes of computing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands import deck_files
from companion.commands.deck_maintenance import writable_folder
from companion.core.errors import UsageError

if TYPE_CHECKING:
    from companion.vision.deck.deck import Deck


@click.command("refine")
@click.argument("deck")
@click.option(
    "--steps", type=click.IntRange(1, 20_000), default=400, show_default=True,
    help="How long to learn; one core makes 200 to 250 steps a minute.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def refine(deck: str, steps: int, as_json: bool) -> None:
    """Refine the recognition of held cards on DECK; what is learned is stored in the deck.

    Needs PyTorch (pip install torch), which a Raspberry Pi need not have: refine on another computer and
    bring the deck over with `companion deck share` and `add`. After `mend`, refine again.
    """
    found = deck_files.open_deck(deck)
    file = refine_in(found, writable_folder(deck), steps)
    result = {"deck": found.name, "file": str(file), "cards": len(found.names), "steps": steps}
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False))
        return
    click.echo(f"{found.name}: refined on {len(found.names)} cards, {Path(file)}")


def refine_in(deck: Deck, folder: Path, steps: int = 400) -> Path:
    """Refines a deck and writes it into the folder; reports the progress on standard error.

    Raises:
        UsageError: PyTorch is not installed.
    """
    try:
        from models.vision.namer.refine import refined_deck
    except ImportError as error:
        raise UsageError("deck.no_torch", why=str(error)) from error

    better = refined_deck(deck, steps, lambda reached: click.echo(str(reached), err=True))
    return replace(better, name=deck.name).save(folder)
