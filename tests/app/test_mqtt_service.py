"""The service with and without a broker in its configuration."""

from pathlib import Path

import msgspec
import pytest
from mosquitto_broker import Consumer, Mosquitto, until

from companion.api.commands import Caller, NewGame
from companion.core.config import Config, Mqtt, parse
from companion.core.errors import UsageError
from companion.devices.inputs import Inputs
from companion.host.doctor import check_machine
from companion.runtime.app import App
from companion.runtime.mqtt import mqtt_device
from companion.store.folder import DataFolder


def test_mqtt_is_off_unless_a_broker_is_named(tmp_path: Path) -> None:
    assert Config().mqtt.host == ""
    assert mqtt_device(App(Config(), DataFolder(tmp_path), inputs=Inputs())) is None


def test_a_service_with_a_broker_publishes_its_table(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path / "broker")
    config = msgspec.structs.replace(Config(), mqtt=broker.config(table="bay", home_assistant=True))
    app = App(config, DataFolder(tmp_path / "data"), inputs=Inputs())
    app.start_table()
    device = mqtt_device(app)
    assert device is not None
    device.start()
    seen = Consumer(broker.config(), "companion/bay/#")
    app.host.command(NewGame("nasty_7", ("Ida", "Jo")), Caller("referee"))
    until(lambda: seen.on("event"))
    seen.close()
    found = Consumer(broker.config(), "homeassistant/+/companion-bay/+/config")
    until(lambda: len(found.on("companion-bay")) == 7)
    found.close()
    device.stop()
    app.stop()
    broker.kill()


def test_a_wrong_password_file_leaves_the_table_served(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mqtt = Mqtt(host="127.0.0.1", user="bay", password_file=str(tmp_path / "missing"))
    app = App(msgspec.structs.replace(Config(), mqtt=mqtt), DataFolder(tmp_path), inputs=Inputs())
    assert mqtt_device(app) is None
    assert "missing cannot be read" in caplog.text


@pytest.mark.parametrize("name", ["Bay", "a/b", "+", "bay\n", "x" * 41])
def test_a_name_that_is_no_level_of_a_topic_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"mqtt\.table"):
        parse(f"[mqtt]\ntable = {msgspec.json.encode(name).decode()}", ())


def test_doctor_tries_the_broker(tmp_path: Path) -> None:
    def finding(config: Config) -> tuple[bool, str]:
        found = check_machine(config, DataFolder(tmp_path / "data"))
        [one] = [one for one in found if one.name.code == "doctor.name_mqtt"]
        return one.there, str(one.what)

    broker = Mosquitto(tmp_path / "broker")
    config = msgspec.structs.replace(Config(), mqtt=broker.config(table="bay"))
    assert finding(config) == (True, f"127.0.0.1:{broker.port} admits this table as bay")
    broker.kill()
    there, what = finding(config)
    assert not there
    assert "no answer" in what
