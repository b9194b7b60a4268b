"""`companion doctor`: checks each device and prerequisite and names the remedy for a missing one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.data_folder import data_option
from companion.store.folder import DataFolder

if TYPE_CHECKING:
    from companion.core.config import Config
    from companion.core.finding import Finding
    from companion.store.folder import DataFolder


@click.command("doctor")
@data_option()
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration file (TOML).")
@click.option("--journal", "journal", is_flag=True, help="Check the journal only, row by row.")
@click.option(
    "--fix", "fix", is_flag=True, help="Correct first what is safe to correct: owners of files, time server."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(folder: DataFolder, config_file: Path | None, journal: bool, fix: bool, as_json: bool) -> None:
    """Check every device and prerequisite; a running service is asked for its devices. Exit status 1 if
    something required is missing."""
    import sys
    import time

    import msgspec

    from companion.host.doctor import check_machine
    from companion.host.journal_doctor import check_journal
    from companion.owner.system_checks import fix as fix_machine

    if fix:
        for done in fix_machine(folder, time.time()):
            click.echo(f"done     {done}", err=as_json)
    found = check_journal(folder) if journal else check_machine(_settings(config_file, folder), folder)
    good = all(one.there for one in found if one.needed)
    if as_json:
        click.echo(msgspec.json.encode({"ok": good, "findings": [_as_json(one) for one in found]}))
    else:
        width = max(len(str(one.name)) for one in found)
        for one in found:
            mark = "found  " if one.there else "missing"
            click.echo(f"{mark}  {one.name!s:<{width}}  {one.what}")
            if one.remedy:
                click.echo(f"{'':9}{'':<{width}}  -> {one.remedy}")
    sys.exit(0 if good else 1)


def _settings(config_file: Path | None, folder: DataFolder) -> Config:
    """The configuration; the defaults if that in the data folder of another user cannot be read."""
    from companion.core.config import Config
    from companion.core.errors import UsageError
    from companion.runtime.systemd import settings

    try:
        return settings(config_file, folder, port=None, simulated=False)
    except (PermissionError, UsageError) as error:
        if config_file is not None or (isinstance(error, UsageError) and error.code != "config.unreadable"):
            raise
        return Config()


def _as_json(finding: Finding) -> dict[str, Any]:
    return {
        "name": str(finding.name),
        "there": finding.there,
        "what": str(finding.what),
        "remedy": "" if finding.remedy is None else str(finding.remedy),
        "needed": finding.needed,
    }
