"""`companion voice`: renders the phrases without parameters, and speaks one on request."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("voice")
@click.option("--data", type=click.Path(path_type=Path), help="Data folder; default: COMPANION_DATA.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration file (TOML).")
@click.option("--say", metavar="TEXT", help="Speak this text now instead.")
def command(data: Path | None, config_file: Path | None, say: str | None) -> None:
    """Render numbers and fixed phrases to the data folder, so that they are spoken without delay."""
    import os
    import time

    from companion.announce.phrases import LOCALE, Phrases
    from companion.announce.voice import Voice
    from companion.core.errors import Unavailable
    from companion.runtime.systemd import settings
    from companion.store.folder import DataFolder, default_folder
    from hardware.speaker import Espeak, Speaker

    folder = DataFolder(data if data is not None else default_folder(os.environ))
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
