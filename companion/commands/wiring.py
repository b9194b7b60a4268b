"""`companion wiring`: draws how the parts of a configuration are wired, or lists the wires."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder


@click.command("wiring")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration file (TOML).")
@data_option()
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for wiring.svg (board view) and schematic.svg.",
)
def command(config_file: Path | None, folder: DataFolder, out: Path | None) -> None:
    """List every wire between the Raspberry Pi and the buttons, buzzer and lamps of the configuration.

    With --out the board view and the schematic are drawn.
    """

    from companion.core.errors import Unavailable
    from companion.runtime.systemd import settings
    from companion.wiring.circuit import parts, steps, turned_round
    from companion.wiring.drawings import drawings
    from companion.wiring.header import what

    config = settings(config_file, folder, port=None, simulated=False)
    found = parts(config)
    if not found:
        click.echo("The configuration names no pins. docs/companion.toml is an example.")
        return
    for line in steps(found):
        click.echo(line)
    click.echo("\nPlugged in turned round:")
    for wire in turned_round(found):
        click.echo(f"  {wire.wire}: on pin {wire.pin}, {what(wire.pin)}; at most {wire.ma:.1f} mA")
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
            for name, picture in drawings(config).items():
                (out / name).write_text(picture, encoding="utf-8")
        except OSError as error:
            raise Unavailable("files.cannot_write_data", path=out, why=error.strerror) from error
        click.echo(f"\n{', '.join(drawings(config))} are in {out}")
