"""The pictures of docs/hardware.md are the ones that its configuration makes."""

import importlib.util
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType

import pytest

from companion.core.config import load, pins
from companion.games import game_names

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def drawings() -> ModuleType:
    spec = importlib.util.spec_from_file_location("drawings", DOCS / "drawings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["drawings"] = module
    spec.loader.exec_module(module)
    return module


def test_the_pictures_are_up_to_date(drawings: ModuleType) -> None:
    """Otherwise: python docs/drawings.py"""
    for name, picture in drawings.drawings().items():
        assert (DOCS / "images" / name).read_text(encoding="utf-8") == picture, name
        ElementTree.fromstring(picture)


def test_every_pin_of_the_configuration_is_drawn_at_its_place(drawings: ModuleType) -> None:
    config = load(DOCS / "companion.toml", game_names())
    picture = drawings.wiring(config)
    used = [pin for _, pin in pins(config)]
    assert len(used) == len(set(used)) == 11
    for pin in used:
        assert f"GPIO {pin}<" in picture
    # Positions from Raspberry Pi's own documentation of the header.
    at = {name: number for number, name in enumerate(drawings.HEADER, 1) if name.isdecimal()}
    assert [at[name] for name in ("2", "18", "5", "6", "13", "19", "26", "21", "25")] == [
        3, 12, 29, 31, 33, 35, 37, 40, 22,
    ]  # fmt: skip
    assert [number for number, name in enumerate(drawings.HEADER, 1) if name == "GND"] == [
        6, 9, 14, 20, 25, 30, 34, 39,
    ]  # fmt: skip
