"""What tests of several folders share: one browser a process, because Playwright allows one at a time."""

from collections.abc import Iterator

import pytest
from chromium import chromium
from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first: at the end the other processes would wait for them."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
