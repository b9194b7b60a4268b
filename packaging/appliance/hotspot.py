"""Opens a wireless network of the companion's own where there is no other, and closes it when there is one.

Runs as a service of the appliance, with Python's own library only. NetworkManager does the work: its shared
mode gives addresses to the phones, and every name leads to the companion (companion-hotspot.conf).
"""

from __future__ import annotations

import subprocess
import time
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

CONNECTION = "companion-hotspot"
ADDRESS = "10.42.0.1/24"
SETTINGS = (
    Path("/boot/firmware/companion-appliance.toml"),
    Path("/etc/tabletop-companion/appliance.toml"),
)
"""The first that exists counts. The one on the card's first partition can be written by any computer."""

LOOKS_EVERY_S = 10.0
OPENS_AFTER_S = 45.0
"""Seconds without a network: a router or NetworkManager's first search may take so long."""
EMPTY_S = 600.0
"""Seconds without a phone in the hotspot after which the known networks are tried again."""

Action = Literal["none", "open", "close"]


@dataclass(frozen=True)
class Device:
    """A line of `nmcli device`."""

    name: str
    kind: str
    state: str
    connection: str


@dataclass(frozen=True)
class State:
    """What the last looks found: seconds without a network, and seconds without a phone in the hotspot."""

    without_network_s: float = 0.0
    empty_s: float = 0.0


def devices(listed: str) -> list[Device]:
    """Reads `nmcli --terse --fields DEVICE,TYPE,STATE,CONNECTION device`; a colon in a field is escaped."""
    found = []
    for line in listed.splitlines():
        fields = line.replace("\\:", "\0").split(":")
        if len(fields) == 4:
            found.append(Device(*(field.replace("\0", ":") for field in fields)))
    return found


def decide(found: list[Device], state: State, phones: int, known: bool) -> tuple[Action, State]:
    """What to do now, and the state for the next look.

    Args:
        found: the network devices.
        phones: how many phones are in the hotspot.
        known: whether there is another wireless network that this machine has a password for.
    """
    connected = [each for each in found if each.state == "connected" and each.kind in ("wifi", "ethernet")]
    is_open = any(each.connection == CONNECTION for each in connected)
    network = any(each.connection != CONNECTION for each in connected)
    if is_open and network:
        return "close", State()
    if is_open:
        empty_s = 0.0 if phones else state.empty_s + LOOKS_EVERY_S
        return ("close", State()) if known and empty_s >= EMPTY_S else ("none", State(empty_s=empty_s))
    if network or not any(each.kind == "wifi" for each in found):
        return "none", State()
    without = replace(state, without_network_s=state.without_network_s + LOOKS_EVERY_S)
    return ("open", State()) if without.without_network_s >= OPENS_AFTER_S else ("none", without)


def hotspot_settings(text: str) -> tuple[str, str]:
    """Name and password of the hotspot from the settings file; a password shorter than 8 makes it open.

    WPA2 takes 8 to 63 characters.
    """
    section = tomllib.loads(text).get("hotspot", {})
    return str(section.get("name", "Tabletop companion"))[:32], str(section.get("password", ""))[:63]


def profile(name: str, password: str) -> list[str]:
    """The command that adds the hotspot to NetworkManager."""
    command = [
        "nmcli", "connection", "add", "type", "wifi", "con-name", CONNECTION, "ifname", "*",
        "autoconnect", "no",
        "ssid", name, "mode", "ap", "wifi.band", "bg", "ipv4.method", "shared", "ipv4.addresses", ADDRESS,
        "ipv6.method", "disabled",
    ]  # fmt: skip
    if len(password) >= 8:
        # CCMP only: some phones refuse a network that also offers the old TKIP.
        command += [
            "wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", password, "wifi-sec.proto", "rsn",
            "wifi-sec.pairwise", "ccmp", "wifi-sec.group", "ccmp", "wifi-sec.pmf", "disable",
        ]  # fmt: skip
    return command


def asked(*command: str) -> str:
    """The output of a command; "" if it fails or is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def look(state: State) -> State:
    """One look at the network, and what follows from it."""
    found = devices(asked("nmcli", "--terse", "--fields", "DEVICE,TYPE,STATE,CONNECTION", "device"))
    wireless = next((each.name for each in found if each.connection == CONNECTION), "")
    phones = asked("iw", "dev", wireless, "station", "dump").count("Station ") if wireless else 0
    profiles = wireless_profiles(asked("nmcli", "--terse", "--fields", "NAME,TYPE", "connection"))
    action, after = decide(found, state, phones, known=any(each != CONNECTION for each in profiles))
    if action == "open":
        name, password = hotspot_settings(next((file.read_text() for file in SETTINGS if file.exists()), ""))
        asked("nmcli", "connection", "delete", CONNECTION)
        asked(*profile(name, password))
        asked("nmcli", "connection", "up", CONNECTION)
    elif action == "close":
        asked("nmcli", "connection", "down", CONNECTION)
    return after


def wireless_profiles(listed: str) -> list[str]:
    """The names of the wireless connections that NetworkManager knows."""
    return [line.rpartition(":")[0] for line in listed.splitlines() if line.endswith(":802-11-wireless")]


def main() -> None:
    """Looks for as long as the service runs."""
    state = State()
    while True:
        state = look(state)
        time.sleep(LOOKS_EVERY_S)


if __name__ == "__main__":
    main()
