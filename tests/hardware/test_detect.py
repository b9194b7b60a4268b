"""Probes find or name the remedy, and none of them hangs."""

import threading

import pytest

from companion.core.config import parse
from companion.core.errors import Unavailable
from hardware import detect


def test_a_probe_that_hangs_is_left_behind() -> None:
    found = detect.limited(
        "camera", lambda: threading.Event().wait() and detect.ProbeResult("", True, ""), 0.05
    )
    assert (found.there, found.what) == (False, "does not answer within 0.05 s")
    assert found.remedy


def test_what_is_wrong_and_what_to_do_are_told_apart() -> None:
    def missing() -> detect.ProbeResult:
        raise Unavailable("no microphone: plug one in")

    assert detect.limited("microphone", missing) == detect.ProbeResult(
        "microphone", False, "no microphone", "plug one in"
    )


def test_whatever_a_driver_raises_is_a_finding() -> None:
    assert detect.limited("gpio", lambda: 1 / 0).what == "ZeroDivisionError: division by zero"  # type: ignore[arg-type, return-value]


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
    assert (found.there, found.what) == (there, what)


def test_pins_are_only_looked_for_where_the_configuration_names_some() -> None:
    assert "phones have buttons" in detect.gpio(parse("", ())).what


def test_senses_that_are_switched_off_are_not_opened() -> None:
    config = parse("[camera]\nbackend = 'none'\n[microphone]\nbackend = 'none'", ())
    assert [one.what for one in detect.everything(config)[:2]] == ["switched off in the configuration"] * 2
