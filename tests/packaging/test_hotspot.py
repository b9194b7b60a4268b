"""When the appliance opens its own wireless network, and when it closes it."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "packaging" / "appliance" / "hotspot.py"
ALONE = "wlan0:wifi:disconnected:\neth0:ethernet:unavailable:\nlo:loopback:connected (externally):lo"
AT_HOME = "wlan0:wifi:connected:Home\\: upstairs\neth0:ethernet:unavailable:"
OPEN = "wlan0:wifi:connected:companion-hotspot\neth0:ethernet:unavailable:"
CABLE = "wlan0:wifi:connected:companion-hotspot\neth0:ethernet:connected:Wired connection 1"


@pytest.fixture(scope="module")
def hotspot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hotspot", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hotspot"] = module
    spec.loader.exec_module(module)
    return module


def looks(
    hotspot: ModuleType, listed: str, *, phones: int = 0, known: bool = False, most: int = 100
) -> list[str]:
    """The actions of looks at the same devices, up to the first that is not "none"."""
    state, actions = hotspot.State(), []
    for _ in range(most):
        action, state = hotspot.decide(hotspot.devices(listed), state, phones, known)
        actions.append(action)
        if action != "none":
            break
    return actions


def test_without_a_network_it_opens_after_45_seconds(hotspot: ModuleType) -> None:
    assert looks(hotspot, ALONE) == ["none"] * 4 + ["open"]


@pytest.mark.parametrize(
    "listed", [AT_HOME, "eth0:ethernet:connected:Wired connection 1", "eth0:ethernet:unavailable:"]
)
def test_with_a_network_or_without_a_radio_it_stays_closed(hotspot: ModuleType, listed: str) -> None:
    assert set(looks(hotspot, listed)) == {"none"}


def test_a_cable_closes_it(hotspot: ModuleType) -> None:
    assert looks(hotspot, CABLE, phones=3) == ["close"]


def test_it_stays_open_while_a_phone_is_in_it(hotspot: ModuleType) -> None:
    assert set(looks(hotspot, OPEN, phones=1, known=True)) == {"none"}


def test_empty_for_ten_minutes_it_closes_if_a_network_is_known(hotspot: ModuleType) -> None:
    assert looks(hotspot, OPEN, known=True) == ["none"] * 59 + ["close"]
    assert set(looks(hotspot, OPEN, known=False)) == {"none"}


def test_a_colon_in_the_name_of_a_network(hotspot: ModuleType) -> None:
    assert hotspot.devices(AT_HOME)[0].connection == "Home: upstairs"


def test_the_settings_that_are_delivered(hotspot: ModuleType) -> None:
    name, password = hotspot.hotspot_settings((FILE.parent / "appliance.toml").read_text())
    command = hotspot.profile(name, password)
    assert command[command.index("ssid") + 1] == "Tabletop companion"
    assert command[command.index("wifi-sec.psk") + 1] == password
    assert 8 <= len(password) <= 63


def test_without_a_password_the_network_is_open(hotspot: ModuleType) -> None:
    assert not any("wifi-sec" in word for word in hotspot.profile("x", "short"))


def test_every_name_leads_to_the_address_of_the_hotspot(hotspot: ModuleType) -> None:
    conf = (FILE.parent / "companion-hotspot.conf").read_text()
    assert f"address=/#/{hotspot.ADDRESS.partition('/')[0]}" in conf.splitlines()
