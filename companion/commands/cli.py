"""The command line: a thin layer of click over the library.

Each command lives in its own module of companion.commands and is imported only when it is called, so that
`companion replay` starts in a quarter of a second and loads no device library.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import cast

import click

from companion.core.errors import CompanionError, UsageError
from companion.core.version import VERSION

COMMANDS = {
    "backup": "all data in one file, and restore it",
    "deck": "draw, check, edit and share decks",
    "demo": "a simulated game night, no hardware needed",
    "dice": "read dice in pictures",
    "doctor": "check each device and prerequisite",
    "enrol": "learn a deck from a folder of pictures",
    "export": "export games as scripts, CSV, BG Stats links",
    "lattice": "read a Trio Monsters table in pictures",
    "hub": "collect the results of many tables",
    "listen": "recognise the calls in recordings",
    "mat": "draw the mat that shows the camera the zones",
    "models": "list speech models, add one",
    "pair": "a code that makes a phone the referee's",
    "recognise": "find and name the cards in pictures",
    "relive": "play a recorded evening again and compare",
    "replay": "play a script of events through the referee",
    "rules": "print the rules of a game in short",
    "score": "score photographed displays or tiles",
    "seats": "learn from where each player speaks",
    "serve": "run the service: camera, microphone, table, pages",
    "voice": "render the spoken phrases, or speak a text",
    "watch": "report each card that lands in a video",
    "wiring": "draw or list how buttons, buzzer and lamps are wired",
}
"""Command name -> its one-line help. The module is companion.commands.<name>, its click object `command`."""


NO_ARGUMENTS: type[click.UsageError] = getattr(click.exceptions, "NoArgsIsHelpError", click.UsageError)
"""Raised by click from 8.2 on if a group is called without a command; its text is the whole help."""


class LazyGroup(click.Group):
    """A click group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"companion.commands.{cmd_name}")
        return cast(click.Command, module.command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="companion")
def group() -> None:
    """A referee on the game table: sees the cards, hears the calls, keeps the scores."""


def main() -> None:
    """Entry point. An error becomes one line on standard error and an exit status: 2 for wrong use
    (UsageError, and errors that click finds), 1 for any other error."""
    try:
        sys.exit(group.main(prog_name="companion", standalone_mode=False))
    except CompanionError as error:
        click.echo(f"companion: {error}", err=True)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except NO_ARGUMENTS as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        command = where.command_path if where is not None else "companion"
        wrong = " ".join(error.format_message().rstrip(".").split())
        click.echo(f"companion: {wrong}: see `{command} --help`", err=True)
        sys.exit(error.exit_code)
    except click.Abort:
        click.echo("companion: stopped", err=True)
        sys.exit(1)
    except BrokenPipeError:  # the reader of standard output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except PermissionError as error:
        remedy = "run this as the user whom it belongs to (sudo), or name another place"
        click.echo(f"companion: {error.filename or 'a file'}: permission denied; {remedy}", err=True)
        sys.exit(1)
