"""The wireless network of the companion's own, and joining another one."""

from __future__ import annotations

import msgspec


class HotspotAccess(msgspec.Struct, frozen=True):
    """Name and password of the hotspot; "": it has no password."""

    name: str
    password: str


class WirelessState(msgspec.Struct, frozen=True):
    """What is known of wireless networks. Without the appliance's service nothing can be joined."""

    available: bool
    hotspot: HotspotAccess | None = None
    """The open hotspot."""
    networks: tuple[str, ...] = ()
    """The networks nearby, the strongest first."""
    joined: bool | None = None
    """Whether the network that was entered last could be joined; None: none was, or it is being tried."""
    ok: bool = True


class WirelessJoin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A network to join."""

    network: str
    password: str


class FirstSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the page of the first start asks for; `network` "": none is joined."""

    language: str
    network: str
    password: str
