"""`companion voice`: renders the phrases without parameters, and speaks one on request."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder


@click.command("voice")
@data_option()
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration file (TOML).")
@click.option("--say", metavar="TEXT", help="Speak this text now instead.")
def command(folder: DataFolder, config_file: Path | None, say: str | None) -> None:
    """Render numbers and fixed phrases to the data folder, so that they are spoken without delay."""
    import time

    from companion.announce.phrases import LOCALE, Phrases
    from companion.announce.voice import Voice
    from companion.core.errors import Unavailable
    from companion.runtime.systemd import settings
    from hardware.speaker import Espeak, Speaker

    config = settings(config_file, folder, port=None, simulated=False)
    render = Espeak(config.table.language, config.voice.words_per_minute)
    if say is not None:
        Speaker(config.voice.device).play(render(say), time.sleep)
        return
    folder.create()
    try:
        count = Voice(Phrases(config.table.language, LOCALE), render).prepare(folder.voice)
    except OSError as error:
        raise Unavailable("files.cannot_write_data", path=folder.voice, why=error.strerror) from error
    click.echo(f"{count} phrases in {folder.voice}")
