"""Pig (tests/games/pig): a sixth game, which one line registers for a test (docs/add-a-game.md)."""

import pytest

from companion import games


@pytest.fixture
def pig(monkeypatch: pytest.MonkeyPatch) -> str:
    """Registers Pig; its name."""
    monkeypatch.setattr(games, "PACKAGES", (*games.PACKAGES, "pig"))
    return "pig"
