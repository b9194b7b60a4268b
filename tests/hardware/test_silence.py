"""After a kill buzzer and lamps are off."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.config import parse
from hardware import silence


@pytest.fixture
def pins() -> Iterator[Any]:
    saved = Device.pin_factory
    Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = saved


@pytest.mark.parametrize(("active_high", "off"), [("true", 0), ("false", 1)])
def test_the_buzzer_is_driven_to_off(pins: Any, active_high: str, off: int) -> None:
    silence.silence(parse(f"[buzzer]\npin = 18\nactive_high = {active_high}\n[lamps]\npin = 5"))
    assert off in [int(state.state) for state in pins.pin(18).states]
    assert pins.pin(18).function == "input"
    silence.silence(parse("[buzzer]\npin = 18"))  # the pin was given back


def test_without_a_configuration_there_is_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert silence.main() == 0


def test_a_machine_without_pins_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = Device.pin_factory
    Device.pin_factory = None
    (tmp_path / "config.toml").write_text("[buzzer]\npin = 18\n")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    assert silence.main() == 1
    assert "no GPIO" in capsys.readouterr().err
    Device.pin_factory = saved
