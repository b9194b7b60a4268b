"""After a kill buzzer and lamps are off."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.core.config import BuzzerConfig, Config, Lamps
from companion.devices.outputs import output_pins, write_output_pins
from companion.runtime.systemd import settings
from companion.store.folder import DataFolder
from hardware import silence


class Kernel:
    """The kernel's side of the GPIO devices: what each chip is labelled, and what was done to its lines."""

    def __init__(self, devices: Path, labels: dict[str, bytes], taken: int | None = None) -> None:
        for name in labels:
            (devices / name).touch()
        self.devices = str(devices)
        self.labels = labels
        self.taken = taken
        self.lines: list[int] = []
        self.driven: list[tuple[str, int, int]] = []

    def ioctl(self, descriptor: int, request: int, data: bytearray) -> None:
        name = os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}"))
        if request == silence.GET_CHIP_INFO:
            silence.CHIP_INFO.pack_into(data, 0, name.encode(), self.labels[name], 58)
            return
        assert request == silence.GET_LINE
        fields = list(silence.LINE_REQUEST.unpack(data))
        pin, (flags, count), attribute, lines = fields[0], fields[65:67], fields[72:76], fields[76]
        assert (flags, count, lines) == (silence.OUTPUT, 1, 1)
        assert (attribute[0], attribute[3]) == (silence.OUTPUT_VALUES, 1)
        if pin == self.taken:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self.driven.append((name, pin, attribute[2]))
        fields[-1] = os.open(os.devnull, os.O_RDONLY)
        self.lines.append(fields[-1])
        silence.LINE_REQUEST.pack_into(data, 0, *fields)

    def silence(self, pins: dict[int, int]) -> list[str]:
        return silence.silence(pins, self.devices, self.ioctl)


@pytest.mark.parametrize(("active_high", "off"), [(True, 0), (False, 1)])
def test_buzzer_and_lamps_are_driven_to_off_and_given_back(
    tmp_path: Path, active_high: bool, off: int
) -> None:
    kernel = Kernel(tmp_path, {"gpiochip0": b"gpio-brcmstb", "gpiochip4": b"pinctrl-rp1"})
    wired = Config(
        buzzer=BuzzerConfig(pin=18, active_high=active_high), lamps=Lamps(rgb=(22, 23, 24), listening=25)
    )
    assert kernel.silence(output_pins(wired)) == []
    assert sorted(kernel.driven) == [
        ("gpiochip4", 18, off),
        ("gpiochip4", 22, 0),
        ("gpiochip4", 23, 0),
        ("gpiochip4", 24, 0),
        ("gpiochip4", 25, 0),
    ]
    for line in kernel.lines:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(line)


def test_a_pin_that_is_taken_does_not_save_the_others(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path, {"gpiochip0": b"pinctrl-bcm2711"}, taken=18)
    assert kernel.silence({18: 0, 25: 0}) == ["GPIO 18 cannot be turned off (Device or resource busy)"]
    assert kernel.driven == [("gpiochip0", 25, 0)]


def test_a_machine_without_pins_says_so(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path, {"gpiochip0": b"INT3450:00"})
    assert "no chip with a Pi's pins" in kernel.silence({18: 0})[0]
    assert Kernel(tmp_path, {}).silence({}) == []


def test_a_folder_that_takes_no_note_stops_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_output_pins(Config(), tmp_path / "missing")
    assert "after a kill buzzer and lamps stay as they are" in caplog.text


def test_what_is_no_chip_is_passed_over(tmp_path: Path) -> None:
    """A plain file answers no such request; the real kernel says so here."""
    (tmp_path / "gpiochip0").touch()
    assert "no chip with a Pi's pins" in silence.silence({18: 0}, str(tmp_path))[0]


def test_the_service_notes_its_outputs_where_systemd_looks(tmp_path: Path) -> None:
    (tmp_path / "wired.toml").write_text("[buzzer]\npin = 18\nactive_high = false\n[lamps]\npin = 5\n")
    folder = DataFolder(tmp_path / "data")
    config = settings(tmp_path / "wired.toml", folder, port=0, simulated=True)
    write_output_pins(config, tmp_path)
    assert silence.noted(tmp_path / "outputs") == {18: 1, 5: 0}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The script as the unit runs it."""
    return subprocess.run(
        [sys.executable, "-I", "-S", silence.__file__, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_service_that_had_no_outputs_leaves_nothing_to_do(tmp_path: Path) -> None:
    missing = run(str(tmp_path / "outputs"))
    assert (missing.returncode, missing.stderr) == (0, "")
    silence.note(tmp_path / "outputs", {})
    assert run(str(tmp_path / "outputs")).returncode == 0


def test_a_note_that_is_none_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "outputs").write_text("eighteen\n")
    refused = run(str(tmp_path / "outputs"))
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"silence: {tmp_path}/outputs cannot be read (")


def test_little_is_loaded_for_it(tmp_path: Path) -> None:
    silence.note(tmp_path / "outputs", {})
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "importtime", silence.__file__, str(tmp_path / "outputs")],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "fcntl" in loaded
    assert not {"gpiozero", "lgpio", "tomllib", "re", "typing", "companion"} & loaded
