"""Buttons, buzzer and lamps on GPIO lines, through gpiozero.

An exception in a gpiozero callback ends lgpio's only thread, and with it every button of the process, so the
callbacks here only put into a queue. lgpio stamps a press one debounce time after the contact; that is
subtracted.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.core.clock import Clock
from companion.core.errors import Unavailable
from companion.core.message import message
from companion.core.observations import Press

Beats = Sequence[tuple[float, float]]
"""(seconds on, seconds off), in order."""

CLOSE_ATTEMPTS, CLOSE_PAUSE_S = 10, 0.02
"""How often a button is released until the kernel lets its line go, and the seconds between."""
logger = logging.getLogger(__name__)


def pin_factory() -> Any:
    """gpiozero's pin factory for this machine.

    Raises:
        Unavailable: the machine has no usable pins; the message names cause and remedy.
    """
    import gpiozero

    if gpiozero.Device.pin_factory is not None:
        return gpiozero.Device.pin_factory
    _let_lgpio_start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gpiozero.exc.PinFactoryFallback)
            gpiozero.Device.ensure_pin_factory()
    except Exception as error:  # lgpio, sysfs and gpiozero have no common base class of errors
        raise Unavailable("pins.no_gpio", why=str(error), remedy=message("pins.install_gpio")) from error
    return gpiozero.Device.pin_factory


def _let_lgpio_start() -> None:
    """lgpio makes a pipe in the working directory when it is imported, and fails where that is impossible."""
    if not os.access(os.getcwd(), os.W_OK):
        os.environ.setdefault("LG_WD", tempfile.gettempdir())


def simulate() -> None:
    """Makes all pins of this process simulated ones of gpiozero."""
    import gpiozero
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    gpiozero.Device.pin_factory = MockFactory(pin_class=MockPWMPin)


class Buttons:
    """Buttons by name. A pin that cannot be used costs its button only.

    Args:
        pins: GPIO number of each button.
        deliver: takes each press, on gpiozero's thread.
        clock: gives the time of a press.
        debounce_s: seconds for which the contact must be stable.
        active_high: whether a pressed button connects the pin to 3.3 V instead of ground.

    Raises:
        Unavailable: there is no GPIO, or none of the pins can be used.

    >>> from gpiozero import Device
    >>> from gpiozero.pins.mock import MockFactory
    >>> from hardware.gpio import Buttons
    >>> Device.pin_factory = MockFactory()
    >>> presses = []
    >>> buttons = Buttons({"referee": 17}, presses.append, lambda: 8.0)
    >>> Device.pin_factory.pin(17).drive_low()
    >>> presses[0].button
    'referee'
    >>> buttons.close()
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        deliver: Callable[[Press], None],
        clock: Clock,
        *,
        debounce_s: float = 0.02,
        active_high: bool = False,
    ) -> None:
        self._deliver = deliver
        self._clock = clock
        factory = pin_factory()
        # Only lgpio waits until the contact is stable; the others report the first edge.
        self._late_s = debounce_s if type(factory).__name__ == "LGPIOFactory" else 0.0
        self._devices: dict[str, Any] = {}
        self.failed: dict[str, Unavailable] = {}
        """Name of each button whose pin cannot be used -> why."""
        for name, pin in pins.items():
            try:
                self._devices[name] = _device("Button", pin, bounce_time=debounce_s, pull_up=not active_high)
            except Unavailable as error:
                self.failed[name] = error
            else:
                self._devices[name].when_pressed = self._pressed(name)
        if self.failed and not self._devices:
            raise next(iter(self.failed.values()))

    def _pressed(self, name: str) -> Callable[[Any], None]:
        def pressed(device: Any) -> None:
            try:
                held = device.active_time or 0.0
                self._deliver(Press(self._clock() - held - self._late_s, name))
            except Exception as error:  # must not leave the callback, see the module's docstring
                warnings.warn(f"button {name}: {error}", RuntimeWarning, stacklevel=1)

        return pressed

    @property
    def alive(self) -> bool:
        """Whether lgpio's thread runs, so that presses arrive; true without lgpio."""
        try:
            import lgpio
        except ImportError:
            return True
        thread = getattr(lgpio, "_notify_thread", None)
        return thread is None or bool(thread.is_alive())

    def close(self) -> None:
        """Releases the pins; a second call is harmless."""
        for name, device in self._devices.items():
            _close(name, device)
        self._devices.clear()


