"""The settings from a phone: what can be set, what is refused, what is written."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.api.settings import SettingChoice, SettingsChange
from companion.core.config import Config, load
from companion.core.errors import CompanionError
from companion.games import game_names
from companion.owner.restarter import Restarter
from companion.owner.settings import SettingsService
from companion.owner.settings_fields import LEFT_OUT, config_keys, fields

TEXT = "# mine\n[buzzer]\npin = 17  # under the table\n"


class Desk:
    """A settings service with a file of its own."""

    def __init__(self, folder: Path, text: str | None = TEXT) -> None:
        self.folder = folder
        self.file = folder / "config.toml"
        if text is not None:
            self.file.write_text(text)
        self.restarts = 0
        self.service = SettingsService(
            self.file, folder, game_names(), dict, lambda: False, Restarter(self._restart)
        )

    def _restart(self) -> None:
        self.restarts += 1

    def change(self, **values: Any) -> SettingsChange:
        keys = {key.replace("__", "."): value for key, value in values.items()}
        return SettingsChange(keys, self.service.state().version)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_every_key_of_the_configuration_is_offered_or_left_out_on_purpose() -> None:
    plain = {
        f"{section}.{key}"
        for section, keys in msgspec.to_builtins(Config()).items()
        if section not in ("decks", "zones")
        for key in keys
    }
    assert plain == set(config_keys()) | LEFT_OUT
    assert all(one.help for one in config_keys().values())


def test_the_file_of_a_key_can_never_be_chosen_from_a_phone(desk: Desk) -> None:
    checked = desk.service.check(desk.change(camera__file="/etc/shadow", pages__port=80))
    assert [one.key for one in checked.problems] == ["camera.file", "pages.port"]
    with pytest.raises(CompanionError):
        desk.service.save(desk.change(mqtt__ca_file="/etc/shadow"))
    assert desk.file.read_text() == TEXT


def test_a_change_is_shown_before_it_is_written(desk: Desk) -> None:
    change = desk.change(buzzer__pin=27, camera__fps=10)
    checked = desk.service.check(change)
    assert checked.problems == ()
    assert "-pin = 17  # under the table" in checked.lines
    assert "+pin = 27  # under the table" in checked.lines
    assert desk.file.read_text() == TEXT
    desk.service.save(change)
    assert desk.file.read_text() == "# mine\n[buzzer]\npin = 27  # under the table\n\n[camera]\nfps = 10.0\n"
    assert load(desk.file, game_names()).camera.fps == 10.0
    assert desk.restarts == 1


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("camera.fps", 61, "settings.between"),
        ("camera.fps", "many", "settings.between"),
        ("camera.stall_s", 0, "settings.from"),
        ("camera.backend", "film", "settings.impossible"),
        ("buzzer.pin", 1, "settings.pins"),
        ("buttons.seats", [5, None], "settings.pins"),
        ("buttons.trophies", {"2": 99}, "settings.pins"),
        ("lamps.rgb", [5, 6], "settings.pins"),
        ("microphone.channel", -1, "settings.between"),
        ("mqtt.table", "No Spaces", "settings.impossible"),
        ("buzzer.volume", 3, "config.no_key"),
    ],
)
def test_a_bad_value_is_named_beside_its_field(desk: Desk, key: str, value: Any, code: str) -> None:
    checked = desk.service.check(desk.change(**{key.replace(".", "__"): value}))
    assert [(one.key, getattr(one.text, "code", "")) for one in checked.problems] == [(key, code)]
    assert checked.lines == ()


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"buttons__seats": [5, 17]}, "buzzer.pin"),
        ({"buttons__referee": 17}, "buzzer.pin"),
        ({"camera__width": 640}, "camera.height"),
        ({"microphone__raw_channels": [0, 1]}, "microphone.raw_channels"),
    ],
)
def test_values_that_do_not_go_together_are_named(desk: Desk, values: dict[str, Any], key: str) -> None:
    checked = desk.service.check(desk.change(**values))
    assert [one.key for one in checked.problems] == [key]


def test_settings_that_somebody_else_changed_are_not_overwritten(desk: Desk) -> None:
    change = desk.change(camera__fps=10)
    desk.file.write_text("[camera]\nfps = 5.0\n")
    with pytest.raises(CompanionError, match="changed by somebody else"):
        desk.service.save(change)
    assert desk.file.read_text() == "[camera]\nfps = 5.0\n"
    assert desk.restarts == 0


def test_the_earlier_settings_can_be_put_back_and_that_undone(desk: Desk) -> None:
    assert not desk.service.state().previous
    with pytest.raises(CompanionError, match="no earlier settings"):
        desk.service.put_back()
    desk.service.save(desk.change(buzzer__pin=27))
    changed = desk.file.read_text()
    assert desk.service.state().previous
    desk.service.put_back()
    assert desk.file.read_text() == TEXT
    desk.service.put_back()
    assert desk.file.read_text() == changed


def test_the_default_is_taken_where_a_value_is_removed(desk: Desk) -> None:
    desk.service.save(desk.change(buzzer__pin=None))
    assert load(desk.file, game_names()).buzzer.pin is None


def test_a_machine_without_a_file_gets_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path, None)
    desk.service.save(desk.change(table__language="de"))
    assert desk.file.read_text() == '[table]\nlanguage = "de"\n'
    assert desk.file.stat().st_mode & 0o777 == 0o600


def test_the_password_is_kept_in_a_file_of_its_own_and_never_shown(desk: Desk) -> None:
    desk.service.save(desk.change(mqtt__host="broker", mqtt__password_file="swordfish"))
    kept = desk.folder / "mqtt-password"
    assert kept.read_text() == "swordfish"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert load(desk.file, game_names()).mqtt.password_file == str(kept)
    assert b"swordfish" not in msgspec.json.encode(desk.service.state())
    secret = next(one for one in desk.service.state().fields if one.kind == "secret")
    assert secret.value is True


def test_another_broker_does_not_get_the_password(desk: Desk) -> None:
    desk.service.save(desk.change(mqtt__host="broker", mqtt__password_file="swordfish"))
    for values in ({"mqtt__host": "evil"}, {"mqtt__tls": False}, {"mqtt__port": 1883}):
        checked = desk.service.check(desk.change(**values))
        assert [one.key for one in checked.problems] == ["mqtt.password_file"]
    desk.service.save(desk.change(mqtt__host="other", mqtt__password_file=""))
    assert not (desk.folder / "mqtt-password").exists()
    assert load(desk.file, game_names()).mqtt.password_file == ""


def test_a_device_that_is_unplugged_now_stays_chosen() -> None:
    config = msgspec.convert({"microphone": {"device": "gone"}}, Config)
    found = {"microphone.device": [SettingChoice("", ""), SettingChoice("USB Audio", "USB Audio")]}
    field = next(one for one in fields(config, found) if one.key == "microphone.device")
    assert [one.value for one in field.choices or ()] == ["", "USB Audio", "gone"]


def test_a_folder_that_cannot_be_written_is_named(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.owner.settings.replace_file", full)
    with pytest.raises(CompanionError, match="No space left"):
        desk.service.save(desk.change(buzzer__pin=27))
    assert desk.file.read_text() == TEXT
    assert desk.restarts == 0
