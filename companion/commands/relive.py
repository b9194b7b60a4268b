"""`companion relive`: plays a recorded evening again and compares what is judged with what was."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder


@click.command("relive")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--speed",
    default="max",
    show_default=True,
    help="`max`, or how many times as fast as the evening was, e.g. 1.",
)
@click.option(
    "--at-once",
    is_flag=True,
    help="Let the senses analyse every picture and report at its moment, as on a machine that is fast "
    "enough. Otherwise they are as slow as they were.",
)
@click.option("--truth", is_flag=True, help="Count how often the senses were right, by what the table said.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object only (docs/cli.md).")
@data_option("data", help="Data folder with added speech models.")
def command(folder: Path, speed: str, at_once: bool, truth: bool, as_json: bool, data: DataFolder) -> None:
    """Play the evening in FOLDER again, as fast as the machine can, and compare the journals.

    Exit status: 0 the same events, verdicts and times; 1 something differs; 2 the evening cannot be read.

    With `--json` the object has `same`, `seconds`, `tolerance_s`, `cut_off` (the file that ended early, or
    null), `frames_lost`, `games` and `truth`. Each game has `game`, `players`, `live_events`,
    `relived_events`, `scores_live`, `scores_relived` and `differences`; each difference has a `kind`
    (missing, added, changed, refused, verdict, time) and the journal's lines `live` and `relived`. `truth`
    has for each `sense` its events that were `right`, `corrected`, `asked` about and `refused`.
    """

    from companion.core.errors import CompanionError
    from companion.recording.reader import RecordedEvening
    from companion.relive import result
    from companion.relive.player import relive

    begun = time.monotonic()
    try:
        evening = RecordedEvening(folder)
        pace = _pace(speed, evening.manifest.start)
        with tempfile.TemporaryDirectory(prefix="companion-relive-") as workspace:
            again = relive(evening, Path(workspace) / "data", data.models, at_once=at_once, pace=pace)
        found = result.of(evening, again, truth=truth)
    except CompanionError as error:
        click.echo(f"companion: {error}", err=True)
        sys.exit(2)
    for warning in again.warnings:
        click.echo(f"companion: {warning}", err=True)
    if as_json:
        click.echo(result.as_json(found))
    else:
        click.echo("\n".join(result.as_text(evening, again, found)))
        took = time.monotonic() - begun
        click.echo(f"{found.seconds:.0f} s relived in {took:.1f} s", err=True)
    sys.exit(0 if found.same else 1)


def _pace(speed: str, start: float) -> Callable[[float], None]:
    """What waits for the moment of each item.

    Raises:
        UsageError: `speed` is neither `max` nor a number.
    """
    from companion.core.errors import UsageError

    if speed == "max":
        return lambda moment: None
    try:
        factor = float(speed)
    except ValueError:
        factor = 0.0
    if not 0.0 < factor <= 1000.0:
        raise UsageError("evening.bad_speed", speed=speed)
    begun = time.monotonic()

    def wait(moment: float) -> None:
        left = begun + (moment - start) / factor - time.monotonic()
        if left > 0.0:
            time.sleep(left)

    return wait
