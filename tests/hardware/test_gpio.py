"""Buttons, buzzer and lamps on gpiozero's MockFactory."""

import os
import queue
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Button, Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.core.clock import monotonic
from companion.core.errors import Unavailable
from companion.core.observations import Press
from hardware.gpio import CLOSE_ATTEMPTS, Buttons, Buzzer, Lamp, busy_pins, pin_factory


@pytest.fixture
def pins() -> Iterator[Any]:
    saved = Device.pin_factory
    Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = saved


def test_lgpio_gets_a_folder_that_it_may_write(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It makes a pipe when it is imported; in a folder of root it would seem to be missing."""
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("LG_WD", "kept")
    monkeypatch.delenv("LG_WD")
    monkeypatch.chdir(tmp_path)
    pin_factory()
    assert "LG_WD" not in os.environ
    Device.pin_factory = None
    monkeypatch.setattr("os.access", lambda path, mode: str(path) != str(tmp_path))
    pin_factory()
    assert os.environ["LG_WD"] == tempfile.gettempdir()


def test_a_press_is_queued_with_its_name_and_moment(pins: Any) -> None:
    pressed: queue.SimpleQueue[Press] = queue.SimpleQueue()
    buttons = Buttons({"seat 1": 17, "referee": 27}, pressed.put, monotonic)
    before = monotonic()
    pins.pin(27).drive_low()
    pins.pin(17).drive_low()
    pins.pin(17).drive_high()
    pins.pin(17).drive_low()
    after = monotonic()
    found = [pressed.get_nowait() for _ in range(3)]
    assert [press.button for press in found] == ["referee", "seat 1", "seat 1"]
    assert all(before <= press.t <= after for press in found)
    buttons.close()
    buttons.close()


def test_a_callback_never_lets_an_exception_out(pins: Any) -> None:
    delivered: list[Press] = []

    def deliver(press: Press) -> None:
        delivered.append(press)
        if len(delivered) == 1:
            raise RuntimeError("the queue is gone")

    buttons = Buttons({"seat 1": 17}, deliver, monotonic)
    with pytest.warns(RuntimeWarning, match="button seat 1: the queue is gone"):
        pins.pin(17).drive_low()
    pins.pin(17).drive_high()
    pins.pin(17).drive_low()
    assert len(delivered) == 2
    assert buttons.alive
    buttons.close()


class StuckClose:
    """Lets a device be closed only after some attempts, as a line does for which lgpio's thread waits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, refusals: int) -> None:
        self.refusals = refusals
        self.closed: list[int] = []
        self._close = Button.close
        monkeypatch.setattr(Button, "close", lambda device: self.close(device))
        monkeypatch.setattr("hardware.gpio.CLOSE_PAUSE_S", 0.0)

    def close(self, device: Any) -> None:
        if device.pin is not None and self.refusals:
            self.refusals -= 1
            raise RuntimeError("GPIO busy")
        if device.pin is not None:
            self.closed.append(device.pin.info.name)
        self._close(device)


def test_a_line_that_the_kernel_still_has_is_released_a_moment_later(
    pins: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = StuckClose(monkeypatch, refusals=3)
    buttons = Buttons({"seat 1": 17, "seat 2": 22}, lambda press: None, monotonic)
    buttons.close()
    assert stuck.closed == ["GPIO17", "GPIO22"]


def test_a_line_that_is_never_released_does_not_keep_the_others(
    pins: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stuck = StuckClose(monkeypatch, refusals=CLOSE_ATTEMPTS)
    buttons = Buttons({"seat 1": 17, "seat 2": 22}, lambda press: None, monotonic)
    buttons.close()
    assert stuck.closed == ["GPIO22"]
    assert "the pin of seat 1 was not released: GPIO busy" in caplog.text


def test_buttons_to_three_volts(pins: Any) -> None:
    pressed: list[Press] = []
    buttons = Buttons({"seat 1": 17}, pressed.append, monotonic, active_high=True)
    pins.pin(17).drive_high()
    assert len(pressed) == 1
    buttons.close()


def test_a_pin_that_is_taken_costs_its_button_only(pins: Any) -> None:
    buzzer = Buzzer(17)
    pressed: list[Press] = []
    buttons = Buttons({"seat 1": 17, "seat 2": 22}, pressed.append, monotonic)
    assert {name: str(error)[:23] for name, error in buttons.failed.items()} == {
        "seat 1": "GPIO 17 cannot be used "
    }
    pins.pin(22).drive_low()
    assert [press.button for press in pressed] == ["seat 2"]
    buttons.close()
    with pytest.raises(Unavailable, match="GPIO 17 cannot be used"):
        Buttons({"seat 1": 17}, lambda press: None, monotonic)
    buzzer.close()


def test_busy_pins_are_named_and_nothing_stays_claimed(pins: Any) -> None:
    buzzer = Buzzer(17)
    assert list(busy_pins([17, 22])) == [17]
    assert pins.pin(22).function == "input"
    buzzer.close()
    assert busy_pins([17, 22]) == {}


def test_a_pin_that_another_program_has_let_go_can_be_used(
    pins: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """gpiozero reserves a pin before the kernel refuses it: while the error was kept, so was the pin."""
    real = pins.pin

    def held_by_another(name: object) -> Any:
        try:
            raise OSError("GPIO busy")
        except OSError as error:
            raise RuntimeError("GPIO busy, says gpiozero") from error

    monkeypatch.setattr(pins, "pin", held_by_another)
    found = [busy_pins([17])[17], busy_pins([17])[17]]
    assert all("busy" in str(error) for error in found)
    monkeypatch.setattr(pins, "pin", real)
    assert busy_pins([17]) == {}


@pytest.mark.parametrize(("active_high", "levels"), [(True, [0, 1, 0, 1, 0]), (False, [1, 0, 1, 0, 1])])
def test_a_buzzer_plays_a_rhythm_and_ends_silent(pins: Any, active_high: bool, levels: list[int]) -> None:
    buzzer = Buzzer(18, active_high=active_high)
    waited: list[float] = []
    pins.pin(18).clear_states()
    buzzer.play([(0.1, 0.2), (0.3, 0.0)], waited.append)
    states = [int(state.state) for state in pins.pin(18).states]
    assert [level for level, last in zip(states, [None, *states], strict=False) if level != last] == levels
    assert waited == [0.1, 0.2, 0.3, 0.0]
    buzzer.close()


def test_a_buzzer_is_silent_when_its_rhythm_is_broken_off(pins: Any) -> None:
    buzzer = Buzzer(18)

    def broken(seconds: float) -> None:
        raise OSError("interrupted")

    with pytest.raises(OSError, match="interrupted"):
        buzzer.play([(0.1, 0.1)], broken)
    assert pins.pin(18).state == 0
    buzzer.close()


@pytest.mark.parametrize("tone_hz", [100.0, 440.0, 2700.0, 8000.0])
def test_a_passive_buzzer_is_given_a_tone(pins: Any, tone_hz: float) -> None:
    buzzer = Buzzer(12, passive=True, tone_hz=tone_hz)
    heard: list[tuple[float, float]] = []
    buzzer.play([(0.1, 0.1)], lambda seconds: heard.append((pins.pin(12).frequency, pins.pin(12).state)))
    assert heard == [(tone_hz, 0.5), (tone_hz, 0.0)]
    buzzer.close()


def test_lamps_of_one_and_of_three_colours(pins: Any) -> None:
    lamp, coloured = Lamp(pin=5), Lamp(rgb=(6, 13, 19))
    shown: list[tuple[float, ...]] = []

    def look(seconds: float) -> None:
        shown.append(tuple(float(pins.pin(pin).state) for pin in (5, 6, 13, 19)))

    lamp.play([(0.1, 0.1)], (1.0, 0.0, 0.0), look)
    coloured.play([(0.1, 0.1)], (1.0, 0.0, 0.5), look)
    assert shown == [(1, 0, 0, 0), (0, 0, 0, 0), (0, 1, 0, 0.5), (0, 0, 0, 0)]
    lamp.close()
    coloured.close()


def test_a_machine_without_pins_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = Device.pin_factory
    Device.pin_factory = None
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    with pytest.raises(Unavailable, match="elsewhere the phones do"):
        pin_factory()
    Device.pin_factory = saved
