"""What tests of several folders share: one browser a process, because Playwright allows one at a time."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import chromium
from playwright.sync_api import Browser

from companion.host import deck_refinement

gc.set_threshold(50_000, 20, 20)
"""Python looks for garbage after 700 new objects, which takes a third of a test that makes many."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


REFINES_AT_ONCE = """
import sys
from dataclasses import replace
from pathlib import Path
from companion.vision.deck.deck import Deck
from companion.vision.verifier.network import shipped_weights
print('{"step": 4, "steps": 8}', flush=True)
deck = Deck.load(Path(sys.argv[1]))
Path(sys.argv[2]).write_bytes(replace(deck, judge=shipped_weights()).packed())
"""
"""A program in the place of the one that refines decks, which takes two minutes."""


@pytest.fixture
def refined_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decks get the shipped weights as theirs."""
    monkeypatch.setattr(deck_refinement, "PROGRAM", (sys.executable, "-c", REFINES_AT_ONCE))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first: at the end the other processes would wait for them. Then the files of all folders in
    turn: those of one wait for browsers while those of another need the processors."""
    folders: dict[Path, list[Path]] = {}
    for path in dict.fromkeys(item.path for item in items):
        folders.setdefault(path.parent, []).append(path)
    turn = {path: (i + 0.5) / len(files) for files in folders.values() for i, path in enumerate(files)}
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, turn[item.path], item.path))


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: it is no garbage, and need not be looked at again."""
    gc.collect()
    gc.freeze()
