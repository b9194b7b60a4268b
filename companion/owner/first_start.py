"""The first start of an appliance: its page asks for language and network once, then never again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from companion.api.settings import Restarting, SettingsChange
from companion.api.wireless import FirstSettings, WirelessJoin
from companion.owner.restarter import Restarter
from companion.owner.settings import SettingsService
from companion.owner.wireless import Wireless

DONE = "welcomed"
"""The file of the data folder that ends the first start."""


class FirstStart:
    """Every method may be called from any thread.

    Args:
        untouched: whether nothing has been played or set on this machine yet.
    """

    def __init__(
        self,
        data: Path,
        wireless: Wireless,
        settings: SettingsService,
        restarter: Restarter,
        untouched: Callable[[], bool],
    ) -> None:
        self._done = data / DONE
        self._wireless = wireless
        self._settings = settings
        self._restarter = restarter
        self._untouched = untouched

    @property
    def due(self) -> bool:
        """Whether the page is to be shown: on an appliance that is new."""
        return not self._done.exists() and self._wireless.state().available and self._untouched()

    def finish(self, first: FirstSettings) -> Restarting:
        """Takes language and network over; the service starts again if the language is another one.

        Raises:
            CompanionError: a value is impossible; the page stays.
        """
        if first.network:
            self._wireless.join(WirelessJoin(first.network, first.password))
        now = self._settings.state()
        language = next(one.value for one in now.fields if one.key == "table.language")
        run = Restarting(self._restarter.run)
        if first.language != language:
            run = self._settings.save(SettingsChange({"table.language": first.language}, now.version))
        with contextlib.suppress(OSError):
            self._done.touch(mode=0o600)
        return run
