"""Opens a wireless network of the companion's own where there is no other, and closes it when there is one.

Runs as a service of the appliance, with Python's own library only. NetworkManager does the work: its shared
mode gives addresses to the phones and resolves every name to the companion (companion-hotspot.conf).

Each machine makes a password of its own. The pages, which have no right to change networks, leave a request
in the data folder when their owner enters a wireless network; this service reads it and says what became of
it.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
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

OWN_PASSWORD = Path("/var/lib/tabletop-companion-appliance/hotspot-password")
"""The password that this machine has made."""
CARD = Path("/boot/firmware/companion-hotspot.txt")
"""Name and password on the card's first partition, which any computer can read."""
STATUS = Path("/run/companion-hotspot/status.json")
"""What the pages may know: whether the hotspot is open, its name and password, the networks nearby, and what
became of the latest request."""
REQUEST = Path("/var/lib/companion/wifi-request.json")
"""The wireless network that the owner has entered on a page: {"id", "name", "password"}."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of a password: those that are easily confused are left out."""

INTERVAL_S = 10.0
OPENS_AFTER_S = 45.0
"""Seconds without a network after which it opens: a router may take so long, and NetworkManager's search."""
EMPTY_S = 600.0
"""Seconds without a phone in the hotspot after which the known networks are tried again."""

Action = Literal["none", "open", "close"]
Status = dict[str, object]


@dataclass(frozen=True)
class Device:
    """A line of `nmcli device`."""

    name: str
    kind: str
    state: str
    connection: str


@dataclass(frozen=True)
class State:
    """Since when something lasts: seconds without a network, and seconds without a phone in the hotspot."""

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
    """What to do now, and the state for the next check.

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
        empty_s = 0.0 if phones else state.empty_s + INTERVAL_S
        return ("close", State()) if known and empty_s >= EMPTY_S else ("none", State(empty_s=empty_s))
    if network or not any(each.kind == "wifi" for each in found):
        return "none", State()
    without = replace(state, without_network_s=state.without_network_s + INTERVAL_S)
    return ("open", State()) if without.without_network_s >= OPENS_AFTER_S else ("none", without)


def hotspot_settings(text: str) -> tuple[str, str | None]:
    """Name and password of the hotspot from the settings file; None: this machine's own password. A password
    shorter than 8 characters makes the hotspot open; WPA2 takes 8 to 63."""
    section = tomllib.loads(text).get("hotspot", {})
    password = section.get("password")
    name = str(section.get("name", "Tabletop companion"))[:32]
    return name, None if password is None else str(password)[:63]


def own_password(file: Path) -> str:
    """The password of this machine: random, made once. 10 letters of 31 are 49 bits."""
    with contextlib.suppress(OSError):
        if kept := file.read_text(encoding="utf-8").strip():
            return kept
    made = "".join(secrets.choice(LETTERS) for _ in range(10))
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as new:
        new.write(made + "\n")
    return made


def credentials() -> tuple[str, str]:
    """Name and password of the hotspot."""
    name, password = hotspot_settings(next((file.read_text() for file in SETTINGS if file.exists()), ""))
    return name, own_password(OWN_PASSWORD) if password is None else password


def write_credentials(name: str, password: str) -> None:
    """Writes name and password into the log and onto the card."""
    text = f"wireless network: {name}\npassword: {password or 'none'}\n"
    print(text, flush=True)
    if CARD.parent.is_dir():
        with contextlib.suppress(OSError):
            CARD.write_text(text)


def nearby(listed: str) -> list[str]:
    """The names of the networks in `nmcli --terse --fields SSID device wifi list`, the strongest first."""
    names = (line.replace("\\:", ":") for line in listed.splitlines())
    return list(dict.fromkeys(name for name in names if name))[:40]


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


def output_of(*command: str) -> str:
    """The output of a command; "" if it fails or is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def check_network(state: State, status: Status) -> State:
    """Checks the network once and opens or closes the hotspot; `status` is what the pages may know."""
    found = devices(output_of("nmcli", "--terse", "--fields", "DEVICE,TYPE,STATE,CONNECTION", "device"))
    wireless = next((each.name for each in found if each.connection == CONNECTION), "")
    phones = output_of("iw", "dev", wireless, "station", "dump").count("Station ") if wireless else 0
    profiles = wireless_profiles(output_of("nmcli", "--terse", "--fields", "NAME,TYPE", "connection"))
    action, after = decide(found, state, phones, known=any(each != CONNECTION for each in profiles))
    if action == "open":
        open_hotspot(status)
    elif action == "close":
        output_of("nmcli", "connection", "down", CONNECTION)
        status["hotspot"] = None
    elif wireless and not status.get("hotspot"):
        name, password = credentials()
        status["hotspot"] = {"name": name, "password": password}
    elif not wireless:
        status["hotspot"] = None
        status["wifi"] = any(each.kind == "wifi" for each in found)
        status["networks"] = nearby(
            output_of("nmcli", "--terse", "--fields", "SSID", "device", "wifi", "list")
        )
    return after


def open_hotspot(status: Status) -> None:
    """Opens the hotspot. Networks nearby are listed before: an open one keeps the radio from searching."""
    status["wifi"] = True
    status["networks"] = nearby(output_of("nmcli", "--terse", "--fields", "SSID", "device", "wifi", "list"))
    name, password = credentials()
    output_of("nmcli", "connection", "delete", CONNECTION)
    output_of(*profile(name, password))
    output_of("nmcli", "connection", "up", CONNECTION)
    write_credentials(name, password)
    status["hotspot"] = {"name": name, "password": password}


def connect(status: Status) -> None:
    """Joins the network that the owner has entered; the hotspot opens again if that fails."""
    try:
        wanted = json.loads(REQUEST.read_text(encoding="utf-8"))
        number, name, password = str(wanted["id"]), str(wanted["name"]), str(wanted["password"])
    except (OSError, ValueError, KeyError, TypeError):
        return
    if number == status.get("request") or not name:
        return
    was_open = bool(status.get("hotspot"))
    known = wireless_profiles(output_of("nmcli", "--terse", "--fields", "NAME,TYPE", "connection"))
    secret = ["password", password] if password else []
    joined = output_of("nmcli", "--wait", "45", "device", "wifi", "connect", name, *secret)
    status["request"], status["joined"] = number, bool(joined)
    if joined:
        status["hotspot"] = None
        return
    if name not in known:
        output_of("nmcli", "connection", "delete", name)
    if was_open:
        output_of("nmcli", "connection", "up", CONNECTION)


def publish(status: Status) -> None:
    """Writes the status for the pages: readable by their group only."""
    part = STATUS.with_suffix(".part")
    with contextlib.suppress(OSError):
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o640), "w") as file:
            json.dump(status, file)
        part.replace(STATUS)


def wireless_profiles(listed: str) -> list[str]:
    """The names of the wireless connections that NetworkManager knows."""
    return [line.rpartition(":")[0] for line in listed.splitlines() if line.endswith(":802-11-wireless")]


def main() -> None:
    """Checks the network for as long as the service runs."""
    state = State()
    status: Status = {}
    while True:
        connect(status)
        state = check_network(state, status)
        publish(status)
        time.sleep(INTERVAL_S)


if __name__ == "__main__":
    main()
