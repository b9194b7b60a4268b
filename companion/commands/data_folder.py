"""The data folder of a command: the option --data, and files written by root given to the folder's owner."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from companion.store.folder import DataFolder, default_folder
from companion.store.ownership import give_back

GIVEN_BACK = "companion.data_folder"
"""Key of the running command's folders of which it is known already that they are given back."""


def data_option(
    name: str = "folder", help: str = "Data folder; default: COMPANION_DATA."
) -> Callable[..., Any]:
    """The option --data: gives the command its DataFolder as the parameter `name`."""

    def opened(ctx: click.Context, option: click.Parameter, path: Path | None) -> DataFolder:
        return data_folder(path)

    return click.option("--data", name, type=click.Path(path_type=Path), callback=opened, help=help)


def data_folder(path: Path | None = None) -> DataFolder:
    """The data folder at `path`, or the default one.

    When the running command has ended as root, files that it left there are given to the folder's owner: the
    service is another user and could not read them.
    """
    folder = DataFolder(path if path is not None else default_folder(os.environ))
    context = click.get_current_context(silent=True)
    if context is not None and folder.path not in context.meta.setdefault(GIVEN_BACK, set()):
        context.meta[GIVEN_BACK].add(folder.path)
        context.call_on_close(partial(_give_back, folder.path))
    return folder


def _give_back(path: Path) -> None:
    try:
        give_back(path)
    except OSError as error:
        click.echo(f"companion: {error}", err=True)
