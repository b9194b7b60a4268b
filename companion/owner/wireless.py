"""The appliance's wireless network, as its service (packaging/appliance/hotspot.py) reports it.

The pages have no right to change networks. They leave a request in the data folder; the service of the
appliance reads it and writes what became of it.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from pathlib import Path

import msgspec

from companion.api.wireless import HotspotAccess, WirelessJoin, WirelessState
from companion.core.errors import Unavailable, UsageError
from companion.core.replace_file import replace_file

REQUEST = "wifi-request.json"
"""The request in the data folder; the group of the service may read it."""
SHORTEST, LONGEST = 8, 63
"""Characters of a password of WPA2 and WPA3."""


class _WirelessReport(msgspec.Struct, frozen=True):
    """The file of the service. `request`: the one that was carried out last."""

    hotspot: HotspotAccess | None = None
    networks: tuple[str, ...] = ()
    wifi: bool = False
    request: str = ""
    joined: bool = False


class Wireless:
    """Every method may be called from any thread.

    Args:
        status: the file of the appliance's service; None: there is no such service.
        data: the data folder.
    """

    def __init__(self, status: Path | None, data: Path) -> None:
        self._status = status
        self._request = data / REQUEST

    def state(self) -> WirelessState:
        """What the service has reported. A request that was carried out is deleted with its password."""
        reported = self._reported()
        if reported is None:
            return WirelessState(False)
        joined = reported.joined if reported.request else None
        with contextlib.suppress(OSError, ValueError, KeyError):
            waiting = json.loads(self._request.read_text(encoding="utf-8"))["id"]
            if waiting == reported.request:
                self._request.unlink()
            else:
                joined = None
        return WirelessState(reported.wifi, reported.hotspot, reported.networks, joined)

    def join(self, wanted: WirelessJoin) -> None:
        """Asks the service to join a network.

        Raises:
            UsageError: name or password is impossible.
            Unavailable: there is no such service, or the request cannot be written.
        """
        if not self.state().available:
            raise Unavailable("wireless.none")
        if not 0 < len(wanted.network.encode()) <= 32:
            raise UsageError("wireless.bad_name")
        if wanted.password and not SHORTEST <= len(wanted.password) <= LONGEST:
            raise UsageError("wireless.bad_password", shortest=SHORTEST, longest=LONGEST)
        request = {"id": secrets.token_hex(8), "name": wanted.network, "password": wanted.password}
        try:
            replace_file(self._request, json.dumps(request).encode(), 0o640)
        except OSError as error:
            raise Unavailable("data.cannot_write", path=self._request, why=error.strerror) from error

    def _reported(self) -> _WirelessReport | None:
        if self._status is not None:
            with contextlib.suppress(OSError, msgspec.MsgspecError):
                return msgspec.json.decode(self._status.read_bytes(), type=_WirelessReport)
        return None
