"""The lamp is lit while anybody analyses sound."""

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from companion.core.config import Lamps
from companion.devices.listening_lamp import ListeningLamp

PIN = 21


@pytest.fixture
def pin() -> Iterator[Any]:
    saved = Device.pin_factory
    Device.pin_factory = MockFactory()
    yield Device.pin_factory.pin(PIN)
    Device.pin_factory.reset()
    Device.pin_factory = saved


def test_it_is_lit_until_the_last_user_has_ended(pin: Any) -> None:
    lamp = ListeningLamp(Lamps(listening=PIN)).open()
    ears, training = lamp.user("ears"), lamp.user("voice training")
    ears(True)
    training(True)
    ears(False)
    assert pin.state == 1, "the voice training still listens"
    training(False)
    assert pin.state == 0
    training(False)
    assert pin.state == 0
    lamp.close()
    lamp.close()


def test_a_user_that_began_before_it_was_opened_counts(pin: Any) -> None:
    lamp = ListeningLamp(Lamps(listening=PIN))
    lamp.user("ears")(True)
    lamp.open()
    assert pin.state == 1
    lamp.close()


def test_without_a_pin_nothing_happens() -> None:
    lamp = ListeningLamp(Lamps())
    assert not lamp.configured
    lamp.user("ears")(True)
    lamp.close()
