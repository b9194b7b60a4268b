"""The owner's services with a data folder of their own; each restart is another run of the service."""

import shutil
import tempfile
import weakref
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from companion.api.settings import SettingChoice
from companion.core.config import Config
from companion.core.finding import Finding
from companion.core.message import message
from companion.games import game_names
from companion.owner.first_start import FirstStart
from companion.owner.report import RecentLog, ReportService
from companion.owner.restarter import Restarter
from companion.owner.restoration import Restoration, restore_waiting
from companion.owner.services import OwnerServices
from companion.owner.settings import SettingsService
from companion.owner.updates import Updates
from companion.owner.uploads import Uploads
from companion.owner.wireless import Wireless
from companion.runtime.owner import startable
from companion.store.folder import DataFolder

CONFIG = """# Our table in the kitchen.
[camera]
above_cm = 80.0  # measured

[buzzer]
pin = 17
"""
NOW = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)
HOT = Finding(
    message("doctor.name_temperature"), False, message("doctor.hot", degrees=84), message("doctor.cool_it")
)
COOL = Finding(message("doctor.name_temperature"), True, message("doctor.cool", degrees=42))


def still_owner() -> OwnerServices:
    """The services with a folder of their own, deleted with them. The machine is hot until it starts
    again."""
    data = DataFolder(Path(tempfile.mkdtemp(prefix="companion-owner-")))
    (data.path / "config.toml").write_text(CONFIG)

    def restart() -> None:
        restore_waiting(data, NOW)
        again = built(data, COOL, restart)
        for name in services.__dataclass_fields__:
            object.__setattr__(services, name, getattr(again, name))

    services = built(data, HOT, restart)
    weakref.finalize(services, shutil.rmtree, data.path, ignore_errors=True)
    return services


def built(data: DataFolder, health: Finding, restart: Callable[[], None]) -> OwnerServices:
    found = {"microphone.device": [SettingChoice("", ""), SettingChoice("USB Audio", "USB Audio")]}
    restarter = Restarter(restart)
    uploads = Uploads(data.path / "uploads")
    settings = SettingsService(
        data.path / "config.toml", data.path, game_names(), lambda: found, lambda: False, restarter
    )
    wireless = Wireless(data.path / "status.json", data.path)
    return OwnerServices(
        settings,
        uploads,
        Restoration(data, uploads, startable, restarter),
        ReportService(Config(), data, lambda: [health], RecentLog(), lambda: NOW),
        lambda: [health],
        restarter,
        Updates(
            data.path,
            uploads,
            data.path / "update.py",
            data.path / "update.json",
            data.path,
            [data.path / "update-key.pem"],
        ),
        wireless,
        FirstStart(data.path, wireless, settings, restarter, lambda: True),
    )
