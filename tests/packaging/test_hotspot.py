"""When the appliance opens its own wireless network, and when it closes it."""

import importlib.util
import json
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


def test_no_password_is_delivered_and_each_machine_makes_its_own(hotspot: ModuleType, tmp_path: Path) -> None:
    name, password = hotspot.hotspot_settings((FILE.parent / "appliance.toml").read_text())
    assert (name, password) == ("Tabletop companion", None)
    made = [hotspot.own_password(tmp_path / str(machine)) for machine in range(20)]
    assert len(set(made)) == 20
    assert all(len(one) == 10 and set(one) <= set(hotspot.LETTERS) for one in made)
    assert hotspot.own_password(tmp_path / "3") == made[3]
    assert (tmp_path / "3").stat().st_mode & 0o777 == 0o600
    command = hotspot.profile(name, made[0])
    assert command[command.index("wifi-sec.psk") + 1] == made[0]


def test_the_owner_may_choose_a_password_or_none(hotspot: ModuleType) -> None:
    chosen = '[hotspot]\nname = "Ours"\npassword = "swordfish"'
    assert hotspot.hotspot_settings(chosen) == ("Ours", "swordfish")
    assert hotspot.hotspot_settings('[hotspot]\npassword = ""') == ("Tabletop companion", "")


class Machine:
    """What nmcli and iw would say, and what they were asked."""

    def __init__(self, hotspot: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.devices = ALONE
        self.networks = "Home\nCafe\\: free\n\nHome\n"
        self.right = {"Home": "correct horse"}
        self.asked: list[tuple[str, ...]] = []
        self.status: dict[str, object] = {}
        self.hotspot = hotspot
        self.request = tmp_path / "request.json"
        places = {"OWN_PASSWORD": tmp_path / "password", "CARD": tmp_path / "card.txt", "SETTINGS": ()}
        places |= {"STATUS": tmp_path / "status.json", "REQUEST": self.request}
        for name, place in places.items():
            monkeypatch.setattr(hotspot, name, place)
        monkeypatch.setattr(hotspot, "output_of", self.ask)

    def ask(self, *command: str) -> str:
        self.asked.append(command)
        if "connect" in command:
            name, *secret = command[command.index("connect") + 1 :]
            if self.right.get(name, "") == (secret[1] if secret else ""):
                self.devices = AT_HOME
                return "activated"
            return ""
        if "wifi" in command and "list" in command:
            return self.networks
        return self.devices if command[-1] == "device" else ""

    def enter(self, number: str, name: str, password: str) -> None:
        self.request.write_text(json.dumps({"id": number, "name": name, "password": password}))

    def look(self) -> None:
        """One look after a minute without a network."""
        state = self.hotspot.State(without_network_s=60.0)
        self.hotspot.connect(self.status)
        self.hotspot.check_network(state, self.status)
        self.hotspot.publish(self.status)

    def published(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.hotspot.STATUS.read_text())
        return found


@pytest.fixture
def machine(hotspot: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return Machine(hotspot, monkeypatch, tmp_path)


def test_the_open_hotspot_is_named_in_the_log_on_the_card_and_for_the_pages(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.look()
    password = machine.hotspot.OWN_PASSWORD.read_text().strip()
    expected = f"wireless network: Tabletop companion\npassword: {password}\n"
    assert machine.hotspot.CARD.read_text() == expected
    assert expected in capsys.readouterr().out
    found = machine.published()
    assert found["hotspot"] == {"name": "Tabletop companion", "password": password}
    assert found["networks"] == ["Home", "Cafe: free"]
    assert machine.hotspot.STATUS.stat().st_mode & 0o777 == 0o640


def test_a_network_that_the_owner_enters_is_joined_once(machine: Machine) -> None:
    machine.look()
    machine.devices = OPEN
    machine.enter("1", "Home", "correct horse")
    machine.look()
    assert machine.published()["joined"] is True
    assert machine.published()["hotspot"] is None
    machine.asked.clear()
    machine.look()
    assert not any("connect" in command for command in machine.asked)


def test_after_a_wrong_password_the_hotspot_opens_again_and_the_network_is_forgotten(
    machine: Machine,
) -> None:
    machine.look()
    machine.devices = OPEN
    machine.enter("1", "Home", "wrong password")
    machine.asked.clear()
    machine.look()
    assert machine.published()["joined"] is False
    assert ("nmcli", "connection", "delete", "Home") in machine.asked
    assert ("nmcli", "connection", "up", "companion-hotspot") in machine.asked


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"id": "1", "name": "", "password": ""}'])
def test_a_request_that_cannot_be_read_changes_nothing(machine: Machine, text: str) -> None:
    machine.request.write_text(text)
    machine.hotspot.connect(machine.status)
    assert machine.status == {}


def test_without_a_password_the_network_is_open(hotspot: ModuleType) -> None:
    assert not any("wifi-sec" in word for word in hotspot.profile("x", "short"))


def test_every_name_leads_to_the_address_of_the_hotspot(hotspot: ModuleType) -> None:
    conf = (FILE.parent / "companion-hotspot.conf").read_text()
    assert f"address=/#/{hotspot.ADDRESS.partition('/')[0]}" in conf.splitlines()
