"""The owner's services with a configuration of their own; each save is another run of the service."""

import tempfile
from pathlib import Path

from companion.api.settings import SettingChoice
from companion.games import game_names
from companion.owner.services import OwnerServices
from companion.owner.settings import SettingsService

CONFIG = """# Our table in the kitchen.
[camera]
above_cm = 80.0  # measured

[buzzer]
pin = 17
"""


def still_owner() -> OwnerServices:
    """The services with a folder of their own."""
    folder = Path(tempfile.mkdtemp(prefix="companion-owner-"))
    (folder / "config.toml").write_text(CONFIG)
    found = {"microphone.device": [SettingChoice("", ""), SettingChoice("USB Audio", "USB Audio")]}

    def settings() -> SettingsService:
        return SettingsService(
            folder / "config.toml", folder, game_names(), lambda: found, lambda: False, restart
        )

    def restart() -> None:
        object.__setattr__(services, "settings", settings())

    services = OwnerServices(settings())
    return services
