"""Learning a deck with the phone: the enrolment session behind the page, and the page in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from camera_table import LIGHT, VIEW, CameraTable, await_picture, served
from chromium import Phone
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import SAME

from companion import art
from companion.api.enrolment import DeckLabel
from companion.art.scene import Conditions, Placed, Scene, lattice
from companion.core.clock import monotonic
from companion.core.errors import CompanionError, Unavailable, UsageError
from companion.host.deck_library import SHIPPED
from companion.host.enrolment import DeckEnrolment
from companion.runtime.app import App
from companion.senses.latest_frame import LatestFrame
from companion.vision.deck.collect import collect_cards
from companion.vision.deck.deck import Deck
from companion.vision.lattice.read import read_lattice

Phones = Callable[..., Phone]
GAME = "nasty_7"
CARDS = ("gun", "phone", "racketeer", "twin_phone", "twin_racketeer")


@pytest.fixture(scope="module")
def camera() -> CameraTable:
    return CameraTable(GAME)


@pytest.fixture
def address(camera: CameraTable, tmp_path: Path) -> Iterator[tuple[str, App]]:
    """Pages of a real table under that camera, and the table."""
    with served(tmp_path, camera) as found:
        yield found


@pytest.fixture
def blind_address(tmp_path: Path) -> Iterator[str]:
    """Pages of a real table without a camera."""
    with served(tmp_path / "data", None) as (url, _):
        yield url


def enrolment_of(folder: Path, camera: CameraTable) -> DeckEnrolment:
    live = LatestFrame(monotonic)
    live.see(camera.image, monotonic())
    return DeckEnrolment(folder, live)


def test_cards_are_found_named_and_gone_on_with(camera: CameraTable, tmp_path: Path) -> None:
    camera.row(CARDS[:3])
    enrolment = enrolment_of(tmp_path, camera)
    enrolment.open(GAME)
    found = enrolment.look()
    assert [card.guess for card in found.cards] == [None] * 3
    for number, label in enumerate(CARDS[:3]):
        enrolment.name(number, label)
    assert set(Deck.load(tmp_path / GAME).names) == set(CARDS[:3]), "written with the last name"
    camera.row(("racketeer", "twin_phone", "gun"), turn=180)
    again = enrolment_of(tmp_path, camera)
    again.open(GAME)
    seen = again.look()
    assert {card.guess for card in seen.cards} == {None, "racketeer", "gun"}
    state = again.more_looks()
    looks = {one.label: one.looks for one in state.labels}
    assert looks == {"gun": 2, "phone": 1, "racketeer": 2, "twin_phone": 0, "twin_racketeer": 0}
    assert state.missing == ("twin_racketeer", "twin_phone")
    again.close()
    assert Deck.load(tmp_path / GAME).labels.count("gun") == 2


def test_cards_in_the_order_of_the_list_are_named_at_once(camera: CameraTable, tmp_path: Path) -> None:
    order = art.card_labels(GAME)
    camera.row(order[:4], columns=4)
    enrolment = enrolment_of(tmp_path, camera)
    state = enrolment.open(GAME)
    expected = state.missing[:4]
    assert enrolment.look().next == expected
    named = enrolment.name_in_order()
    assert [card.label for card in named.cards] == list(expected)
    assert Deck.load(tmp_path / GAME).names == expected
    with pytest.raises(UsageError, match="one by one"):
        enrolment.name_in_order()


def test_a_card_that_is_cut_off_is_refused_with_a_word(camera: CameraTable, tmp_path: Path) -> None:
    card = Placed("gun", -0.5 * VIEW.span, 0.0, 0.0)
    camera.show([Placed("phone", 0.0, 0.0, 0.0), Placed("racketeer", 90.0, 0.0, 0.0), card])
    enrolment = enrolment_of(tmp_path, camera)
    enrolment.open(GAME)
    problems = {found.id: found.problem for found in enrolment.look().cards}
    assert sorted(problems.values(), key=str) == [None, None, "cut_off"]
    cut = next(number for number, problem in problems.items() if problem)
    with pytest.raises(UsageError, match="cut off by the picture"):
        enrolment.name(cut, "gun")
    assert enrolment.state().labels[0].looks == 0


def test_looks_from_above_are_known_where_they_lie(camera: CameraTable, tmp_path: Path) -> None:
    """A deck learned on the table names the cards of another picture."""
    from companion.vision.cards.recognise import recognise

    camera.row(CARDS)
    enrolment = enrolment_of(tmp_path, camera)
    enrolment.open(GAME)
    order = [card.id for card in enrolment.look().cards]
    for number, label in zip(order, CARDS, strict=True):
        enrolment.name(number, label)
    enrolment.close()
    camera.row(CARDS[::-1], columns=4, turn=25)
    seen = recognise(camera.image, Deck.load(tmp_path / GAME))
    assert sorted(card.label for card in seen.cards) == sorted(CARDS)


def triangles(seed: int, light: Conditions, labels: Sequence[str]) -> np.ndarray:
    """Triangular cards lying apart from each other, each turned as chance has it."""
    rng = np.random.default_rng(seed)
    scene = Scene("trio_monsters", VIEW, light, rng)
    places = [((i % 4 - 1.5) * 95.0, (i // 4 - 0.5) * 105.0) for i in range(len(labels))]
    cards = [
        Placed(label, x, y, float(rng.uniform(0, 360)), size=art.card_size("trio_monsters"))
        for label, (x, y) in zip(labels, places, strict=True)
    ]
    return np.asarray(scene.render(cards).image, np.uint8)


def test_triangular_cards_are_learned_and_read_on_the_lattice(tmp_path: Path) -> None:
    labels = art.card_labels("trio_monsters")
    frame = LatestFrame(monotonic)
    enrolment = DeckEnrolment(tmp_path, frame)
    assert "trio_monsters" in [one.name for one in enrolment.decks()]
    enrolment.open("trio_monsters")
    day, lamp = LIGHT, Conditions("cloth", 0.75, (0.85, 1.0, 1.15), 0.1, blur=0.4, noise=2.0, jpeg=95)
    for seed, light, part in ((3, day, labels[:5]), (4, lamp, labels[3:])):
        frame.see(triangles(seed, light, part), monotonic())
        found = enrolment.look().cards
        assert [len(card.corners) for card in found] == [3] * 5
        guesses = [card.guess for card in found]
        assert guesses == ([None] * 5 if seed == 3 else [*labels[3:5], None, None, None])
        for number, label in enumerate(part):
            enrolment.name(number, label)
    assert enrolment.check().misread == ()
    assert enrolment.check().missing == ()
    enrolment.close()
    deck = Deck.load(tmp_path / "trio_monsters")
    assert set(deck.names) == set(labels)
    rng = np.random.default_rng(8)
    places = [(0, 0), (0, 1), (0, -1), (1, 0), (1, 1), (1, -1), (0, 2), (-1, 1)]
    laid = [lattice.triangle(label, at, rng) for label, at in zip(labels, places, strict=True)]
    scene = Scene("trio_monsters", VIEW, Conditions("wood", 0.9, (1.1, 1.0, 0.9), 0.2, noise=2.0), rng)
    reading = read_lattice(np.asarray(scene.render(laid).image, np.uint8), deck)
    assert sorted(card.card for card in reading.cards) == sorted(labels)


def test_a_triangular_card_is_turned_by_a_third(tmp_path: Path) -> None:
    frame = LatestFrame(monotonic)
    frame.see(triangles(3, LIGHT, ["red", "blue"]), monotonic())
    enrolment = DeckEnrolment(tmp_path, frame)
    enrolment.open("trio_monsters")
    before = enrolment.look().cards[0].corners
    assert enrolment.turn(0).cards[0].corners == (*before[1:], before[0])


def test_a_card_is_renamed_turned_and_dropped(camera: CameraTable, tmp_path: Path) -> None:
    camera.row(CARDS[:2])
    enrolment = enrolment_of(tmp_path, camera)
    enrolment.open("our own")
    before = enrolment.look().cards[0].corners
    assert enrolment.turn(0).cards[0].corners == before[2:] + before[:2]
    enrolment.name(0, "pistol")
    enrolment.name(1, "telephone")
    enrolment.rename("pistol", "gun")
    with pytest.raises(UsageError, match="telephone already"):
        enrolment.rename("gun", "telephone")
    assert enrolment.drop("telephone").labels == (DeckLabel("gun", 1),)
    with pytest.raises(UsageError, match="learned already"):
        enrolment.turn(0)
    with pytest.raises(UsageError, match="not in the picture"):
        enrolment.name(7, "gun")
    assert Deck.load(tmp_path / "our own").names == ("gun",)


@pytest.mark.parametrize("name", ["../x", ".hidden", "", "a/b", "x" * 99])
def test_a_deck_has_a_plain_name(camera: CameraTable, tmp_path: Path, name: str) -> None:
    with pytest.raises(CompanionError):
        enrolment_of(tmp_path, camera).open(name)
    assert list(tmp_path.iterdir()) == []


def test_without_a_camera_a_photo_is_asked_for(tmp_path: Path) -> None:
    enrolment = DeckEnrolment(tmp_path, LatestFrame(monotonic))
    assert enrolment.open(GAME).camera is False
    with pytest.raises(Unavailable, match="with the phone"):
        enrolment.look()


def test_no_card_is_found_on_an_empty_or_checked_cloth(camera: CameraTable) -> None:
    camera.show([])
    assert collect_cards(camera.image) == []
    squares = np.kron(np.indices((18, 32)).sum(axis=0) % 2, np.ones((40, 40))) * 200
    cloth = np.repeat(squares[..., None], 3, axis=2).astype(np.uint8)
    assert collect_cards(cloth, 1.4) == []


@pytest.mark.parametrize(
    ("game", "size", "aspect"),
    [("bugs_and_co", (42.0, 42.0), 1.0), ("thirteen_monsters", (44.0, 56.0), None)],
)
def test_tiles_are_found_as_well(game: str, size: tuple[float, float], aspect: float | None) -> None:
    table = CameraTable(game)
    labels = art.card_labels(game)[:6]
    places = [(75.0 * (i % 3 - 1), 80.0 * (i // 3) - 40) for i in range(6)]
    table.show([Placed(one, x, y, 5.0, size=size) for one, (x, y) in zip(labels, places, strict=True)])
    found = collect_cards(table.image, aspect)
    assert len(found) == 6
    assert not any(one.problem for one in found)
    middles = sorted(tuple(np.round(one.quad.mean(axis=0) / 40)) for one in found)
    assert len(set(middles)) == 6


def test_guests_learn_nothing(guest: FlaskClient) -> None:
    assert guest.get("/enrol").status_code == 200
    assert guest.get("/live.jpg").status_code == 403
    assert guest.get("/enrol/picture/x.jpg").status_code == 403
    for step in ("open", "look", "check", "name", "close"):
        assert guest.post(f"/api/enrol/{step}", json={}, headers=SAME).status_code == 403


def test_a_deck_is_learned_by_tapping(
    camera: CameraTable, address: tuple[str, App], phones: Phones, tmp_path: Path
) -> None:
    url, app = address
    phone = phones(url, viewport={"width": 390, "height": 844})
    page = phone.open("/enrol")
    page.get_by_role("button", name="The Nasty 7").click()
    camera.row(CARDS[:4])
    await_picture(app, camera.image)
    phone.tap("Look")
    phone.tap("No, name each")
    for count, label in enumerate(CARDS[:4], 1):
        page.locator(".naming").get_by_role("button", name=label, exact=True).first.click()
        expect(page.locator("main p.lead").first).to_contain_text(f"{count} of 5 cards learned")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".thumb.right")).to_have_count(4)
    expect(page.get_by_role("status").first).to_contain_text("4 of 5 cards learned. Missing")
    assert phone.overflow() == 0
    camera.row(("gun", "phone"), turn=170)
    await_picture(app, camera.image)
    phone.tap("Look again")
    phone.tap("Learn 2 looks")
    page.get_by_text("All cards").click()
    expect(page.locator(".label.there", has_text="gun × 2")).to_be_visible()
    phone.tap("Check the deck")
    expect(page.locator(".verdict")).to_contain_text("Missing: twin_racketeer.")
    assert len(Deck.load(tmp_path / "decks" / GAME).names) == 4


def test_a_deck_of_an_earlier_version_says_so(
    address: tuple[str, App], phones: Phones, tmp_path: Path
) -> None:
    replace(Deck.load(SHIPPED / GAME), verifier_features=None).save(tmp_path / "decks" / GAME)
    phone = phones(address[0], viewport={"width": 360, "height": 740})
    page = phone.open("/enrol")
    page.get_by_role("button", name="The Nasty 7").click()
    page.get_by_text("All cards").click()
    phone.tap("Check the deck")
    expect(page.locator(".verdict")).to_contain_text("Learned by an earlier version")
    assert phone.overflow() == 0


def test_four_cards_are_learned_by_three_taps(
    camera: CameraTable, address: tuple[str, App], phones: Phones, tmp_path: Path
) -> None:
    url, app = address
    phone = phones(url, viewport={"width": 360, "height": 740})
    page = phone.open("/enrol")
    page.get_by_role("button", name="The Nasty 7").click()
    camera.row(CARDS[:4])
    await_picture(app, camera.image)
    phone.tap("Look")
    expect(page.locator("dialog .thumb")).to_have_count(4)
    assert phone.overflow() == 0
    phone.tap("Yes, learn them")
    expect(page.locator("main p.lead").first).to_contain_text("4 of 5 cards learned")
    assert len(Deck.load(tmp_path / "decks" / GAME).names) == 4


def test_photos_of_the_phone_do_as_well(
    camera: CameraTable, blind_address: str, phones: Phones, tmp_path: Path
) -> None:
    camera.row(CARDS[:2])
    cv2.imwrite(str(tmp_path / "table.jpg"), camera.image)
    phone = phones(blind_address)
    page = phone.open("/enrol")
    page.get_by_role("button", name="The Nasty 7").click()
    page.set_input_files("#picture", tmp_path / "table.jpg")
    phone.tap("No, name each")
    page.locator(".naming .label", has_text="gun").first.click()
    phone.tap("Leave it out")
    expect(page.locator(".thumb.right")).to_have_text("gun")
