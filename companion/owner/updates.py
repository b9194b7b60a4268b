"""Updates of an appliance, which its service (packaging/appliance/update.py) carries out as root.

The pages have no such right. They leave a request of one word in the data folder; systemd starts the service.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from pathlib import Path

import msgspec

from companion.api.machine import UpdateAction, UpdateResult, UpdateState
from companion.core.errors import Unavailable
from companion.core.replace_file import replace_file

PROGRAM = Path("/usr/lib/tabletop-companion-appliance/update.py")
STATUS = Path("/run/companion-update/status.json")
CACHE = Path("/var/cache/tabletop-companion")
REQUEST = "update-request.json"


class _UpdateReport(msgspec.Struct, frozen=True):
    """The file of the service."""

    state: UpdateResult = ""
    why: str = ""


class Updates:
    """Every method may be called from any thread.

    Args:
        data: the data folder.
        program: the service's program; where it is not there nothing can be updated.
        status: the file in which it reports.
        cache: the packages that it keeps.
    """

    def __init__(
        self, data: Path, program: Path = PROGRAM, status: Path = STATUS, cache: Path = CACHE
    ) -> None:
        self._request = data / REQUEST
        self._program = program
        self._status = status
        self._cache = cache

    def state(self) -> UpdateState:
        """What is known of updates."""
        if not self._program.is_file():
            return UpdateState(False)
        found = _UpdateReport()
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            found = msgspec.json.decode(self._status.read_bytes(), type=_UpdateReport)
        result: UpdateResult = "running" if self._request.exists() else found.state
        versions = {file.name.split("_")[1] for file in self._cache.glob("tabletop-companion_*_*.deb")}
        return UpdateState(True, tuple(sorted(versions)), result, found.why)

    def request(self, action: UpdateAction) -> None:
        """Asks for an update, or for the version before.

        Raises:
            Unavailable: this machine cannot be updated from a phone, it is being updated, or the request
                cannot be written.
        """
        now = self.state()
        if not now.available:
            raise Unavailable("update.none")
        if now.result == "running":
            raise Unavailable("update.running")
        wanted = {"id": secrets.token_hex(8), "action": action}
        try:
            replace_file(self._request, json.dumps(wanted).encode(), 0o600)
        except OSError as error:
            raise Unavailable("data.cannot_write", path=self._request, why=error.strerror) from error
