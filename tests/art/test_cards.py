"""The drawn decks: complete, and every card unlike every other by more than its colour."""

import itertools
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from companion import art
from companion.art.decks import bugs_and_co, monsters
from companion.art.draw.raster import rasterise
from companion.art.draw.vector import Drawing, Node, Path, Shape, place
from companion.core.errors import UsageError

SIZES = {
    "seven_merry_monsters": 60,
    "trio_monsters": 60,
    "bugs_and_co": 75,
    "thirteen_monsters": 78,
    "nasty_7": 110,
}


@pytest.fixture(scope="module")
def pictures() -> dict[str, dict[str, np.ndarray]]:
    return {
        game: {label: art.draw_card(game, label, 132) for label in art.card_labels(game)} for game in SIZES
    }


@pytest.mark.parametrize("game", SIZES)
def test_every_deck_has_the_cards_of_its_box(game: str) -> None:
    assert set(SIZES) == set(art.drawn_games())
    assert sum(copies for _, copies in art.deck_list(game)) == SIZES[game]


def test_bugs_and_co_has_eyes_as_the_box_says() -> None:
    counts = [bugs_and_co.eyes(label) for label in art.card_labels("bugs_and_co")]
    assert [counts.count(eyes) for eyes in (2, 1, 3)] == [15, 5, 5]


def test_thirteen_monsters_has_39_pairs() -> None:
    labels = art.card_labels("thirteen_monsters")
    assert len({label.rsplit(" ", 1)[0] for label in labels}) == 39


def test_halves_of_thirteen_monsters_meet_across_the_gap() -> None:
    """Skin begins and ends at the same height on both sides of the cut between a left and a right card."""
    for label in ("1 bottom", "4 eyes", "10 top"):
        left = art.draw_card("thirteen_monsters", f"{label} left", 560)[:, -30].astype(int)
        right = art.draw_card("thirteen_monsters", f"{label} right", 560)[:, 30].astype(int)
        assert np.median(np.abs(left - right).max(1)) < 12


def test_seven_merry_monsters_has_its_sixty_cards() -> None:
    deck = dict(art.deck_list("seven_merry_monsters"))
    assert sum(deck.values()) == 60
    assert deck["joker"] == 11
    colours = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
    assert set(deck) - {"joker"} == {f"{colour} {number}" for colour in colours for number in range(1, 8)}


def test_the_nasty_7_has_its_110_cards() -> None:
    deck = dict(art.deck_list("nasty_7"))
    assert list(deck) == ["racketeer", "twin_racketeer", "phone", "twin_phone", "gun"]
    assert sum(deck.values()) == 110


@pytest.mark.parametrize("game", SIZES)
def test_no_two_cards_look_alike_in_black_and_white(
    game: str, pictures: dict[str, dict[str, np.ndarray]]
) -> None:
    grey = {
        label: cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(float)
        for label, picture in pictures[game].items()
    }
    for one, two in itertools.combinations(grey, 2):
        assert np.abs(grey[one] - grey[two]).mean() > 4.0, (one, two)


def test_the_top_third_alone_tells_the_cards_apart(pictures: dict[str, dict[str, np.ndarray]]) -> None:
    strips = {
        label: picture[:44].astype(float) for label, picture in pictures["seven_merry_monsters"].items()
    }
    for one, two in itertools.combinations(strips, 2):
        assert np.abs(strips[one] - strips[two]).mean() > 4.0, (one, two)


