"""The name of a game as an argument of a command."""

from __future__ import annotations

import click

from companion.games import game_names


def game_name(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Checks an argument that names a game (a click callback). The games are read only when it runs.

    Raises:
        click.BadParameter: there is no such game; the message lists them all.
    """
    if value not in game_names():
        raise click.BadParameter(f"{value!r} is no game; the games are {', '.join(game_names())}")
    return value