class Buzzer:
    """A buzzer that plays rhythms.

    Args:
        pin: its GPIO number.
        passive: whether it needs a tone; an active one is only switched on.
        tone_hz: frequency of the tone.
        active_high: whether it sounds while the pin is high.

    Raises:
        Unavailable: there is no GPIO, or the pin is in use.

    >>> import time
    >>> from gpiozero import Device
    >>> from gpiozero.pins.mock import MockFactory
    >>> from hardware.gpio import Buzzer
    >>> Device.pin_factory = MockFactory()
    >>> buzzer = Buzzer(18)
    >>> buzzer.play([(0.05, 0.02), (0.05, 0.02)], time.sleep)  # seconds on, seconds off
    >>> [int(state.state) for state in Device.pin_factory.pin(18).states]
    [0, 1, 0, 1, 0]
    >>> buzzer.close()
    """

    def __init__(
        self, pin: int, *, passive: bool = False, tone_hz: float = 880.0, active_high: bool = True
    ) -> None:
        self._passive = passive
        pin_factory()
        if passive:  # gpiozero's TonalBuzzer plays one octave round 440 Hz only
            self._device = _device("PWMOutputDevice", pin, active_high=active_high, frequency=round(tone_hz))
        else:
            self._device = _device("Buzzer", pin, active_high=active_high)

    def play(self, beats: Beats, wait: Callable[[float], Any]) -> None:
        """Plays a rhythm and returns at its end. `wait` sleeps for a number of seconds."""
        try:
            for on, off in beats:
                self._sound(True)
                wait(on)
                self._sound(False)
                wait(off)
        finally:
            self._sound(False)

    def _sound(self, on: bool) -> None:
        if not on:
            self._device.off()
        elif self._passive:
            self._device.value = 0.5  # as long high as low
        else:
            self._device.on()

    def close(self) -> None:
        """Silences the buzzer and releases the pin."""
        self._device.close()


class Lamp:
    """A lamp of one colour, or an RGB lamp, that blinks rhythms."""

    def __init__(
        self, pin: int | None = None, rgb: tuple[int, int, int] | None = None, *, active_high: bool = True
    ) -> None:
        pin_factory()
        self._rgb = rgb is not None
        if rgb is not None:
            red, green, blue = rgb
            self._device = _device("RGBLED", None, red=red, green=green, blue=blue, active_high=active_high)
        else:
            self._device = _device("LED", pin, active_high=active_high)

    def play(self, beats: Beats, colour: tuple[float, float, float], wait: Callable[[float], Any]) -> None:
        """Blinks a rhythm; returns when it has ended."""
        try:
            for on, off in beats:
                if self._rgb:
                    self._device.color = colour
                else:
                    self._device.on()
                wait(on)
                self._device.off()
                wait(off)
        finally:
            self._device.off()

    def light(self, lit: bool) -> None:
        """Switches the lamp on steadily (an RGB lamp in white) or off."""
        self._device.on() if lit else self._device.off()

    def close(self) -> None:
        """Switches the lamp off and releases the pins."""
        self._device.close()


def _close(name: str, device: Any) -> None:
    """Releases a button. lgpio then claims its line again, as a plain input. While lgpio's own thread waits
    for the line, the kernel has not let it go yet, and refuses for some milliseconds."""
    for attempt in range(1, CLOSE_ATTEMPTS + 1):
        try:
            device.close()
            return
        except Exception as error:  # gpiozero's errors and lgpio's have no common base class
            if attempt == CLOSE_ATTEMPTS:
                logger.warning("the pin of %s was not released: %s", name, error)
        time.sleep(CLOSE_PAUSE_S)


def busy_pins(numbers: Sequence[int]) -> dict[int, Unavailable]:
    """The pins that cannot be used now, each with the reason: claims each as an input for a moment, so that
    no output changes.

    Raises:
        Unavailable: there is no GPIO.
    """
    pin_factory()
    found: dict[int, Unavailable] = {}
    for number in numbers:
        try:
            _device("InputDevice", number, pull_up=None, active_state=True).close()
        except Unavailable as error:
            found[number] = error
    return found


def _device(kind: str, pin: int | None, **options: Any) -> Any:
    """A gpiozero device.

    Raises:
        Unavailable: the pin is in use or cannot do that.
    """
    import gpiozero

    arguments = () if pin is None else (pin,)
    where = f"GPIO {pin}" if pin is not None else "the lamp's pins"
    try:
        return getattr(gpiozero, kind)(*arguments, **options)
    except Exception as error:  # gpiozero's errors and lgpio's ('GPIO busy') have no common base class
        raise Unavailable("pins.taken", where=where, why=str(error)) from _without_frames(error)


def _without_frames(error: BaseException) -> BaseException:
    """The error and its causes without their tracebacks. Those hold the half-made device, and with it
    gpiozero's reservation of the pin: for as long as the error is kept, nothing else here could use it."""
    cause: BaseException | None = error
    while cause is not None:
        cause.__traceback__ = None
        cause = cause.__cause__ or cause.__context__
    return error
