"""Updates of an appliance, which its service (packaging/appliance/update.py) carries out as root.

The pages have no such right. They leave a request of one word in the data folder; systemd starts the service.
It also checks who has signed a version that a phone has sent.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Sequence
from pathlib import Path

import msgspec

from companion.api.machine import UpdateAction, UpdateResult, UpdateState
from companion.core.errors import Unavailable
from companion.core.replace_file import replace_file
from companion.owner.uploads import Uploads

PROGRAM = Path("/usr/lib/tabletop-companion-appliance/update.py")
STATUS = Path("/run/companion-update/status.json")
CACHE = Path("/var/cache/tabletop-companion")
KEYS = (
    Path("/usr/lib/tabletop-companion-appliance/update-key.pem"),
    Path("/etc/tabletop-companion/update-keys"),
)
"""A public key, and a folder of them: without one no file of a phone is installed."""
REQUEST = "update-request.json"


class _UpdateReport(msgspec.Struct, frozen=True):
    """The file of the service."""

    state: UpdateResult = ""
    why: str = ""


class Updates:
    """Every method may be called from any thread.

    Args:
        data: the data folder.
        uploads: the files that phones have sent.
        program: the service's program; where it is not there nothing can be updated.
        status: the file in which it reports.
        cache: the packages that it keeps.
        keys: files and folders with the keys that it trusts.
    """

    def __init__(
        self,
        data: Path,
        uploads: Uploads,
        program: Path = PROGRAM,
        status: Path = STATUS,
        cache: Path = CACHE,
        keys: Sequence[Path] = KEYS,
    ) -> None:
        self._request = data / REQUEST
        self._sent = uploads.file("update")
        self._keys = keys
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
        return UpdateState(True, self._has_key(), tuple(sorted(versions)), result, found.why)

    def _has_key(self) -> bool:
        """Whether there is a key that versions from phones may be signed with."""
        return any(place.is_file() or any(place.glob("*.pem")) for place in self._keys)

    def request(self, action: UpdateAction) -> None:
        """Asks for an update, for the version that a phone has sent, or for the version before.

        Raises:
            Unavailable: this machine cannot be updated from a phone or not from a file, nothing was sent, it
                is being updated, or the request cannot be written.
        """
        now = self.state()
        if not now.available:
            raise Unavailable("update.none")
        if action == "install" and not now.from_file:
            raise Unavailable("update.no_key")
        if action == "install" and not self._sent.is_file():
            raise Unavailable("update.no_file")
        if now.result == "running":
            raise Unavailable("update.running")
        wanted = {"id": secrets.token_hex(8), "action": action}
        try:
            replace_file(self._request, json.dumps(wanted).encode(), 0o600)
        except OSError as error:
            raise Unavailable("data.cannot_write", path=self._request, why=error.strerror) from error
