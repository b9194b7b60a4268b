"""The renderer: the same from the same seed, and true about what it shows."""

import cv2
import numpy as np
import pytest

from companion.art.scene import (
    Conditions,
    Placed,
    Scene,
    View,
    calibrated,
    camera,
    display,
    fitted,
    pile,
    project,
    random_conditions,
    random_display,
    scattered,
)
from companion.art.scene.prints import Photographed
from companion.art.scene.tables import TABLES

GAME = "seven_merry_monsters"


def scene(view: View, conditions: Conditions | None = None, seed: int = 1, game: str = GAME) -> Scene:
    return Scene(game, view, conditions or Conditions("cloth"), np.random.default_rng(seed))


def test_equal_seeds_give_equal_pictures() -> None:
    def picture(seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        cards = display(random_display(rng, 7), rng)
        conditions = random_conditions(rng, 0.7)
        return Scene(GAME, View(640, 360, tilt=20, bend=-0.05), conditions, rng).render(cards).image

    assert np.array_equal(picture(5), picture(5))
    assert not np.array_equal(picture(5), picture(6))


def test_straight_down_the_corners_are_plain_geometry() -> None:
    view = View(800, 600, x=10, y=-5, span=400)
    card = Placed("red 3", 30, 15, degrees=90)
    corners = project(view, card.corners())
    # 2 pixels a mm; turned clockwise by 90 the card's own top left is at its right and top.
    middle = np.array([400 + 2 * 20, 300 + 2 * 20])
    assert corners + 0.5 == pytest.approx(
        middle + 2 * np.array([[44, -31.5], [44, 31.5], [-44, 31.5], [-44, -31.5]])
    )


def test_corners_agree_with_a_homography_made_by_hand() -> None:
    """A pinhole written out: turn the table by the tilt, move it away, divide by the depth."""
    view = View(1000, 800, span=500, tilt=35)
    focal, tilt = camera.FOCAL * 1000, np.radians(35)
    distance = focal / 2.0
    for x, y in ((-80.0, -60.0), (120.0, 90.0), (0.0, 0.0)):
        depth = distance - y * np.sin(tilt)
        expected = (500 + focal * x / depth - 0.5, 400 + focal * y * np.cos(tilt) / depth - 0.5)
        assert project(view, np.array([[x, y]]))[0] == pytest.approx(expected)


def test_the_lens_and_its_inverse_agree() -> None:
    view = View(640, 480, bend=-0.09)
    points = np.random.default_rng(2).uniform(0, 480, (50, 2))
    assert camera.straight(view, camera.bent(view, points)) == pytest.approx(points, abs=1e-3)


@pytest.mark.parametrize("bend", [0.0, -0.08])
def test_the_card_is_where_the_truth_says(bend: float) -> None:
    """The white border of a card on dark cloth, found by threshold, against the corners of the truth."""
    view = View(1280, 720, span=500, tilt=25, bend=bend)
    made = scene(view, Conditions("cloth"), seed=11)
    shown = made.render([Placed("pink 5", -90, 40, 20)])
    empty = made.render([])
    changed = (np.abs(shown.image.astype(int) - empty.image).max(2) > 60).astype(np.uint8)
    contours, _ = cv2.findContours(changed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea)
    truth = shown.truth[0].corners.astype(np.float32)
    assert cv2.contourArea(outline) == pytest.approx(cv2.contourArea(truth), rel=0.03)
    moments = cv2.moments(outline)
    centre = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    true = cv2.moments(truth)
    assert centre == pytest.approx(np.array([true["m10"], true["m01"]]) / true["m00"], abs=0.7)


def test_corners_run_clockwise_from_the_cards_own_top_left() -> None:
    made = scene(View(800, 600, span=300))
    upright, turned = Placed("blue 2", 0, 0), Placed("blue 2", 0, 0, 180)
    first, second = made.render([upright]).truth[0].corners, made.render([turned]).truth[0].corners
    assert first[0][0] < first[1][0]
    assert first[1][1] < first[2][1]
    assert second == pytest.approx(np.roll(first, 2, axis=0), abs=1e-6)


def test_visible_part_of_covered_cards() -> None:
    made = scene(View(1280, 720, span=400))
    column = [Placed("red 1", 0, -60), Placed("red 2", 0, -60 + 88 / 3), Placed("red 3", 0, -60 + 176 / 3)]
    visible = [truth.visible for truth in made.render(column).truth]
    assert visible == pytest.approx([1 / 3, 1 / 3, 1.0], abs=0.02)
    outside = made.render([Placed("red 1", 200, 0)]).truth[0].visible
    assert outside == pytest.approx(0.5, abs=0.02)


def test_a_face_down_card_has_no_truth_but_is_seen() -> None:
    made = scene(View(640, 360, span=300))
    picture = made.render([Placed("red 1", 0, 0, shown=False)])
    assert picture.truth == ()
    assert np.abs(picture.image.astype(int) - made.render([]).image).max() > 60


def test_a_print_is_not_the_drawing_and_two_copies_differ() -> None:
    made = scene(View(640, 360), Conditions("cloth", worn=0.6))
    drawn = (
        scene(View(640, 360), Conditions("cloth", worn=0.0))
        .card_print(Placed("joker", 0, 0), 160)
        .astype(int)
    )
    one = made.card_print(Placed("joker", 0, 0, copy=0), 160).astype(int)
    two = made.card_print(Placed("joker", 0, 0, copy=1), 160).astype(int)
    assert np.abs(one - drawn).mean() > 2
    assert np.abs(one - two).mean() > 2
    assert np.array_equal(one, made.card_print(Placed("joker", 0, 0, copy=0), 160))


def test_displays_are_legal() -> None:
    rng = np.random.default_rng(3)
    for cards in range(3, 19):
        columns = random_display(rng, cards)
        assert sum(len(column) for column in columns.values()) == cards
        seen = [label for column in columns.values() for label in column if label != "joker"]
        assert len(seen) == len(set(seen))
        for monster, column in columns.items():
            assert column[0].split()[0] == monster
            assert all(label == "joker" or label.startswith(f"{monster} ") for label in column)


@pytest.mark.parametrize("tilt", [0, 25, 45])
def test_a_fitted_view_shows_every_card(tilt: float) -> None:
    rng = np.random.default_rng(tilt)
    cards = display(random_display(rng, 18), rng)
    view = fitted(cards, View(1280, 720, tilt=tilt, turn=8))
    points = np.concatenate([project(view, card.corners()) for card in cards])
    assert points.min() > 0
    assert (points < (1280, 720)).all()
    assert np.ptp(points, axis=0).max() > 0.6 * 720


@pytest.mark.parametrize("table", TABLES)
def test_every_table_can_be_lit(table: str) -> None:
    conditions = Conditions(table, 0.9, (0.8, 1.0, 1.2), 0.4, 0.4, 3.0, 2, 0.7, 4.0, 85, 0.5)
    picture = scene(View(640, 360, tilt=40, bend=-0.05), conditions).render([Placed("green 4", 0, 0)])
    assert picture.image.shape == (360, 640, 3)
    assert picture.image.std() > 8


def test_glare_burns_out_and_exposure_darkens() -> None:
    view = View(640, 360, span=250)
    cards = [Placed("purple 7", -40, 0), Placed("blue 1", 40, 0)]
    bright = scene(view, Conditions("cloth")).render(cards).image
    dark = scene(view, Conditions("cloth", exposure=0.5)).render(cards).image
    shiny = scene(view, Conditions("cloth", glare=6), seed=4).render(cards).image
    assert dark.mean() == pytest.approx(bright.mean() / 2, rel=0.05)
    assert (shiny.min(2) == 255).sum() > (bright.min(2) == 255).sum()


def test_other_layouts_keep_their_promises() -> None:
    rng = np.random.default_rng(8)
    apart = scattered(["red 1", "red 2", "joker", "joker"], rng)
    for index, one in enumerate(apart):
        for other in apart[index + 1 :]:
            assert np.hypot(one.x - other.x, one.y - other.y) > 100
    heap = pile(["gun"] * 6, rng)
    assert len({card.copy for card in heap}) == 6
    assert max(abs(card.x) for card in heap) < 30


def test_somebodys_photographed_cards_can_be_laid_on_the_table() -> None:
    grey = np.full((420, 300, 3), 120, np.uint8)
    grey[:210] = 30
    cards = Photographed({"dark on top": grey})
    made = Scene(cards, View(640, 480, span=200), Conditions("cloth"), np.random.default_rng(1))
    picture = made.render([Placed("dark on top", 0, 0, size=(60.0, 84.0))])
    middle = picture.image[120:360, 300:340].mean(axis=(1, 2))
    assert picture.truth[0].visible == pytest.approx(1.0, abs=0.02)
    assert middle[:100].max() < 80 < 200 < middle[140:].min()  # white cards are brightened to 235


def test_a_curve_below_one_lifts_the_middle_tones() -> None:
    flat = scene(View(320, 240), Conditions("cloth")).render([]).image
    lifted = scene(View(320, 240), Conditions("cloth", gamma=0.7)).render([]).image
    assert 8 < float(lifted.mean()) - float(flat.mean()) < 60


@pytest.mark.parametrize("habit", [calibrated.POKER24, calibrated.UNO])
def test_light_is_drawn_as_it_was_measured(habit: calibrated.Habit) -> None:
    rng = np.random.default_rng(2)
    drawn = [habit.conditions(rng) for _ in range(300)]
    assert np.mean(np.log([c.exposure for c in drawn])) == pytest.approx(habit.exposure[0], abs=0.04)
    assert np.std(np.log([c.balance[2] for c in drawn])) == pytest.approx(habit.casts[1][1], rel=0.2)
    assert {c.table for c in drawn} == set(habit.tables)
    assert all(habit.jpeg[0] <= c.jpeg <= habit.jpeg[1] and 0.6 <= c.gamma <= 1.4 for c in drawn)
