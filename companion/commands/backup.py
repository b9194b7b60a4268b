"""`companion backup`: writes the data folder to one file, or restores it."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option()
@click.option("--restore", "back", is_flag=True, help="Restore FILE in place of the present data.")
def command(file: Path, folder: DataFolder, back: bool) -> None:
    """Write journals, decks, configuration and keys to FILE (zip), or restore them from it.

    The service may be running while a backup is made, not while one is restored. Data that is replaced is
    kept in the data folder under another name.
    """
    from datetime import UTC, datetime

    from companion.core.version import VERSION
    from companion.store import backups

    now = datetime.now(UTC)
    if back:
        aside = backups.restore(folder, file, now)
        note = f"; what was there before lies in {aside}" if aside is not None else ""
        click.echo(f"{file} is restored into {folder.path}{note}")
    else:
        count = backups.back_up(folder, file, VERSION, now)
        click.echo(f"{count} files of {folder.path} are in {file}")
