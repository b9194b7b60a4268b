"""The configured buttons: opens their pins and passes presses on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.clock import Clock
from companion.core.config import Config
from companion.core.errors import Impaired, Unavailable
from companion.core.fault_reporter import ReportFault
from companion.core.observations import Press

if TYPE_CHECKING:
    from hardware.gpio import Buttons


class ButtonInputs:
    """The wired buttons.

    Args:
        config: names the pins.
        clock: dates the presses.
        listeners: get every press, on the thread of gpiozero.
        report_fault: called with the error of pins that cannot be used, and with None when the buttons work.
    """

    def __init__(
        self,
        config: Config,
        clock: Clock,
        listeners: Sequence[Callable[[Press], None]],
        report_fault: ReportFault,
    ) -> None:
        self._wired = config.buttons
        self._pins = button_pins(config)
        self._clock = clock
        self._listeners = tuple(listeners)
        self._report_fault = report_fault
        self._buttons: Buttons | None = None

    def open(self) -> None:
        """Opens the pins; pins that cannot be used are reported."""
        if not self._pins:
            return
        from hardware.gpio import Buttons

        wired = self._wired
        try:
            self._buttons = Buttons(
                self._pins,
                self._pressed,
                self._clock,
                debounce_s=wired.debounce_s,
                active_high=wired.active_high,
            )
        except Unavailable as error:
            self._report_fault("buttons", error)
        else:
            self._report_fault("buttons", _impaired(self._buttons.failed))

    def close(self) -> None:
        """Releases the pins; a second call is harmless."""
        buttons, self._buttons = self._buttons, None
        if buttons is not None:
            buttons.close()

    @property
    def alive(self) -> bool:
        """Whether the buttons' thread runs; true without buttons."""
        return self._buttons is None or self._buttons.alive

    def _pressed(self, press: Press) -> None:
        for listener in self._listeners:
            listener(press)


def _impaired(failed: Mapping[str, Unavailable]) -> Impaired | None:
    """The report of buttons of which some do not work; None: all do."""
    if not failed:
        return None
    return Impaired("buttons_impaired", names=tuple(failed), why=next(iter(failed.values())).message)


def button_pins(config: Config) -> dict[str, int]:
    """Name of each button in presses, `seat 1`, `trophy 3`, `referee` -> its GPIO number."""
    names = {f"seat {i}": pin for i, pin in enumerate(config.buttons.seats, 1)}
    names |= {f"trophy {value}": pin for value, pin in config.buttons.trophies.items()}
    if config.buttons.referee is not None:
        names["referee"] = config.buttons.referee
    return names
