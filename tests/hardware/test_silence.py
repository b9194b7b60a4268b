"""After a kill buzzer and lamps are off."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hardware import silence


class Chips:
    """lgpio's functions on chips by number: what each is labelled, and what was done to its lines."""

    error = type("error", (Exception,), {})

    def __init__(self, labels: dict[int, str], taken: int | None = None) -> None:
        self.labels = labels
        self.taken = taken
        self.done: list[tuple[object, ...]] = []

    def gpiochip_open(self, number: int) -> int:
        if number not in self.labels:
            raise self.error("can not open gpiochip")
        return number

    def gpio_get_chip_info(self, chip: int) -> list[object]:
        return [0, 58, f"gpiochip{chip}", self.labels[chip]]

    def gpiochip_close(self, chip: int) -> None:
        self.done.append(("close", chip))

    def gpio_claim_output(self, chip: int, pin: int, level: int) -> None:
        if pin == self.taken:
            raise self.error("GPIO busy")
        self.done.append(("out", chip, pin, level))

    def gpio_free(self, chip: int, pin: int) -> None:
        self.done.append(("free", chip, pin))


def install(monkeypatch: pytest.MonkeyPatch, chips: Chips) -> None:
    names = [name for name in dir(Chips) if not name.startswith("__")]
    monkeypatch.setitem(
        sys.modules, "lgpio", SimpleNamespace(**{name: getattr(chips, name) for name in names})
    )


def configure(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    (folder / "config.toml").write_text(text)
    monkeypatch.setenv("COMPANION_DATA", str(folder))


WIRED = "[buzzer]\npin = 18\nactive_high = {}\n[lamps]\nrgb = [22, 23, 24]\nlistening = 25\n"


@pytest.mark.parametrize(("active_high", "off"), [("true", 0), ("false", 1)])
def test_buzzer_and_lamps_are_driven_to_off_and_given_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, active_high: str, off: int
) -> None:
    chips = Chips({0: "gpio-brcmstb", 4: "pinctrl-rp1"})
    install(monkeypatch, chips)
    configure(monkeypatch, tmp_path, WIRED.format(active_high))
    assert silence.main() == 0
    assert chips.done[:3] == [("close", 0), ("out", 4, 18, off), ("free", 4, 18)]
    assert {step[2:] for step in chips.done if step[0] == "out"} == {
        (18, off),
        (22, 0),
        (23, 0),
        (24, 0),
        (25, 0),
    }
    assert chips.done[-1] == ("close", 4)


def test_a_pin_that_is_taken_does_not_save_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chips = Chips({0: "pinctrl-bcm2711"}, taken=18)
    install(monkeypatch, chips)
    configure(monkeypatch, tmp_path, WIRED.format("true"))
    assert silence.main() == 1
    assert ("out", 0, 25, 0) in chips.done
    assert capsys.readouterr().err == "silence: GPIO 18 cannot be turned off (GPIO busy)\n"


def test_without_a_configuration_there_is_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert silence.main() == 0


def test_a_machine_without_pins_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(monkeypatch, tmp_path, "[buzzer]\npin = 18\n")
    install(monkeypatch, Chips({0: "INT3450:00"}))
    assert silence.main() == 1
    assert "no chip with a Pi's pins" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert silence.main() == 1
    assert "python3-lgpio" in capsys.readouterr().err


def test_the_defaults_are_those_of_the_configuration() -> None:
    from companion.config import Config

    assert (Config().buzzer.active_high, Config().lamps.active_high) == (True, True)
    assert silence.outputs({"buzzer": {"pin": 18}, "lamps": {"pin": 5}}) == {18: 0, 5: 0}


def test_little_is_loaded_for_it() -> None:
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", "import hardware.silence, sys; print(*sys.modules)"],
        check=True, capture_output=True, text=True, env=dict(os.environ),
    )  # fmt: skip
    assert not {"gpiozero", "msgspec", "numpy", "companion"} & set(done.stdout.split())
