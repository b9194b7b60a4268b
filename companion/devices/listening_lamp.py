"""The lamp that shows that the microphone's sound is being analysed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.core.config import Lamps

if TYPE_CHECKING:
    from hardware.gpio import Lamp


class ListeningLamp:
    """Is lit while at least one user analyses sound: ears, device test, voice training.

    Every method may be called from any thread.

    Args:
        wired: its pins in the configuration.
    """

    def __init__(self, wired: Lamps) -> None:
        self._wired = wired
        self._lock = threading.Lock()
        self._users: set[str] = set()
        self._lamp: Lamp | None = None

    @property
    def configured(self) -> bool:
        """Whether a pin is configured for it."""
        return self._wired.listening is not None

    def open(self) -> ListeningLamp:
        """Opens the pin.

        Raises:
            Unavailable: the pin cannot be used.
        """
        from hardware.gpio import Lamp

        lamp = Lamp(self._wired.listening, active_high=self._wired.active_high)
        with self._lock:
            self._lamp = lamp
            lamp.light(bool(self._users))
        return self

    def close(self) -> None:
        """Switches the lamp off and releases its pin; a second call is harmless."""
        with self._lock:
            lamp, self._lamp = self._lamp, None
        if lamp is not None:
            lamp.close()

    def user(self, name: str) -> Callable[[bool], None]:
        """The function with which one user reports that it starts (True) or stops (False) analysing sound."""

        def listening(listens: bool) -> None:
            with self._lock:
                (self._users.add if listens else self._users.discard)(name)
                if self._lamp is not None:
                    self._lamp.light(bool(self._users))

        return listening
