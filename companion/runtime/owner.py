"""Builds the services behind the owner's pages."""

from __future__ import annotations

import logging
from pathlib import Path

from companion.core.config import Config, load
from companion.games import game_names
from companion.host.deck_library import DeckLibrary
from companion.host.doctor import check_machine
from companion.owner.choices import choices
from companion.owner.first_start import FirstStart
from companion.owner.health import health_findings
from companion.owner.report import RecentLog, ReportService
from companion.owner.restarter import Restarter
from companion.owner.restoration import Restoration
from companion.owner.services import OwnerServices
from companion.owner.settings import SettingsService
from companion.owner.updates import Updates
from companion.owner.uploads import Uploads
from companion.owner.wireless import Wireless
from companion.runtime.process import ServiceProcess
from companion.store.folder import DataFolder
from companion.store.journal import Wall
from companion.table.table import Table

LOG = RecentLog()
"""The latest lines that this process has logged; a logger takes a handler once only."""


def startable(file: Path, data: DataFolder) -> None:
    """Checks a configuration file with its data as the start of the service does.

    Raises:
        CompanionError: the service could not start with them.
    """
    DeckLibrary(load(file, game_names()).decks, data.decks).check()


def owner_services(
    config: Config, data: DataFolder, table: Table, process: ServiceProcess, wall: Wall
) -> OwnerServices:
    """The services; `table` says whether a game is on it. The log is kept from now on."""
    # The root logger writes warnings to standard error by itself only while it has no handler.
    logging.basicConfig(format="%(message)s")
    logging.getLogger().addHandler(LOG)
    restarter = Restarter(process.restart)
    uploads = Uploads(data.path / "uploads")
    settings = SettingsService(
        process.config_file or data.path / "config.toml",
        data.path,
        game_names(),
        lambda: choices(data.models),
        lambda: table.snapshot().game is not None,
        restarter,
    )
    wireless = Wireless(process.hotspot, data.path)
    return OwnerServices(
        settings,
        uploads,
        Restoration(data, uploads, startable, restarter),
        ReportService(config, data, lambda: check_machine(config, data, ask=False), LOG, wall),
        lambda: health_findings(data),
        restarter,
        Updates(data.path, uploads),
        wireless,
        FirstStart(data.path, wireless, settings, restarter, lambda: not table.snapshot().night.games),
    )
