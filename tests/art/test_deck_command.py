"""`companion deck draw`: what it writes, and what it says when it cannot."""

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from companion import art
from companion.commands.deck import command
from companion.core.errors import CompanionError, UsageError


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(command, ["draw", *map(str, args)])


def test_a_deck_as_pdf_and_as_pictures_to_enrol(tmp_path: Path) -> None:
    result = run(
        "nasty_7", "--out", tmp_path / "deck.pdf", "--pictures", tmp_path / "new" / "cards", "--json"
    )
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["cards"] == 110
    assert report["pages"] == 13
    assert report["card_mm"] == [63.0, 88.0]
    assert (tmp_path / "deck.pdf").read_bytes().startswith(b"%PDF-")
    names = sorted(path.name for path in (tmp_path / "new" / "cards").iterdir())
    assert names == sorted(f"{label}.png" for label in art.card_labels("nasty_7"))
    picture = cv2.imread(str(tmp_path / "new" / "cards" / "gun.png"))
    assert picture is not None
    assert picture.shape == (704, 504, 3)


def test_large_print_has_larger_cards(tmp_path: Path) -> None:
    result = run("nasty_7", "--out", tmp_path / "deck.pdf", "--large-print", "--paper", "letter", "--json")
    report = json.loads(result.stdout)
    assert report["card_mm"] == [88.2, 123.2]
    assert report["paper"] == "letter"


def test_words_for_people(tmp_path: Path) -> None:
    result = run("nasty_7", "--out", tmp_path / "deck.pdf")
    assert result.stdout.startswith("The Nasty 7: 110 cards on 13 pages")


def test_an_unknown_game_is_wrong_use(tmp_path: Path) -> None:
    result = run("chess", "--out", tmp_path / "deck.pdf")
    assert isinstance(result.exception, UsageError)
    assert "seven_merry_monsters" in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_said_in_one_line(tmp_path: Path) -> None:
    result = run("nasty_7", "--out", tmp_path / "nowhere" / "deck.pdf")
    assert isinstance(result.exception, CompanionError)
    assert "make the folder first" in str(result.exception)
    assert "\n" not in str(result.exception)


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "cards").write_text("here already")
    result = run("nasty_7", "--out", tmp_path / "deck.pdf", "--pictures", tmp_path / "cards")
    assert isinstance(result.exception, CompanionError)
    assert "cards" in str(result.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["cards"]


def test_a_folder_that_may_not_be_written() -> None:
    """Nobody, not even root, may make a file in /proc."""
    result = run("nasty_7", "--out", "/proc/deck.pdf")
    assert isinstance(result.exception, CompanionError)
    assert "may write to" in str(result.exception)


def test_nothing_half_written_when_the_disk_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deck.pdf").write_bytes(b"the old one")

    def fail(_source: str, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    result = run("nasty_7", "--out", tmp_path / "deck.pdf")
    assert isinstance(result.exception, CompanionError)
    assert "no space left" in str(result.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["deck.pdf"]
    assert (tmp_path / "deck.pdf").read_bytes() == b"the old one"


def test_a_name_that_is_no_pdfs_is_refused(tmp_path: Path) -> None:
    for name in ("x.docx", "x"):
        result = run("nasty_7", "--out", tmp_path / name)
        assert isinstance(result.exception, UsageError)
        assert "only a PDF is written; name it x.pdf" in str(result.exception)
    assert list(tmp_path.iterdir()) == []
