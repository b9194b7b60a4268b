"""The checks on an appliance without a network (hotspot.sh): its own wireless network, and the one at home.

The phone and the router at home are network namespaces with a radio each; wpa_supplicant is both. What the
checks find is written to /out (guest_tools.py).
"""

from __future__ import annotations

import json
import re
import socket
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from guest_tools import carried_out, in_namespace, resolved, run, show, until

STATUS = Path("/run/companion-hotspot/status.json")
CARD = Path("/boot/firmware/companion-hotspot.txt")
CONFIG = Path("/var/lib/companion/config.toml")
HOTSPOT, ROUTER = "10.42.0.1", "192.168.99.1"
HOME, PASSWORD = "At home", "correct horse 7"
figures: dict[str, Any] = {}
cookie: list[str] = []


def status() -> dict[str, Any]:
    """What the hotspot's service reports; {}: nothing yet."""
    try:
        found: dict[str, Any] = json.loads(STATUS.read_text())
    except (OSError, ValueError):
        return {}
    return found


def hotspot_is_open() -> bool:
    """Whether the hotspot is reported and NetworkManager has it."""
    return bool(status().get("hotspot")) and "companion-hotspot" in run(
        "nmcli", "--terse", "--fields", "NAME", "connection", "show", "--active", good=False
    )


def ask(path: str, body: object = None, address: str = HOTSPOT, by: str = "phone") -> tuple[int, str, str]:
    """The answer that a machine gets on port 80: status, where it leads, body."""
    request = json.dumps({"path": path, "body": body, "address": address, "cookie": "".join(cookie)})
    code, location, given, text = json.loads(in_namespace(by, sys.executable, __file__, "fetch", request))
    if given:
        cookie[:] = [given.partition(";")[0]]
    return code, location, text


def _fetch(request: dict[str, Any]) -> None:
    """One request, in the network namespace of a phone; prints what came back."""
    import http.client

    connection = http.client.HTTPConnection(request["address"], timeout=120)
    origin = f"http://{request['address']}"
    headers = {"Cookie": request["cookie"], "Origin": origin, "Sec-Fetch-Site": "same-origin"}
    if request["body"] is None:
        connection.request("GET", request["path"], headers=headers)
    else:
        content = {**headers, "Content-Type": "application/json"}
        connection.request("POST", request["path"], json.dumps(request["body"]), content)
    answer = connection.getresponse()
    found = [answer.status, answer.getheader("Location", ""), answer.getheader("Set-Cookie", "")]
    print(json.dumps([*found, answer.read().decode(errors="replace")[:2000]]))


