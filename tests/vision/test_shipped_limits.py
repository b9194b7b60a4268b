"""Fitted limits are read when first used; a damaged file is said by its name."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.core.errors import Unreadable
from companion.vision import models
from companion.vision.dice.limits import FILE, DiceLimits, dice_limits
from companion.vision.models import FOLDER, shipped_limits


def test_the_limits_of_dice_are_read_once() -> None:
    limits = dice_limits()
    assert limits is dice_limits()
    assert limits == msgspec.json.decode((FOLDER / FILE).read_bytes(), type=DiceLimits)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"pips": {}}', None])
def test_limits_that_cannot_be_read_are_named(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "damaged.json"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    with pytest.raises(Unreadable) as error:
        shipped_limits(file.name, DiceLimits)
    assert error.value.code == "models.damaged_limits"
    assert "damaged.json" in str(error.value)
    assert "install" in str(error.value)
