"""The interface between the owner's pages and the service, a part of `web.host.Host`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.api.settings import OwnerSettings, Restarting, SettingsChange, SettingsCheck


class OwnerSettingsService(Protocol):
    """The configuration."""

    def state(self, written: Callable[[str], str]) -> OwnerSettings:
        """The settings in the file; `written` translates the meaning of a key."""

    def check(self, change: SettingsChange) -> SettingsCheck:
        """What a change would do. Nothing is written."""

    def save(self, change: SettingsChange) -> Restarting:
        """Writes the change and starts the service again."""

    def put_back(self) -> Restarting:
        """Puts the settings back that were in force before the last change."""


class OwnerHost(Protocol):
    """The services behind the owner's pages."""

    @property
    def settings(self) -> OwnerSettingsService:
        """The configuration."""
