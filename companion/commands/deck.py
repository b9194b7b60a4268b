"""`companion deck`: draws the project's own decks; checks, edits and shares enrolled ones."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.commands import deck_maintenance, deck_refine
from companion.commands.atomic_file import CannotWrite, pdf_named, why, write_file
from companion.core.errors import UsageError

PICTURE_HEIGHT = 704
"""Pixels of an enrolment picture: 8 to the millimetre of a card."""


@click.group()
def command() -> None:
    """Draw the project's own decks; check, edit and share enrolled ones."""


for care in (
    deck_maintenance.check,
    deck_maintenance.mend,
    deck_refine.refine,
    deck_maintenance.share,
    deck_maintenance.add,
):
    command.add_command(care)


@command.command("draw")
@click.argument("game")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The PDF to write."
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path),
    help="Also write one picture per card, <label>.png, to this folder.",
)
@click.option("--large-print", is_flag=True, help="Draw cards at 1.4 times their size.")
@click.option("--paper", default="a4", show_default=True, help="Paper size: a4 or letter.")
@click.option("--backs", is_flag=True, help="Add the reverse of each sheet, for printing on both sides.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def draw(
    game: str, out: Path, pictures: Path | None, large_print: bool, paper: str, backs: bool, as_json: bool
) -> None:
    """Draw the deck of GAME as a PDF with cut marks; print it at 100 %."""
    from companion import art
    from companion.art import sheets

    if game not in art.drawn_games():
        raise UsageError("art.no_deck", game=game, games=tuple(art.drawn_games()))
    pdf_named(out)
    scale = sheets.LARGE if large_print else 1.0
    plan = sheets.layout(paper, art.card_size(game), scale)
    pdf = sheets.deck_pdf(game, paper, scale=scale, backs=backs)
    pngs = _pictures(game) if pictures else {}
    if pictures:
        _make(pictures)
    write_file(out, pdf)
    for label, png in pngs.items():
        write_file(Path(pictures or ".") / f"{label}.png", png)
    pages = sheets.sheet_count(game, plan.room) * (2 if backs else 1)
    result = {
        "game": game,
        "out": str(out),
        "cards": sum(copies for _, copies in art.deck_list(game)),
        "pages": pages,
        "paper": paper,
        "card_mm": [round(plan.width, 1), round(plan.height, 1)],
        "pictures": str(pictures) if pictures else None,
        "labels": len(pngs),
    }
    if as_json:
        click.echo(json.dumps(result))
        return
    click.echo(f"{art.title(game)}: {result['cards']} cards on {pages} pages, {out}; print at 100 %")
    if pictures:
        click.echo(
            f"{len(pngs)} pictures in {pictures}; learn them with: companion enrol {game} --from {pictures}"
        )


def _pictures(game: str) -> dict[str, bytes]:
    """One PNG a label."""
    import cv2

    from companion import art

    pngs = {}
    for label in art.card_labels(game):
        picture = art.draw_card(game, label, PICTURE_HEIGHT)
        done, png = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        if not done:
            raise CannotWrite("picture.cannot_encode_card", label=label)
        pngs[label] = png.tobytes()
    return pngs


def _make(folder: Path) -> None:
    """Makes the folder if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite("files.cannot_make_folder", folder=folder, why=why(error)) from error
