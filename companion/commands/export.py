"""`companion export`: journals as scripts, as a table, as links for BG Stats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder

if TYPE_CHECKING:
    from companion.store.journal import Journal
from companion.store.rows import GameRow


@click.command("export")
@click.argument("game", type=int, required=False)
@data_option()
@click.option(
    "--scripts", type=click.Path(path_type=Path), help="Write every game as a script into this folder."
)
@click.option(
    "--csv", "table", type=click.Path(path_type=Path), help="Write all results as CSV; - for standard output."
)
@click.option("--bgstats", is_flag=True, help="Print a link for BG Stats for each finished game.")
def command(
    game: int | None, folder: DataFolder, scripts: Path | None, table: Path | None, bgstats: bool
) -> None:
    """Export played games. With GAME, a game's number, its script goes to standard output, as
    `companion replay` reads it. Without arguments the games are listed."""

    from companion.core.errors import Unreadable
    from companion.store.healing import check
    from companion.store.journal import read_journal

    if folder.journal.exists() and not check(folder.journal).sound:
        raise Unreadable("journal.damaged")
    with read_journal(folder.journal) as journal:
        if game is not None:
            _one(journal, game, bgstats)
            return
        if scripts is not None:
            _scripts(journal, scripts)
        if table is not None:
            _table(journal, table)
        if bgstats:
            _links([row for row in journal.games() if row.winner])
        if scripts is None and table is None and not bgstats:
            _list(journal)


def _one(journal: Journal, game: int, bgstats: bool) -> None:
    from companion.store.exports import script

    row = journal.game(game)
    if bgstats:
        _links([row])
    else:
        click.echo(script(row, journal.lines(game)), nl=False)


def _scripts(journal: Journal, folder: Path) -> None:
    from companion.store.exports import file_name, script

    rows = journal.games()
    for row in rows:
        _write(folder / file_name(row), script(row, journal.lines(row.id)))
    click.echo(f"{len(rows)} scripts in {folder}", err=True)


def _table(journal: Journal, file: Path) -> None:
    from companion.host.history import places_of
    from companion.store.exports import table

    text = table((row, places_of(row)) for row in journal.games())
    if str(file) == "-":
        click.echo(text, nl=False)
    else:
        _write(file, text)


def _links(rows: list[GameRow]) -> None:
    from companion.host.history import link

    for row in rows:
        click.echo(link(row))


def _list(journal: Journal) -> None:
    games = journal.games()
    if not games:
        click.echo("no game has been played yet", err=True)
    for row in games:
        result = ", ".join(row.winner or []) or ("on the table" if row.ended is None else "broken off")
        click.echo(f"{row.id:>5}  {row.started[:16]}  {row.name:<22}{', '.join(row.players)}: {result}")


def _write(file: Path, text: str) -> None:
    from companion.commands.atomic_file import CannotWrite, why, write_file

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite("files.cannot_make_folder", folder=file.parent, why=why(error)) from error
    write_file(file, text.encode())