def silhouette(path: Path) -> np.ndarray:
    """The filled outline in its own bounding box, 64 x 64, so that size does not count."""
    drawing = Drawing(3, 3, (Shape(path.moved(place(1.5, 1.5)), fill="#000000"),))
    inside = (rasterise(drawing, 240)[..., 0] < 128).astype(np.uint8)
    rows, columns = np.nonzero(inside)
    crop = inside[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    side = max(crop.shape)
    square = np.zeros((side, side), np.uint8)
    top, left = (side - crop.shape[0]) // 2, (side - crop.shape[1]) // 2
    square[top : top + crop.shape[0], left : left + crop.shape[1]] = crop
    return cv2.resize(square, (64, 64), interpolation=cv2.INTER_AREA) > 0


def test_silhouettes_alone_tell_the_monsters_apart() -> None:
    shapes = {name: silhouette(monsters.silhouette(name)) for name in monsters.NAMES}
    for one, two in itertools.combinations(shapes, 2):
        overlap = (shapes[one] & shapes[two]).sum() / (shapes[one] | shapes[two]).sum()
        assert overlap < 0.88, (one, two, overlap)


def test_patterns_alone_tell_the_monsters_apart(pictures: dict[str, dict[str, np.ndarray]]) -> None:
    """The same number of two monsters, all colour and brightness taken out of the ground's right half."""
    grounds = {}
    for name in monsters.NAMES:
        patch = cv2.cvtColor(pictures["seven_merry_monsters"][f"{name} 1"], cv2.COLOR_BGR2GRAY)[8:40, 50:88]
        centred = patch.astype(float) - patch.mean()
        spread = centred.std()
        grounds[name] = centred / spread if spread > 3 else centred * 0
    for one, two in itertools.combinations(grounds, 2):
        likeness = float((grounds[one] * grounds[two]).mean())
        assert likeness < 0.6, (one, two, likeness)


def test_six_is_underlined_and_one_is_not() -> None:
    def light_below(number: int) -> int:
        picture = art.draw_card("seven_merry_monsters", f"blue {number}", 880)
        return int((picture[264:282, 90:140].min(2) > 235).sum())

    assert light_below(6) > 300
    assert light_below(1) == 0


def test_corners_are_repeated_turned_round() -> None:
    for game, label in (("seven_merry_monsters", "pink 4"), ("nasty_7", "twin_phone")):
        picture = art.draw_card(game, label, 440)
        top = picture[25:85, 25:85].astype(int)
        bottom = np.rot90(picture, 2)[25:85, 25:85].astype(int)
        assert np.median(np.abs(top - bottom)) < 4


def test_the_border_is_white_with_a_thin_dark_line() -> None:
    picture = art.draw_card("seven_merry_monsters", "green 2", 880)
    assert (picture[:24] == 255).all()
    assert (picture[:, :24] == 255).all()
    assert picture[440, 30].max() < 80


@pytest.mark.parametrize("game", SIZES)
def test_a_back_says_nothing_about_its_card(game: str, pictures: dict[str, dict[str, np.ndarray]]) -> None:
    back = art.card_back(game)
    assert (back.width, back.height) == art.card_size(game)
    flat = rasterise(back, 132).astype(int)
    assert all(np.abs(flat - pictures[game][label]).mean() > 20 for label in art.card_labels(game)[:9])


@pytest.mark.parametrize("game", SIZES)
def test_every_card_is_well_formed_svg(game: str) -> None:
    for label in art.card_labels(game):
        root = ElementTree.fromstring(art.card_svg(game, label))
        width, height = art.card_size(game)
        assert [float(part) for part in (root.get("viewBox") or "").split()] == pytest.approx(
            [0, 0, width, height], abs=0.01
        )
        assert label in (root.findtext("{http://www.w3.org/2000/svg}title") or "")


def test_every_monster_has_two_eyes_and_seven_moods() -> None:
    faces: set[tuple[Node, ...]] = set()
    for number in range(1, 8):
        faces.add(tuple(monsters.monster("blue", number)))
    assert len(faces) == 7


def test_unknown_games_and_cards_are_named() -> None:
    with pytest.raises(UsageError, match="there is one for seven_merry_monsters, trio_monsters"):
        art.card_labels("poker")
    with pytest.raises(UsageError, match="no card 'red 9'"):
        art.draw_card("seven_merry_monsters", "red 9", 100)
