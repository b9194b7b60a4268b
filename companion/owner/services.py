"""What the owner's pages ask for, in one object."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.api.devices import DeviceFinding
from companion.api.machine import MachineState
from companion.core.finding import Finding
from companion.core.version import VERSION
from companion.owner.first_start import FirstStart
from companion.owner.report import ReportService
from companion.owner.restarter import Restarter
from companion.owner.restoration import Restoration
from companion.owner.settings import SettingsService
from companion.owner.updates import Updates
from companion.owner.uploads import Uploads
from companion.owner.wireless import Wireless


@dataclass(frozen=True)
class OwnerServices:
    """The services behind the owner's pages."""

    settings: SettingsService
    """The configuration."""
    uploads: Uploads
    """Files that phones send."""
    restoration: Restoration
    """Restoring a backup."""
    report: ReportService
    """A report for somebody who helps."""
    health: Callable[[], Sequence[Finding]]
    """The state of the machine."""
    restarter: Restarter
    updates: Updates
    """Updates of the appliance."""
    wireless: Wireless
    """Wireless networks of the appliance."""
    first_start: FirstStart
    """The page of the first start."""

    def machine(self) -> MachineState:
        """What the page *This machine* shows."""
        found = tuple(
            DeviceFinding(one.name, one.there, one.what, one.remedy or "", one.needed)
            for one in self.health()
        )
        return MachineState(
            VERSION, found, self.restoration.result(), self.updates.state(), self.restarter.run
        )
