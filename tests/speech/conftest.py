"""What the tests of the ears share: the committed model, opened once, and the demo's recorded calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from voice_takes import CALLS, take

from companion.speech.model import models


@pytest.fixture(scope="session")
def english() -> Path:
    return models.find_model("en")


@pytest.fixture(scope="session")
def opened(english: Path) -> Any:
    return models.open_model(english)


@pytest.fixture(scope="session")
def two_three() -> Any:
    """Ada's call "two three" as int16 samples at 16 kHz."""
    return take("ada", "two three")


assert CALLS.is_dir()
