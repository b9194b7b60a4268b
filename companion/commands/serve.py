"""`companion serve`: the service with its senses, its table and its pages."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder

RESTART_S = 5.0
"""Seconds that a service which cannot start waits before it ends: systemd starts it again at once."""


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the pages; default: the configured one.")
@data_option()
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration file (TOML).")
@click.option(
    "--simulated", is_flag=True, help="Use no devices: a drawn table or recordings, and simulated pins."
)
@click.option("--no-browser", is_flag=True, help="Do not open the pages on this machine.")
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False),
    help="Record the whole evening into a new folder below this one: pictures, sound, phones. "
    "`companion relive` plays it again.",
)
def command(
    port: int | None,
    folder: DataFolder,
    config_file: Path | None,
    simulated: bool,
    no_browser: bool,
    record: Path | None,
) -> None:
    """Run the service: camera, microphone, table and pages on port 8080. Ctrl-C ends it."""
    import os
    import time
    from datetime import UTC, datetime

    from companion.core.errors import CompanionError
    from companion.owner.restoration import restore_waiting
    from companion.runtime.systemd import Service, leave, settings, start_again

    restore_waiting(folder, datetime.now(UTC))
    config = settings(config_file, folder, port=port, simulated=simulated)
    try:
        service = Service(
            config,
            folder,
            simulated=simulated,
            browser=not no_browser,
            record=record,
            config_file=config_file,
        )
        service.run()
    except CompanionError:
        if os.environ.get("NOTIFY_SOCKET"):
            time.sleep(RESTART_S)
        raise
    if service.restarts:
        start_again()
    leave()
