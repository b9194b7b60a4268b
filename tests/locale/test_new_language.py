"""A language is begun with one command and found by looking; English is shown for what is not translated."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import companion
from companion.announce.phrases import Phrases
from companion.core import languages
from companion.core.message import CONTEXT, message
from companion.locale import make


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the catalogues with Esperanto begun."""
    copy = tmp_path / "locale"
    shutil.copytree(make.HERE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(make, "HERE", copy)
    monkeypatch.setattr("sys.argv", ["make", "--new", "eo"])
    make.main()
    return copy


def test_a_new_language_has_every_phrase_and_speaks_english_until_it_is_translated(folder: Path) -> None:
    assert "eo" not in languages.LANGUAGES
    assert make.languages() == sorted({*languages.LANGUAGES, "eo"} - {"en"})
    begun, german = make.read("eo"), make.read("de")
    assert {(one.id, one.context) for one in begun} == {(one.id, one.context) for one in german}
    assert len(make.missing(begun)) == len([one for one in begun if one.id])
    begun_phrases = Phrases("eo", folder)
    assert begun_phrases.written(message("table.no_game")) == "no game is on the table: start one first"
    assert begun_phrases.text("no_game", {}) == Phrases("en").text("no_game", {})


def test_what_is_translated_is_kept_and_spoken_after_the_next_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "eo" / "LC_MESSAGES" / "companion.po"
    lines = file.read_text(encoding="utf-8").split("\n")
    at = lines.index('msgid "no game is on the table: start one first"')
    assert lines[at - 1] == f'msgctxt "{CONTEXT}"'
    lines[at + 1] = 'msgstr "neniu ludo estas sur la tablo: komencu iun"'
    file.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["make"])
    make.main()
    written = Phrases("eo", folder).written(message("table.no_game"))
    assert written == "neniu ludo estas sur la tablo: komencu iun"


def test_a_begun_language_is_unfinished_until_its_mark_is_deleted(folder: Path) -> None:
    assert "eo" not in make.finished()
    (folder / "eo" / make.UNFINISHED).unlink()
    assert "eo" in make.finished()


def test_no_catalogue_is_begun_for_a_language_that_there_is_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["make", "--new", "dutch"])
    with pytest.raises(SystemExit):
        make.main()
    assert "there is no language dutch" in capsys.readouterr().err
    assert not (folder / "dutch").exists()


NEW_LANGUAGE = """
from companion.announce.phrases import Phrases
from companion.commands.cli import group
from companion.core.config import TableSection
from companion.games.contract.number_words import number, number_word, stop_word
from companion.games.nasty_7.state import Nasty7Settings
from companion.games.digest import LANGUAGES, digest, in_language
from companion.games.settings import settings_of
from companion.speech.model.grammar import languages
from companion.table.story import templates
import msgspec

assert msgspec.convert({"language": "eo"}, TableSection).language == "eo"
assert msgspec.convert({"language": "eo"}, Nasty7Settings).language == "eo"
assert (number("DU", "eo"), number_word(2, "eo"), stop_word("eo")) == (2, "du", "halt")
(choices,) = [one.choices for one in settings_of(Nasty7Settings) if one.name == "language"]
assert choices[0] == "en" and "eo" in choices
assert "eo" in LANGUAGES and "eo" in languages()
rules, english = in_language(digest("nasty_7"), "nasty_7", "eo").rules, digest("nasty_7").rules
assert rules["N7-1"].text == "Unu." and rules["N7-2"] == english["N7-2"]
assert templates("nasty_7", "eo")["won"] == "{winner} venkas."
assert templates("nasty_7", "eo")["shared"] == templates("nasty_7", "en")["shared"]
"""


def test_files_alone_make_a_language_known_everywhere(tmp_path: Path) -> None:
    """In a copy of the package, in a process of its own: languages are found when modules are imported."""
    package = Path(companion.__file__).parent
    copy = tmp_path / "companion"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__", "*.wav"))
    for file, text in {
        "locale/eo/LC_MESSAGES/companion.mo": None,
        "games/number_words/eo.toml": NUMBER_WORDS,
        "games/nasty_7/digest/eo.toml": 'N7-1 = "Unu."',
        "games/common_story/eo.toml": 'won = "{winner} venkas."',
        "speech/languages/eo.toml": (copy / "speech/languages/de.toml").read_text(encoding="utf-8"),
    }.items():
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            shutil.copy(copy / "locale/de/LC_MESSAGES/companion.mo", copy / file)
        else:
            (copy / file).write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", NEW_LANGUAGE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(package.parent)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


NUMBER_WORDS = """
numbers = ["nul", "unu", "du", "tri", "kvar", "kvin", "ses", "sep", "ok", "naŭ", "dek"]
stop = "halt"
"""
