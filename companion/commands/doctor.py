"""`companion doctor`: checks each device and prerequisite and names the remedy for a missing one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from companion.core.finding import Finding


@click.command("doctor")
@click.option("--data", type=click.Path(path_type=Path), help="Data folder; default: COMPANION_DATA.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration file (TOML).")
@click.option("--journal", "journal", is_flag=True, help="Check the journal only, row by row.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(data: Path | None, config_file: Path | None, journal: bool, as_json: bool) -> None:
    """Check every device and prerequisite. Exit status 1 if something required is missing."""
    import os
    import sys

    import msgspec

    from companion.host.doctor import check_machine
    from companion.host.journal_doctor import check_journal
    from companion.runtime.systemd import settings
    from companion.store.folder import DataFolder, default_folder

    folder = DataFolder(data if data is not None else default_folder(os.environ))
    if journal:
        found = check_journal(folder)
    else:
        found = check_machine(settings(config_file, folder, port=None, simulated=False), folder)
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


def _as_json(finding: Finding) -> dict[str, Any]:
    return {
        "name": str(finding.name),
        "there": finding.there,
        "what": str(finding.what),
        "remedy": "" if finding.remedy is None else str(finding.remedy),
        "needed": finding.needed,
    }
