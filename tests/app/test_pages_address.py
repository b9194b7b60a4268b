"""The address in the QR code is one that phones can reach."""

import socket

import pytest

from companion.host import pages_address
from companion.host.pages_address import PagesAddress, chosen


@pytest.mark.parametrize(
    ("interfaces", "default", "expected"),
    [
        ({"eth0": "192.168.1.20"}, "192.168.1.20", "192.168.1.20"),
        ({"wlan0": "192.168.4.1"}, None, "192.168.4.1"),
        ({"wlan0": "10.42.0.1", "eth0": "192.168.1.20"}, "192.168.1.20", "10.42.0.1"),
        ({"eth0": "192.168.1.20", "wlan0": "192.168.7.3"}, "192.168.7.3", "192.168.7.3"),
        ({"eth0": "169.254.3.4", "wlan0": "192.168.7.3"}, None, "192.168.7.3"),
        ({"docker0": "172.17.0.1", "wlan0": "192.168.7.3"}, None, "192.168.7.3"),
        ({"tun0": "10.8.0.2", "eth0": "192.168.1.20"}, "10.8.0.2", "192.168.1.20"),
        ({}, "192.168.1.20", "192.168.1.20"),
        ({}, None, "127.0.0.1"),
    ],
    ids=["router", "no route", "hotspot and cable", "two networks", "no route, Wi-Fi first", "containers",
         "a tunnel has the default route", "no Linux", "no network"],
)  # fmt: skip
def test_the_address_is_in_the_network_of_the_phones(
    interfaces: dict[str, str], default: str | None, expected: str
) -> None:
    assert chosen(interfaces, default) == expected


def test_this_machines_interfaces_are_read() -> None:
    for name, address in pages_address._interfaces():
        assert name in {known for _, known in socket.if_nameindex()}
        assert socket.inet_aton(address)
        assert not address.startswith("127.")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("10.42.0.1:8080", "http://10.42.0.1:8080/"),
        ("192.168.7.3", "http://192.168.7.3:8080/"),
        ("127.0.0.1:8080", "own"),
        ("0.0.0.0:8080", "own"),
        ("companion.local:8080", "own"),
        ("localhost", "own"),
        ("[fe80::1]:8080", "own"),
        ("", "own"),
    ],
)
def test_a_phone_passes_on_the_address_that_it_uses(
    host: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages_address, "own_address", lambda: "192.168.1.20")
    own = "http://192.168.1.20:8080/"
    assert PagesAddress("", 8080).seen_from(host) == (own if expected == "own" else expected)


def test_a_configured_address_is_shown_to_everybody() -> None:
    assert PagesAddress("http://table.example.org/", 8080).seen_from("10.42.0.1:8080") == (
        "http://table.example.org/"
    )
