"""Who may set a new appliance up: phones in its own wireless network, and its referee's."""

from __future__ import annotations

import ipaddress

from flask import request

from web.context import is_referee

NETWORK = ipaddress.IPv4Network("10.42.0.0/16")
"""The networks that NetworkManager gives to the phones of its own hotspot."""


def in_hotspot() -> bool:
    """Whether the present request comes from a phone in the companion's own wireless network."""
    try:
        return ipaddress.ip_address(request.remote_addr or "") in NETWORK
    except ValueError:
        return False


def may_begin() -> bool:
    """Whether the phone may set a new machine up."""
    return in_hotspot() or is_referee()
