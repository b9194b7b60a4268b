"""A language is begun with one command, and nothing else has to be told about it."""

import shutil
from pathlib import Path

import pytest

from companion.announce.phrases import Phrases
from companion.core.message import CONTEXT, message
from companion.locale import make


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the catalogues with Dutch begun."""
    copy = tmp_path / "locale"
    shutil.copytree(make.HERE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(make, "HERE", copy)
    monkeypatch.setattr("sys.argv", ["make", "--new", "nl"])
    make.main()
    return copy


def test_a_new_language_has_every_phrase_and_speaks_english_until_it_is_translated(folder: Path) -> None:
    assert make.languages() == ["de", "fr", "nl"]
    begun, german = make.read("nl"), make.read("de")
    assert {(one.id, one.context) for one in begun} == {(one.id, one.context) for one in german}
    assert len(make.missing(begun)) == len([one for one in begun if one.id])
    dutch = Phrases("nl", folder)
    assert dutch.written(message("table.no_game")) == "no game is on the table: start one first"
    assert dutch.text("no_game", {}) == Phrases("en").text("no_game", {})


def test_what_is_translated_is_kept_and_spoken_after_the_next_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "nl" / "LC_MESSAGES" / "companion.po"
    lines = file.read_text(encoding="utf-8").split("\n")
    at = lines.index('msgid "no game is on the table: start one first"')
    assert lines[at - 1] == f'msgctxt "{CONTEXT}"'
    lines[at + 1] = 'msgstr "er ligt geen spel op tafel: begin er een"'
    file.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["make"])
    make.main()
    written = Phrases("nl", folder).written(message("table.no_game"))
    assert written == "er ligt geen spel op tafel: begin er een"
