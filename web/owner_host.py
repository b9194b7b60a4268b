"""The interface between the owner's pages and the service, a part of `web.host.Host`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.api.machine import (
    BackupContents,
    MachineState,
    UpdateAction,
    UploadPiece,
    UploadProgress,
)
from companion.api.settings import OwnerSettings, Restarting, SettingsChange, SettingsCheck
from companion.api.wireless import FirstSettings, WirelessJoin, WirelessState


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


class UploadService(Protocol):
    """Files that a phone sends in pieces."""

    def take(self, piece: UploadPiece) -> UploadProgress:
        """Appends a piece."""


class RestorationService(Protocol):
    """Restoring a backup that a phone has sent."""

    def examine(self) -> BackupContents:
        """Checks the backup and tells what it holds."""

    def restore(self) -> Restarting:
        """Starts the service again, which restores the backup first."""


class ReportMaker(Protocol):
    """A report for somebody who helps."""

    def report(self) -> tuple[str, bytes]:
        """The name of the file, and its content."""


class UpdateService(Protocol):
    """Updates of the appliance."""

    def request(self, action: UpdateAction) -> None:
        """Asks for an update, for the version that was sent, or for the version before."""


class WirelessService(Protocol):
    """The appliance's wireless network."""

    def state(self) -> WirelessState:
        """What is known of wireless networks."""

    def join(self, wanted: WirelessJoin) -> None:
        """Joins a network."""


class FirstStartService(Protocol):
    """The first start of an appliance."""

    @property
    def due(self) -> bool:
        """Whether its page is to be shown."""

    def finish(self, first: FirstSettings) -> Restarting:
        """Takes language and network over."""


class OwnerHost(Protocol):
    """The services behind the owner's pages."""

    @property
    def uploads(self) -> UploadService:
        """Files that phones send."""

    @property
    def restoration(self) -> RestorationService:
        """Restoring a backup."""

    @property
    def report(self) -> ReportMaker:
        """A report for somebody who helps."""

    @property
    def updates(self) -> UpdateService:
        """Updates of the appliance."""

    @property
    def wireless(self) -> WirelessService:
        """The appliance's wireless network."""

    @property
    def first_start(self) -> FirstStartService:
        """The first start of an appliance."""

    def machine(self) -> MachineState:
        """What the page *This machine* shows."""

    @property
    def settings(self) -> OwnerSettingsService:
        """The configuration."""
