"""docs/decks.md: every command on the page works as it stands there, one after the other."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from companion import art
from companion.commands.cli import group
from companion.vision.deck.deck import Deck

PAGE = Path(__file__).parents[2] / "docs" / "decks.md"
COMMANDS = re.findall(r"^    companion (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.usefixtures("refined_at_once")
def test_every_command_on_the_page_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    for folder, labels in (("pictures", art.card_labels("nasty_7")), ("more", ["gun~2"])):
        (tmp_path / folder).mkdir()
        for label in labels:
            card = art.draw_card("nasty_7", label.partition("~")[0], 300)
            cv2.imwrite(str(tmp_path / folder / f"{label}.png"), card)
    assert len(COMMANDS) >= 8
    for line in COMMANDS:
        result = CliRunner().invoke(group, shlex.split(line))
        assert result.exit_code == 0, (line, result.output, result.exception)
    assert Deck.load(tmp_path / "data" / "decks" / "theirs").names == tuple(
        sorted(art.card_labels("nasty_7"))
    )
    assert (tmp_path / "mat.pdf").read_bytes().startswith(b"%PDF-")
