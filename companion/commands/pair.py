"""`companion pair`: a code that makes one phone the referee's."""

from __future__ import annotations

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder


@click.command("pair")
@data_option()
def command(folder: DataFolder) -> None:
    """Print a code for the page Join. It makes one phone the referee's and is valid for ten minutes; the
    service may be running."""

    from companion.core.errors import Unavailable
    from companion.store.pairing import PairingFile

    folder.create()
    try:
        code, seconds = PairingFile(folder.path).fresh()
    except OSError as error:
        raise Unavailable("data.cannot_write", path=folder.path, why=error.strerror) from error
    click.echo(f"{code} (valid for {round(seconds / 60)} minutes, for one phone)")
