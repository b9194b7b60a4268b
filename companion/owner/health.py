"""The state of the machine in words: disk, card, temperature, power, clock."""

from __future__ import annotations

import time
from collections.abc import Iterator

from companion.core.finding import Finding
from companion.owner.system_checks import clock_findings, data_findings
from companion.store.folder import DataFolder
from hardware.detect import POWER, limited, power
from hardware.wear import card, temperature


def wear_findings(data: DataFolder) -> Iterator[Finding]:
    """Temperature and card, where the machine tells them."""
    yield from (one for one in (temperature(), card(data.path)) if one is not None)


def health_findings(data: DataFolder) -> list[Finding]:
    """All of them, in the order in which they should be corrected."""
    return [*clock_findings(time.time()), *data_findings(data), *wear_findings(data), limited(POWER, power)]
