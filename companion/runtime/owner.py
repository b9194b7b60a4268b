"""Builds the services behind the owner's pages."""

from __future__ import annotations

from companion.games import game_names
from companion.owner.choices import choices
from companion.owner.services import OwnerServices
from companion.owner.settings import SettingsService
from companion.runtime.process import ServiceProcess
from companion.store.folder import DataFolder
from companion.table.table import Table


def owner_services(data: DataFolder, table: Table, process: ServiceProcess) -> OwnerServices:
    """The services; `table` says whether a game is on it."""
    file = process.config_file or data.path / "config.toml"
    return OwnerServices(
        SettingsService(
            file,
            data.path,
            game_names(),
            lambda: choices(data.models),
            lambda: table.snapshot().game is not None,
            process.restart,
        )
    )
