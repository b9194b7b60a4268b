"""Learning a deck from a folder of pictures: what is learned, and what its owner is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion import art
from companion.commands.enrol import command
from companion.core.errors import CompanionError, Unreadable
from companion.host.deck_library import templates
from companion.vision.deck.check import DeckReport
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol
from companion.vision.deck.labels import template_of
from companion.vision.image.picture import Image
from companion.vision.image.sharpness import softness

GAME = "nasty_7"


def drawn(label: str, height: int = 300) -> Image:
    return np.asarray(art.draw_card(GAME, label, height), np.uint8)


@pytest.fixture(scope="module")
def _drawn_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    for label in art.card_labels(GAME):
        cv2.imwrite(str(folder / f"{label}.png"), drawn(label))
    return folder


@pytest.fixture
def pictures(_drawn_once: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    shutil.copytree(_drawn_once, folder)
    return folder


def test_a_complete_deck_gives_no_notes(pictures: Path) -> None:
    found = enrol(pictures, GAME, templates()[GAME])
    assert set(found.deck.names) == set(templates()[GAME].labels)
    assert found.notes == ()


def test_several_looks_belong_to_one_card(pictures: Path) -> None:
    brighter = cv2.convertScaleAbs(drawn("gun"), alpha=0.8, beta=20)
    cv2.imwrite(str(pictures / "gun~2.jpg"), cv2.rotate(brighter, cv2.ROTATE_180))
    found = enrol(pictures, GAME, templates()[GAME])
    assert found.deck.labels.count("gun") == 2
    assert len(found.deck.names) == 5
    assert found.notes == ()


def test_missing_and_misspelt_cards_are_named(pictures: Path) -> None:
    (pictures / "gun.png").unlink()
    (pictures / "twin_phone.png").rename(pictures / "Twin-Phone.png")
    check = enrol(pictures, GAME, templates()[GAME]).check
    assert check.missing == ("twin_phone", "gun")
    assert check.strange == (("Twin-Phone", "twin_phone"),)


def test_blurred_pictures_are_named_by_their_files(pictures: Path) -> None:
    cv2.imwrite(str(pictures / "phone~2.png"), cv2.GaussianBlur(drawn("phone"), (0, 0), 6.0))
    found = enrol(pictures)
    assert found.blurred == ("phone~2.png",)
    assert "blurred, better taken again: phone~2.png" in map(str, found.notes)


def test_cards_that_look_alike_are_named(pictures: Path) -> None:
    like = cv2.GaussianBlur(drawn("gun"), (0, 0), 0.7)
    cv2.imwrite(str(pictures / "pistol.png"), cv2.convertScaleAbs(like, alpha=0.9, beta=8))
    found = enrol(pictures)
    assert [(pair.first, pair.second) for pair in found.check.alike] == [("gun", "pistol")]
    assert found.twice == ()


def test_one_file_under_two_labels_is_named(pictures: Path) -> None:
    shutil.copy(pictures / "gun.png", pictures / "pistol.png")
    assert enrol(pictures).twice == (("gun.png", "pistol.png"),)


def test_every_picture_that_cannot_be_read_is_named_and_nothing_is_written(
    pictures: Path, tmp_path: Path
) -> None:
    (pictures / "gun.png").write_bytes(b"no picture")
    (pictures / "phone.png").write_bytes(b"")
    target = tmp_path / "deck"
    result = CliRunner().invoke(command, [str(target), "--from", str(pictures)])
    assert isinstance(result.exception, CompanionError)
    assert "2 of 5" in str(result.exception)
    assert "gun.png: no picture" in str(result.exception)
    assert "phone.png: the file is empty" in str(result.exception)
    assert not target.exists()


@pytest.mark.parametrize("second", ["gun.jpg", "Gun.png"])
def test_one_card_twice_is_refused(pictures: Path, second: str) -> None:
    cv2.imwrite(str(pictures / second), drawn("gun"))
    with pytest.raises(Unreadable, match="one card twice"):
        enrol(pictures)


@pytest.mark.usefixtures("refined_at_once")
def test_the_command_reports_as_json(pictures: Path, tmp_path: Path) -> None:
    (pictures / "gun.png").unlink()
    target = tmp_path / "deck"
    arguments = [str(target), "--from", str(pictures), "--game", GAME, "--json"]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    report = json.loads(result.stdout)
    assert (report["cards"], report["looks"], report["game"]) == (4, 4, GAME)
    assert report["missing"] == ["gun"]
    assert report["notes"] == ["missing: gun"]
    assert len(Deck.load(target).names) == 4


def test_a_deck_is_known_by_its_labels() -> None:
    labels = templates()["seven_merry_monsters"].labels
    found = template_of(templates(), "grandma's box", labels[:20])
    assert found is not None
    assert found.game == "seven_merry_monsters"
    assert template_of(templates(), "poker", ["ace", "king", "red 1"]) is None


@pytest.mark.parametrize("blur", [1.5, 3.0])
def test_softness_is_the_radius_of_the_blur(blur: float) -> None:
    card = drawn("racketeer", 800)
    sharp = softness(card)
    soft = softness(cv2.GaussianBlur(card, (0, 0), blur))
    assert sharp is not None
    assert soft is not None
    assert sharp < 0.8
    assert soft == pytest.approx(blur, rel=0.25)


def test_nothing_is_said_of_a_picture_without_edges() -> None:
    noise = np.random.default_rng(1).normal(120, 4, (300, 300, 3))
    assert softness(np.clip(noise, 0, 255).astype(np.uint8)) is None


def test_notes_are_messages_and_count_what_they_do_not_list() -> None:
    found = DeckReport(missing=tuple(f"card {n}" for n in range(14)), strange=(("gum", "gun"),))
    missing, strange = found.notes()
    assert missing.code == "deck_check.missing_many"
    assert str(missing).endswith("card 11 and 2 more")
    assert str(strange) == "the game has no card 'gum'; is it 'gun'?"
