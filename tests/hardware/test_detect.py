"""Probes find or name the remedy, and none of them hangs."""

import threading

import pytest

from companion.core.config import parse
from companion.core.errors import Unavailable
from companion.core.finding import Finding
from companion.core.message import message
from hardware import detect

PLUGGED_IN = Finding(detect.CAMERA, True, message("doctor.enough_voltage"))


def test_a_probe_that_hangs_is_left_behind() -> None:
    found = detect.limited(detect.CAMERA, lambda: threading.Event().wait() and PLUGGED_IN, 0.05)
    assert (found.there, str(found.what)) == (False, "does not answer within 0.05 s")
    assert found.remedy


def test_an_error_is_what_was_found() -> None:
    def missing() -> Finding:
        raise Unavailable("microphone.none")

    found = Finding(detect.MICROPHONE, False, message("microphone.none"))
    assert detect.limited(detect.MICROPHONE, missing) == found


def test_whatever_a_driver_raises_is_a_finding() -> None:
    assert str(detect.limited(detect.GPIO, lambda: 1 / 0).what) == "ZeroDivisionError: division by zero"  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(
    ("answer", "there", "what"),
    [
        ("throttled=0x0\n", True, "enough voltage"),
        ("throttled=0x50005\n", False, "too little voltage now"),
        ("throttled=0x50000\n", False, "too little voltage since it was switched on"),
    ],
)
def test_the_pis_power_is_read(answer: str, there: bool, what: str) -> None:
    found = detect.power(lambda command: answer)
    assert (found.there, str(found.what)) == (there, what)


def test_pins_are_only_looked_for_where_the_configuration_names_some() -> None:
    assert "phones have buttons" in str(detect.gpio(parse("", ())).what)


def test_senses_that_are_switched_off_are_not_opened() -> None:
    config = parse("[camera]\nbackend = 'none'\n[microphone]\nbackend = 'none'", ())
    assert [str(one.what) for one in detect.everything(config)[:2]] == [
        "switched off in the configuration"
    ] * 2
