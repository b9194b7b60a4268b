"""`companion pair`: a code that makes one phone the referee's."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("pair")
@click.option("--data", type=click.Path(path_type=Path), help="Data folder; default: COMPANION_DATA.")
def command(data: Path | None) -> None:
    """Print a code for the page Join. It makes one phone the referee's and is valid for ten minutes; the
    service may be running."""
    import os

    from companion.core.errors import Unavailable
    from companion.store.folder import DataFolder, default_folder
    from companion.store.pairing import PairingFile

    folder = DataFolder(data if data is not None else default_folder(os.environ))
    folder.create()
    try:
        code, seconds = PairingFile(folder.path).fresh()
    except OSError as error:
        raise Unavailable("data.cannot_write", path=folder.path, why=error.strerror) from error
    click.echo(f"{code} (valid for {round(seconds / 60)} minutes, for one phone)")