def _look_up(name: str) -> None:
    """Asks the hotspot's name server for a name; prints the address."""
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"
    question = struct.pack("!6H", 7, 0x100, 1, 0, 0, 0) + labels + struct.pack("!2H", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone:
        phone.settimeout(30)
        phone.sendto(question, (HOTSPOT, 53))
        print(socket.inet_ntoa(phone.recv(900)[-4:]))


def radio(namespace: str, number: int) -> str:
    """Gives a radio to a new network namespace; the name of its interface there."""
    run("ip", "netns", "add", namespace)
    run("iw", "phy", f"phy{number}", "set", "netns", "name", namespace)
    in_namespace(namespace, "ip", "link", "set", "lo", "up")
    names: list[str] = re.findall(r"\d+: (wlan\d+):", in_namespace(namespace, "ip", "link"))
    in_namespace(namespace, "ip", "link", "set", names[0], "up")
    return names[0]


def supplicant(namespace: str, interface: str, network: str) -> None:
    """wpa_supplicant with one network."""
    file = Path(f"/run/{namespace}.conf")
    file.write_text(f"ctrl_interface=/run/wpa-{namespace}\ncountry=DE\nnetwork={{\n{network}\n}}\n")
    in_namespace(namespace, "wpa_supplicant", "-B", "-i", interface, "-c", str(file))


# --- the checks -------------------------------------------------------------------------------------------


def there_are_three_radios() -> None:
    until(lambda: "phy2" in run("iw", "phy"), 60, "three radios")
    figures["phone"], figures["router"] = radio("phone", 1), radio("router", 2)


def the_service_is_ready() -> None:
    until(lambda: show("ActiveState") == "active", 600, "the service is ready", 3.0)
    assert show("ActiveState", "companion-hotspot.service") == "active"


def the_hotspot_opens_by_itself() -> None:
    figures["opened_after_s"] = until(hotspot_is_open, 300, "the hotspot is open", 2.0)
    hotspot = status()["hotspot"]
    assert CARD.read_text() == f"wireless network: {hotspot['name']}\npassword: {hotspot['password']}\n"
    assert len(hotspot["password"]) == 10, hotspot
    assert HOTSPOT in run("ip", "-4", "address"), run("ip", "-4", "address")
    assert STATUS.stat().st_mode & 0o777 == 0o640
    assert STATUS.group() == "companion"


def a_phone_joins() -> None:
    """With name and password from the card; it gets an address."""
    name, password = (line.partition(": ")[2] for line in CARD.read_text().splitlines())
    supplicant("phone", figures["phone"], f'ssid="{name}"\nkey_mgmt=WPA-PSK\npsk="{password}"')
    control = ("wpa_cli", "-p", "/run/wpa-phone", "-i", figures["phone"], "status")
    until(lambda: "wpa_state=COMPLETED" in in_namespace("phone", *control, good=False), 120, "it joins", 2.0)
    script = Path("/run/udhcpc")
    script.write_text('#!/bin/sh\n[ "$1" != bound ] || ip addr replace $ip/24 dev $interface\n')
    script.chmod(0o755)
    in_namespace(
        "phone", "busybox", "udhcpc", "-q", "-n", "-t", "20", "-i", figures["phone"], "-s", str(script)
    )
    assert "10.42.0." in in_namespace("phone", "ip", "-4", "address"), in_namespace(
        "phone", "ip", "-4", "address"
    )


def every_name_leads_to_the_pages() -> None:
    for name in ("connectivitycheck.gstatic.com", "captive.apple.com", "companion.local"):
        found = in_namespace("phone", sys.executable, __file__, "look_up", name)
        assert found == HOTSPOT, (name, found)
    code, location, _ = ask("/generate_204")
    assert (code, location.startswith(f"http://{HOTSPOT}/")) == (302, True), (code, location)
    code, location, _ = ask("/")
    assert (code, location) == (302, "/welcome"), (code, location)


def the_first_phone_becomes_the_referees() -> None:
    code, _, said = ask("/api/welcome/claim", {})
    assert (code, json.loads(said)["role"]) == (200, "referee"), said


def the_router_at_home_is_found() -> None:
    network = (
        f'ssid="{HOME}"\nmode=2\nfrequency=2437\nkey_mgmt=WPA-PSK\nproto=RSN\npairwise=CCMP\npsk="{PASSWORD}"'
    )
    supplicant("router", figures["router"], network)
    in_namespace("router", "ip", "address", "add", f"{ROUTER}/24", "dev", figures["router"])
    in_namespace(
        "router", "dnsmasq", f"--interface={figures['router']}", "--bind-interfaces", "--conf-file=/dev/null",
        "--except-interface=lo", "--port=0", "--dhcp-range=192.168.99.20,192.168.99.99",
        "--dhcp-leasefile=/run/router-leases", "--pid-file=/run/router.pid",
    )  # fmt: skip
    time.sleep(5)


def a_wrong_password_opens_the_hotspot_again() -> None:
    code, _, said = ask("/api/wireless/join", {"network": HOME, "password": "wrong password"})
    assert code == 200, said
    until(lambda: status().get("joined") is False, 300, "it is reported", 2.0)
    figures["open_again_after_s"] = until(hotspot_is_open, 120, "the hotspot is open again", 2.0)
    profiles = run("nmcli", "--terse", "--fields", "NAME", "connection")
    assert HOME not in profiles, profiles


def the_network_of_the_page_is_joined() -> None:
    """The phone is in the hotspot again, and its owner enters language and network."""
    until(lambda: pinged("phone"), 180, "the phone is in the hotspot again", 2.0)
    code, _, said = ask("/api/welcome", {"language": "de", "network": HOME, "password": PASSWORD})
    assert code == 200, said
    figures["joined_after_s"] = until(lambda: status().get("joined") is True, 300, "it is joined", 2.0)
    until(lambda: "192.168.99." in run("ip", "-4", "address"), 120, "it has an address", 2.0)
    assert status()["hotspot"] is None, status()
    assert not hotspot_is_open()
    assert 'language = "de"' in CONFIG.read_text(), CONFIG.read_text()


def pinged(namespace: str) -> bool:
    """Whether a namespace reaches the hotspot."""
    command = ("busybox", "ping", "-c", "1", "-W", "3", HOTSPOT)
    return " 0% packet loss" in in_namespace(namespace, *command, good=False)


def companion_local_is_known_at_home() -> None:
    until(lambda: resolved("router", ROUTER), 180, "companion.local", 3.0)
    address = resolved("router", ROUTER)
    assert address.startswith("192.168.99."), address
    until(lambda: ask("/state.json", address=address, by="router")[0] == 200, 300, "the pages", 5.0)
    code, location, _ = ask("/generate_204", address=address, by="router")
    assert (code, location.startswith(f"http://{address}/")) == (302, True), (code, location)


def the_hotspot_opens_where_the_router_is_gone() -> None:
    in_namespace("router", "ip", "link", "set", figures["router"], "down")
    figures["opened_when_gone_s"] = until(hotspot_is_open, 400, "the hotspot is open", 3.0)


CHECKS: tuple[Callable[[], None], ...] = (
    there_are_three_radios,
    the_service_is_ready,
    the_hotspot_opens_by_itself,
    a_phone_joins,
    every_name_leads_to_the_pages,
    the_first_phone_becomes_the_referees,
    the_router_at_home_is_found,
    a_wrong_password_opens_the_hotspot_again,
    the_network_of_the_page_is_joined,
    companion_local_is_known_at_home,
    the_hotspot_opens_where_the_router_is_gone,
)

if __name__ == "__main__":
    if sys.argv[1:2] == ["fetch"]:
        _fetch(json.loads(sys.argv[2]))
    elif sys.argv[1:2] == ["look_up"]:
        _look_up(sys.argv[2])
    else:
        sys.exit(carried_out(CHECKS, figures))
