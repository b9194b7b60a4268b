"""`companion backup`: writes the data folder to one file, or restores it."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--data", type=click.Path(path_type=Path), help="Data folder; default: COMPANION_DATA.")
@click.option("--restore", "back", is_flag=True, help="Restore FILE in place of the present data.")
def command(file: Path, data: Path | None, back: bool) -> None:
    """Write journals, decks, configuration and keys to FILE (zip), or restore them from it.

    The service may be running while a backup is made, not while one is restored. Data that is replaced is
    kept in the data folder under another name.
    """
    import os
    from datetime import UTC, datetime

    from companion import __version__
    from companion.store import backups
    from companion.store.folder import DataFolder, default_folder

    folder = DataFolder(data if data is not None else default_folder(os.environ))
    now = datetime.now(UTC)
    if back:
        aside = backups.restore(folder, file, now)
        note = f"; what was there before lies in {aside}" if aside is not None else ""
        click.echo(f"{file} is restored into {folder.path}{note}")
    else:
        count = backups.back_up(folder, file, __version__, now)
        click.echo(f"{count} files of {folder.path} are in {file}")
