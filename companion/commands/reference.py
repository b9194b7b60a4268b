"""The command-line reference, made from the commands: `python -m companion.commands.reference [FILE]`.

Writes docs/cli.md. A test fails when the file differs from the commands.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from companion.commands.cli import group

INTRODUCTION = """# Command line

Exit status: 0 done, 1 could not be done, 2 wrong use. An error is one line on standard error: what is wrong
and what to do. `--json` prints JSON only on standard output, one object a line where several files are given.

This page is made by `python -m companion.commands.reference` from the commands themselves.
"""


def reference() -> str:
    """The whole page as Markdown."""
    context = click.Context(group, info_name="companion")
    names = group.list_commands(context)
    links = "\n".join(f"- [{name}](#companion-{name}): {_summary(name)}" for name in names)
    parts = [INTRODUCTION, links + "\n"]
    for name in names:
        command = group.get_command(context, name)
        assert command is not None
        parts += _sections(command, click.Context(command, parent=context, info_name=name), 2)
    return "\n".join(parts)


def _summary(name: str) -> str:
    from companion.commands.cli import COMMANDS

    return COMMANDS[name]


def _sections(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    """A command and, below it, the commands of its group."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"{'#' * level} {context.command_path}\n"
    yield f"```\n{usage}\n```\n"
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    yield f"{text}\n"
    rows = list(_rows(command, context))
    if rows:
        yield "\n".join(["| option | meaning |", "|---|---|", *rows]) + "\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _sections(below, click.Context(below, parent=context, info_name=name), level + 1)


def _rows(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        # Arguments stand in the usage line; whether click describes them depends on its version.
        record = None if isinstance(parameter, click.Argument) else parameter.get_help_record(context)
        if record is None or "--help" in record[0]:
            continue
        names, meaning = (text.replace("|", "\\|").replace("\n", " ") for text in record)
        meaning = meaning.replace("<", "&lt;")
        yield f"| `{names}` | {' '.join(meaning.split())} |"


def main() -> None:
    """Writes the page to the file named, otherwise to docs/cli.md."""
    default = Path(__file__).parents[2] / "docs" / "cli.md"
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    path.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
