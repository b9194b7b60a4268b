"""The pictures of docs/hardware.md are the ones that its configuration makes."""

import importlib.util
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def drawings() -> ModuleType:
    spec = importlib.util.spec_from_file_location("drawings", DOCS / "drawings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["drawings"] = module
    spec.loader.exec_module(module)
    return module


def test_the_pictures_are_up_to_date(drawings: ModuleType) -> None:
    """Otherwise: python docs/drawings.py"""
    pictures = drawings.drawings()
    assert set(pictures) == {"wiring.svg", "schematic.svg", "table.svg"}
    for name, picture in pictures.items():
        assert (DOCS / "images" / name).read_text(encoding="utf-8") == picture, name
        ElementTree.fromstring(picture)


def test_the_page_shows_every_picture(drawings: ModuleType) -> None:
    page = (DOCS / "hardware.md").read_text(encoding="utf-8")
    for name in drawings.drawings():
        assert f"](images/{name})" in page
