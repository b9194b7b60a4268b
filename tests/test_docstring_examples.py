"""The examples in docstrings work as written."""

import doctest
import importlib
from collections.abc import Iterator

import pytest
from gpiozero import Device


@pytest.fixture(autouse=True)
def pins() -> Iterator[None]:
    saved = Device.pin_factory
    yield
    if Device.pin_factory is not None and Device.pin_factory is not saved:
        Device.pin_factory.reset()
    Device.pin_factory = saved


@pytest.mark.parametrize(
    "name",
    [
        "companion.runtime.app",
        "companion.store.journal",
        "companion.table.table",
        "hardware.gpio",
        "web",
    ],
)
def test_the_examples_of_a_module_work(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
