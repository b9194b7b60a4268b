"""`companion hub`: collects the results of many tables from an MQTT broker and shows them."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("hub")
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    required=True,
    help="Configuration file (TOML); docs/hub-configuration.md lists its keys.",
)
def command(config_file: Path) -> None:
    """Collect the results of many tables and show tables, standings and evenings. Ctrl-C ends it."""
    from companion.core.errors import Unavailable
    from companion.hub.settings import load_settings

    settings = load_settings(config_file)
    try:
        from companion.hub.service import run
    except ImportError as error:
        raise Unavailable("hub.not_installed", why=str(error)) from error
    run(settings)
