"""The address under which phones reach the pages."""

from __future__ import annotations

import ipaddress
import socket
import struct
from collections.abc import Iterator, Mapping

SIOCGIFADDR, SIOCGIFFLAGS = 0x8915, 0x8913
"""Linux: the address and the flags of a network interface."""
UP, LOOPBACK, RUNNING = 0x1, 0x8, 0x40
VIRTUAL = ("docker", "br-", "veth", "virbr", "tun", "tap", "wg", "tailscale", "zt")
"""Beginnings of the names of interfaces that no phone at the table is connected to."""
HTTP_PORT = 80
"""The port that browsers use if an address names none."""
HOTSPOT = ipaddress.IPv4Network("10.42.0.0/16")
"""The networks that NetworkManager gives to the phones of its own hotspot."""


class PagesAddress:
    """The configured address, else this machine's own with the port of the web server.

    Args:
        url: the configured address; "": none.
        port: the configured port; 0: any free one, which the web server sets once it listens.
    """

    def __init__(self, url: str, port: int) -> None:
        self._url = url
        self.port = port
        """The port that the pages are served on."""

    @property
    def url(self) -> str:
        """E.g. `http://192.168.1.20:8080/`."""
        return self._url or self._of(own_address())

    def seen_from(self, host: str) -> str:
        """The address for others in the network of the phone that has asked `host` (its Host header): of
        several networks that one is right in which the phone is. A name is not handed on: not every phone
        can resolve it."""
        name = host.rpartition(":")[0] or host
        try:
            address = ipaddress.IPv4Address(name)
        except ValueError:
            return self.url
        if self._url or address.is_loopback or address.is_unspecified:
            return self.url
        return self._of(str(address))

    def _of(self, address: str) -> str:
        return f"http://{address}/" if self.port == HTTP_PORT else f"http://{address}:{self.port}/"


def own_address() -> str:
    """This machine's address in the network of the phones; 127.0.0.1: it is in none.

    Its own hotspot comes first, then the network of the default route, then any other, Wi-Fi before cable.
    """
    return chosen(dict(_interfaces()), _of_the_default_route())


def chosen(interfaces: Mapping[str, str], default: str | None) -> str:
    """The address that phones use.

    Args:
        interfaces: name of each interface that is up -> its address.
        default: the address in the network of the default route; None: there is no such route.
    """
    known = {name: address for name, address in interfaces.items() if not name.startswith(VIRTUAL)}
    hotspots = [one for one in known.values() if ipaddress.IPv4Address(one) in HOTSPOT and one.endswith(".1")]
    if hotspots:
        return hotspots[0]
    if default is not None and (default in known.values() or not known):
        return default
    ordered = sorted(known, key=lambda name: (not name.startswith("wl"), name))
    return known[ordered[0]] if ordered else "127.0.0.1"


def _of_the_default_route() -> str | None:
    """Reads the routing table only: nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1 of RFC 5737: an address that no machine has
            return str(probe.getsockname()[0])
        except OSError:
            return None


def _interfaces() -> Iterator[tuple[str, str]]:
    """Name and address of each interface that is up, loopback left out; nothing where the system is not
    Linux."""
    try:
        from fcntl import ioctl
    except ImportError:
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            request = struct.pack("16s16x", name.encode()[:15])
            try:
                flags = struct.unpack_from("H", ioctl(asked, SIOCGIFFLAGS, request), 16)[0]
                answer = ioctl(asked, SIOCGIFADDR, struct.pack("16sH22x", name.encode()[:15], socket.AF_INET))
            except OSError:
                continue  # it has no address of this kind, or the system is not Linux
            if flags & UP and flags & RUNNING and not flags & LOOPBACK:
                yield name, socket.inet_ntoa(answer[20:24])
