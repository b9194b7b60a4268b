"""`companion seats`: learns from where each player speaks, with an array of microphones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder

if TYPE_CHECKING:
    from companion.core.config import Config
    from companion.speech.direction.seats import SeatDirection

TRIES = 4
"""So many times a name that gave no seat is asked for again."""


@click.command()
@click.argument("players", metavar="PLAYER...", nargs=-1)
@data_option()
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration file (TOML).")
@click.option("--forget", metavar="PLAYER", multiple=True, help="Delete the seat of this player.")
def command(
    players: tuple[str, ...], folder: DataFolder, config_file: Path | None, forget: tuple[str, ...]
) -> None:
    """Learn the players' seats, and list those that are known.

    Each player says the own name once, from the own seat. The service must not run meanwhile: it holds the
    microphone; on the phone, Voices does the same while it runs.
    """

    from companion.runtime.systemd import settings
    from companion.speech.direction.seats import Seats

    config = settings(config_file, folder, port=None, simulated=False)
    seats = Seats(folder.voices)
    for player in forget:
        seats.forget(player)
    for player in players:
        click.echo(f"{player}: say your name")
        seats.keep(player, _learned(player, config))
    for player, seat in seats.known().items():
        click.echo(f"{player}: {seat.degrees:.0f} degrees, spread {seat.spread:.0f}")


def _learned(player: str, config: Config) -> SeatDirection:
    """Listens until the name was said.

    Raises:
        Unavailable: there is no array, or no name came from one direction.
    """
    from companion.core.clock import monotonic
    from companion.core.errors import Unavailable
    from companion.devices.inputs import configured_inputs
    from companion.speech.direction.name_lesson import NameLesson

    opened = configured_inputs(config, monotonic).microphone
    if opened is None:
        raise Unavailable("seats.no_array")
    lesson, refused = NameLesson(player), 0
    microphone = opened()
    try:
        for block in microphone:
            if block.array is None:
                raise Unavailable("seats.no_array")
            lesson.hear(block.array.samples, block.array.radius_m, block.rate)
            if lesson.seat is not None:
                return lesson.seat
            if lesson.finding:
                refused, lesson.finding = refused + 1, ""
                if refused == TRIES:
                    break
                click.echo(f"{player}: again, please")
    finally:
        microphone.close()
    raise Unavailable("seats.not_found", player=player)
