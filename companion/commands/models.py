"""`companion models`: the speech models, the companion's own and others."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder


@click.group("models")
def command() -> None:
    """List the speech models, or add an official Vosk model.

    An added model is used once `speech.model` in the configuration names it.
    """


@command.command("list")
@data_option()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_models(folder: DataFolder, as_json: bool) -> None:
    """List every model that can be used."""
    import msgspec

    from companion.speech.model_store import stored_models

    for model in stored_models(folder.models):
        if as_json:
            click.echo(msgspec.json.encode(model))
        else:
            origin = "own" if model.shipped else "added"
            click.echo(f"{model.name:<28}  {origin:<5}  {model.words:>6} words  {model.path}")


@command.command("add")
@click.argument("source", metavar="FOLDER_OR_ZIP", type=click.Path(path_type=Path))
@click.option("--name", default="", help="Name of the model; default: the name of the folder.")
@data_option()
def add_model(source: Path, name: str, folder: DataFolder) -> None:
    """Add a Vosk model: it is loaded and tested with a sentence first."""
    from companion.speech.model_store import add

    model = add(source, folder.models, name)
    click.echo(f'{model.name} knows {model.words} words. To use it: [speech] model = "{model.name}"')
