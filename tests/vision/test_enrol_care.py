"""Looking after an enrolled deck: checking, mending and sharing it."""

from __future__ import annotations

import dataclasses
import io
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion import art
from companion.commands.deck import command
from companion.core.errors import CompanionError, Unreadable, UsageError
from companion.host.deck_library import templates
from companion.vision.deck import archive, edit
from companion.vision.deck.check import check_deck
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Floats, Image

GAME = "nasty_7"
LABELS = tuple(art.card_labels(GAME))


def drawn(label: str) -> Image:
    return np.asarray(art.draw_card(GAME, label, 300), np.uint8)


def whole(image: Image) -> Floats:
    height, width = image.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5


@cache
def deck() -> Deck:
    return enrol_pictures(GAME, LABELS, [drawn(label) for label in LABELS]).deck


def run(*args: str | Path, ok: bool = True) -> dict[str, Any]:
    result = CliRunner().invoke(command, [*map(str, args), "--json"])
    if ok:
        assert result.exit_code == 0, result.exception
        return dict(json.loads(result.stdout))
    assert isinstance(result.exception, CompanionError), result.exception
    return {"error": str(result.exception)}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The deck enrolled under its name; gives the folder of the owner's decks."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    deck().save(tmp_path / "decks" / GAME)
    return tmp_path / "decks"


def test_a_sound_deck_needs_nothing(kept: Path) -> None:
    report = run("check", GAME)
    assert (report["game"], report["cards"], report["notes"]) == (GAME, 5, [])


def test_a_look_of_another_card_is_found_by_leaving_it_out() -> None:
    image = cv2.convertScaleAbs(drawn("phone"), alpha=0.9)
    two = edit.add_looks(deck(), ["gun"], [np.asarray(image)], [whole(image)])
    wrong = check_deck(two, templates()[GAME])
    assert [(one.label, one.look, one.other) for one in wrong.misread] == [("gun", 2, "phone")]
    assert [(pair.first, pair.second) for pair in wrong.alike] == [("phone", "gun")]


def test_plain_cards_are_named() -> None:
    blank = np.full((300, 215, 3), 245, np.uint8)
    cv2.circle(blank, (107, 150), 20, (0, 0, 200), -1)
    found = check_deck(edit.add_looks(deck(), ["ace"], [blank], [whole(blank)]))
    assert found.plain == ("ace",)


def test_cards_are_dropped_renamed_and_added(kept: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "pistol~2.png"), cv2.rotate(drawn("gun"), cv2.ROTATE_180))
    adds = ("--add", tmp_path / "pistol~2.png")
    report = run("mend", GAME, "--drop", "phone", "--rename", "gun", "pistol", *adds)
    assert (report["cards"], report["looks"]) == (4, 5)
    mended = Deck.load(kept / GAME)
    assert set(mended.names) == set(LABELS) - {"phone", "gun"} | {"pistol"}
    assert mended.owners.max() == 4
    upright, turned = (mended.looks[i] for i, one in enumerate(mended.labels) if one == "pistol")
    assert np.abs(upright.astype(int) - turned).mean() < 12, "the second look lies the same way up"


def test_one_look_is_dropped_by_its_number(kept: Path) -> None:
    other = np.ascontiguousarray(cv2.convertScaleAbs(drawn("gun"), alpha=0.8))
    two = edit.add_looks(deck(), ["gun"], [other], [whole(other)])
    two.save(kept / GAME)
    run("mend", GAME, "--drop", "gun~1")
    mended = Deck.load(kept / GAME)
    assert mended.labels.count("gun") == 1
    assert (mended.looks[-1] == two.looks[-1]).all()
    own = two.features.descriptors[two.owners == 5]
    assert (mended.features.descriptors[mended.owners == 4] == own).all()


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("--drop", "dragon"), "no card 'dragon'"),
        (("--drop", "gun~7"), "there is no look 7"),
        (("--rename", "gun", "phone"), "a card phone already"),
        (("--rename", "gun", " "), "no name for a card"),
        ((), "name what to change"),
    ],
)
def test_what_cannot_be_mended_changes_nothing(kept: Path, args: tuple[str, ...], why: str) -> None:
    before = (kept / GAME / "deck.npz").read_bytes()
    first = ("--drop", "racketeer") if args else ()
    assert why in run("mend", GAME, *first, *args, ok=False)["error"]
    assert (kept / GAME / "deck.npz").read_bytes() == before


def test_a_picture_of_no_card_is_refused(kept: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "gun~2.png"), np.zeros((100, 400, 3), np.uint8))
    said = run("mend", GAME, "--add", tmp_path / "gun~2.png", ok=False)["error"]
    assert "no card of this deck's shape" in said


def test_a_deck_travels_as_one_file(kept: Path, tmp_path: Path) -> None:
    report = run("share", GAME, "--out", tmp_path / "ours")
    file = tmp_path / "ours.companion-deck"
    assert report["file"] == str(file)
    added = run("add", file, "--as", "theirs")
    assert (added["deck"], added["game"], added["cards"]) == ("theirs", GAME, 5)
    theirs = Deck.load(kept / "theirs")
    assert theirs.labels == LABELS
    assert (theirs.looks == deck().looks).all()
    assert "a deck theirs already" in run("add", file, "--as", "theirs", ok=False)["error"]
    assert run("add", file, "--as", "theirs", "--replace")["cards"] == 5
    assert "no name for a deck" in run("add", file, "--as", "../theirs", ok=False)["error"]


def shared(about: dict[str, Any] | None = None, data: bytes | None = None) -> bytes:
    """A shared deck with something changed in it."""
    good = zipfile.ZipFile(io.BytesIO(archive.pack_deck(deck(), GAME)))
    described = {**json.loads(good.read("about.json")), **(about or {})}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("about.json", json.dumps(described))
        file.writestr("deck.npz", good.read("deck.npz") if data is None else data)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (lambda: b"", "no shared deck"),
        (lambda: b"PK\x03\x04 nonsense" * 50, "no shared deck"),
        (lambda: shared({"kind": "something"}), "no shared deck"),
        (lambda: shared({"version": 2}), "newer companion"),
        (lambda: shared({"version": "1"}), "newer companion"),
        (lambda: shared(data=b"nothing"), "damaged"),
        (lambda: shared()[:5000], "no shared deck"),
    ],
)
def test_nonsense_is_refused(tmp_path: Path, content: Any, why: str) -> None:
    file = tmp_path / "x.companion-deck"
    file.write_bytes(content())
    with pytest.raises(Unreadable, match=why):
        archive.unpack_deck(file)


def test_a_deck_with_impossible_labels_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.companion-deck"
    odd = dataclasses.replace(deck(), labels=("a\nb", *LABELS[1:]))
    file.write_bytes(archive.pack_deck(odd, None))
    with pytest.raises(Unreadable, match="no name may have"):
        archive.unpack_deck(file)


def test_the_last_card_stays() -> None:
    one = edit.select_looks(deck(), [2])
    with pytest.raises(UsageError, match="only card"):
        edit.remove(one, one.labels[0])
    assert len(one.features) == int((deck().owners == 2).sum())
