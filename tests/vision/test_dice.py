"""Dice in rendered and real photographs: values, sums, and words for what is not sure."""

from __future__ import annotations

import json
import math
import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.art.dice import (
    STYLES,
    DiceCamera,
    RenderedDie,
    as_photographed,
    dice_photo,
    draw_die,
    table_top,
)
from companion.commands.cli import group
from companion.core.message import message
from companion.vision.dice.faces import Face, ProjectedPips
from companion.vision.dice.layout import DiceLayout, best_layout
from companion.vision.dice.limits import dice_limits
from companion.vision.dice.pips import Pips, find_pips, measure_surroundings
from companion.vision.dice.read import Die, _die, _has_glare, _is_level, read_dice
from companion.vision.dice.view import Optics, PlaneView, slants
from companion.vision.image.picture import Image, load_picture

SIZE = (420, 560)
SHARED = Path(os.environ.get("COMPANION_SHARED", Path(__file__).parents[3] / "shared"))
LIMITS = dice_limits()
PLACES = [(-2.6, -1.8), (0.2, -2.0), (2.7, -1.2), (-1.4, 1.1), (1.5, 1.4)]


def photo(style: str, values: list[int], tilt: float, seed: int) -> tuple[Image, list[RenderedDie]]:
    """A photograph of dice of these values at fixed places."""
    rng = np.random.default_rng(seed)
    ground = table_top(SIZE, "wood", rng)
    camera = DiceCamera.at(13.0, math.radians(tilt), 0.2, SIZE)
    dice = [
        draw_die(ground, camera, STYLES[style], value, place, 0.7 * n + 0.3)
        for n, (value, place) in enumerate(zip(values, PLACES, strict=False))
    ]
    return as_photographed(ground, 0.5, 2.0, (0.95, 1.0, 1.0), rng), dice


def values(image: Image, count: int | None = None) -> list[int]:
    return sorted(die.value for die in read_dice(image, count).dice)


@pytest.mark.parametrize(
    ("style", "tilt", "shown"),
    [("white", 30, [1, 2, 3, 4, 5]), ("black", 20, [6, 6, 1, 2, 3]), ("red", 38, [5, 4, 6])],
)
def test_dice_of_other_colours_are_read_from_aside(style: str, tilt: float, shown: list[int]) -> None:
    image, dice = photo(style, shown, tilt, seed=4)
    reading = read_dice(image)
    assert sorted(die.value for die in reading.dice) == sorted(shown)
    assert reading.total == sum(shown)
    for die in dice:
        near = [found for found in reading.dice if math.dist(found.centre, die.centre) < 0.5 * die.radius]
        assert [found.value for found in near] == [die.value]


def test_the_same_picture_larger_has_the_same_dice_at_larger_places() -> None:
    image, _ = photo("ivory", [2, 5, 3], 25, seed=1)
    large = np.asarray(cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    once, twice = read_dice(image), read_dice(large)
    assert [d.value for d in once.dice] == [d.value for d in twice.dice]
    for small, big in zip(once.dice, twice.dice, strict=True):
        assert math.dist((2 * small.centre[0], 2 * small.centre[1]), big.centre) < 4


@pytest.mark.parametrize("seed", [4573, 4586, 4599, 4601])
def test_dice_are_read_from_a_picture_that_was_cut_out_or_zoomed_in(seed: int) -> None:
    """Its perspective is weaker than that of a whole picture: the sides of its dice look otherwise."""
    image, dice = dice_photo(np.random.default_rng(seed), 1 + seed % 5)
    at, reach = np.array([die.centre for die in dice]), 1.25 * max(die.radius for die in dice)
    left, top = np.maximum(at.min(axis=0) - reach, 0).astype(int)
    right, bottom = (at.max(axis=0) + reach).astype(int)
    cut = np.ascontiguousarray(image[top:bottom, left:right])
    assert values(cut, len(dice)) == sorted(die.value for die in dice)


def test_fewer_dice_than_were_expected_are_said() -> None:
    image, _ = photo("white", [4, 6], 20, seed=2)
    reading = read_dice(image, 5)
    assert len(reading.dice) < 3
    assert any("2 of 5 dice" in words for words in map(str, reading.unsure))


def test_a_die_cut_by_the_pictures_edge_is_named() -> None:
    image, dice = photo("white", [4, 6, 5, 3, 2], 20, seed=2)
    left = min(dice, key=lambda die: die.centre[0])
    cut = np.ascontiguousarray(image[:, int(left.centre[0]) :])
    assert any("edge" in words or "of 5" in words for words in map(str, read_dice(cut, 5).unsure))


def test_a_face_that_is_not_level_with_the_table_is_not_believed() -> None:
    shapes = np.array([np.diag([100.0, 100.0]), np.diag([100.0 * math.exp(0.7), 100.0])], np.float32)
    like = np.zeros(2, np.float32)
    pips = Pips(np.array([[200, 200], [400, 200]], np.float32), shapes, like + 220, like - 150, like)
    seen = ProjectedPips.project(PlaneView.of(Optics.of(SIZE), 0.0, 0.0), pips)
    faces = tuple(Face(1, (0.0, 0.0), (0.0, 0.0), 0.1, (k,), 2.0) for k in range(2))
    table = DiceLayout(seen, faces, np.zeros(2, bool), 0.0)
    assert [_is_level(face, table, LIMITS.doubts) for face in faces] == [True, False]


@pytest.mark.parametrize("seed", [3000, 3006, 3011])
def test_a_die_that_a_hard_shadow_crosses_is_asked_about(seed: int) -> None:
    image, dice = dice_photo(np.random.default_rng(seed), 3)
    (x, y), (down, across) = dice[0].centre, np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    lit = np.where(0.8 * (across - x) + 0.6 * (down - y) > 0, 0.4, 1.0).astype(np.float32)
    shadowed = (image * cv2.GaussianBlur(lit, (0, 0), 2)[..., None]).astype(np.uint8)
    reading = read_dice(shadowed, 3)
    assert any("shadow" in words for words in map(str, reading.unsure))
    assert len(reading.dice) < 3
    left = [die.value for die in dice]
    for die in reading.dice:
        left.remove(die.value)


@pytest.mark.parametrize(("burnt", "said"), [(0, False), (14, True), (60, False)])
def test_a_die_of_which_a_part_is_burnt_out_is_said(burnt: int, said: bool) -> None:
    """As by a lamp mirrored in it; a picture in which all of the die is burnt out is too bright instead."""
    die = Die(2, (50.0, 50.0), 0.9, ((30.0, 30.0), (70.0, 30.0), (70.0, 70.0), (30.0, 70.0)))
    image = np.full((100, 100, 3), 200, np.uint8)
    y, x = np.mgrid[0:100, 0:100]
    image[np.hypot(x - 50, y - 50) < burnt] = 255
    assert _has_glare(die, image, light_pips=False) == said


def test_light_pips_on_a_bright_ground_are_no_glare() -> None:
    die = Die(2, (50.0, 50.0), 0.9, ((30.0, 30.0), (70.0, 30.0), (70.0, 70.0), (30.0, 70.0)))
    image = np.full((100, 100, 3), 255, np.uint8)
    image[30:70, 30:70] = 30
    for x, y in ((40, 40), (60, 60)):
        cv2.circle(image, (x, y), 4, (255, 255, 255), -1)
    assert not _has_glare(die, image, light_pips=True)
    cv2.circle(image, (50, 50), 5, (255, 255, 255), -1)
    assert _has_glare(die, image, light_pips=True)


@pytest.mark.parametrize("seed", [3001, 3005])
def test_a_lamp_mirrored_in_a_die_is_asked_about(seed: int) -> None:
    image, dice = dice_photo(np.random.default_rng(seed), 3)
    (x, y), radius = dice[0].centre, dice[0].radius
    assert not read_dice(image, 3).unsure
    cv2.circle(image, (round(x), round(y)), round(0.4 * radius), (255, 255, 255), -1)
    assert read_dice(image, 3).unsure


def test_an_empty_table_has_no_dice() -> None:
    for kind in ("wood", "cloth", "mat"):
        reading = read_dice(table_top(SIZE, kind, np.random.default_rng(3)))
        assert reading.dice == ()
        assert reading.unsure == (message("dice.none"),)


@pytest.mark.parametrize("size", [0.0, 1.5])
def test_noise_of_a_cheap_camera_hides_no_die_and_adds_few_marks(size: float) -> None:
    rng = np.random.default_rng(17)
    image, dice = dice_photo(np.random.default_rng(9304), 5)
    noise = rng.normal(0, 1, image.shape[:2]).astype(np.float32)
    noise = cv2.GaussianBlur(noise, (0, 0), size) if size else noise
    noisy = np.clip(image + 12 * (noise / noise.std())[..., None], 0, 255).astype(np.uint8)
    assert len(find_pips(noisy, LIMITS.pips)) < 80
    assert [die.value for die in read_dice(noisy, 5).dice] == [
        die.value for die in sorted(dice, key=lambda die: die.centre)
    ]


def test_a_ground_full_of_discs_is_refused_instead_of_searched() -> None:
    image = np.full((720, 960, 3), 60, np.uint8)
    for x in range(20, 960, 40):
        for y in range(20, 720, 40):
            cv2.circle(image, (x, y), 8, (230, 230, 230), -1, cv2.LINE_AA)
    assert read_dice(image, 2).unsure == (message("dice.patterned_ground"),)


def test_a_picture_without_any_mark_is_answered() -> None:
    assert read_dice(np.full((200, 300, 3), 128, np.uint8)).unsure == (message("dice.none"),)


def test_a_pips_outline_tells_how_its_face_is_turned() -> None:
    canvas = np.full((300, 300, 3), 230, np.uint8)
    cv2.ellipse(canvas, (150, 150), (20, 12), 30, 0, 360, (20, 20, 20), -1, cv2.LINE_AA)
    pips = find_pips(canvas, LIMITS.pips)
    assert len(pips) == 1
    assert np.allclose(pips.at[0], 150, atol=0.7)
    # Three measurements leave it a little too round; five are exact here and read fewer photographs right.
    assert slants(pips.shape)[0] == pytest.approx(math.log(20 / 12), abs=0.09)
    assert pips.contrast[0] < -150


def test_a_view_takes_pixels_to_places_and_back() -> None:
    view = PlaneView.of(Optics.of((480, 640)), math.radians(40), 1.0)
    pixels = np.array([[100.0, 90.0], [320.0, 240.0], [600.0, 400.0]])
    places = view.places(pixels)
    assert np.allclose(view.pixels(places), pixels)
    step = 1e-3
    for axis in range(2):
        moved = view.places(pixels + step * np.eye(2)[axis])
        assert np.allclose((moved - places) / step, view.stretch(pixels)[:, :, axis], atol=1e-5)


def test_the_command_answers_in_json(tmp_path: Path) -> None:
    image, _ = photo("blue", [3, 6], 20, seed=6)
    file = tmp_path / "dice.png"
    cv2.imwrite(str(file), image)
    result = CliRunner().invoke(group, ["dice", str(file), "--count", "2", "--json"])
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["sum"] == 9
    assert sorted(die["value"] for die in answer["dice"]) == [3, 6]
    assert answer["unsure"] == []


def test_a_lone_mark_is_a_die_only_if_one_is_missing() -> None:
    face = Face(1, (0.0, 0.0), (0.0, 0.0), 0.1, (0,), 1.5)
    view = PlaneView.of(Optics.of((480, 640)), 0.3, 1.0)
    assert (
        _die(face, view, None, LIMITS.sets.worth).confidence
        < 0.5
        < _die(face, view, 1, LIMITS.sets.worth).confidence
    )


def real_photo(name: str) -> Image:
    file = SHARED / "vision" / "dice_mp" / "photos" / name
    if not file.is_file():
        pytest.skip("needs the shared photographs: set COMPANION_SHARED to their folder")
    return load_picture(file)


def test_a_lone_pip_that_is_hardly_believed_is_asked_about_unless_the_number_of_dice_is_known() -> None:
    photo = real_photo("dice_24.jpg")
    free, known = read_dice(photo), read_dice(photo, 3)
    assert [die.value for die in free.dice] == [1, 1]
    assert "dice.leaning" in [doubt.code for doubt in free.unsure]
    assert [die.value for die in known.dice] == [1, 1, 1]


def test_lone_pips_are_dice() -> None:
    reading = read_dice(real_photo("dice_12.jpg"))
    assert [die.value for die in reading.dice] == [1, 1]
    assert reading.unsure == ()


def test_the_side_of_a_die_that_may_as_well_be_another_one_is_asked_about() -> None:
    reading = read_dice(real_photo("dice_42.jpg"), 5)
    ones = [die.value for die in reading.dice if die.value == 1]
    (side,) = [die for die in reading.dice if die.value != 1]
    assert len(ones) == 4
    doubts = [(one.code, one.params.get("value"), one.params.get("x")) for one in reading.unsure]
    assert ("dice.perhaps_another", side.value, round(side.centre[0])) in doubts


def test_real_photographs_are_read_when_the_number_is_known() -> None:
    folder = SHARED / "vision" / "dice_mp"
    if not folder.is_dir():
        pytest.skip("needs the shared photographs: set COMPANION_SHARED to their folder")
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    names = sorted(truth)[::6]
    right = sum(
        values(load_picture(folder / "photos" / name), len(truth[name])) == sorted(d[0] for d in truth[name])
        for name in names
    )
    assert right >= len(names) - 1


@pytest.mark.parametrize("style", ["white", "red"])
def test_dice_of_twenty_pixels_at_the_edge_of_a_table_camera_are_read_in_the_camera_s_own_view(
    style: str,
) -> None:
    size = (720, 1280)
    rng = np.random.default_rng(8)
    picture = table_top(size, "wood", rng)
    camera = DiceCamera.at(0.95 * 1280 / 22, 0.0, 0.0, size, 0.95)
    values = [6, 6, 5, 1, 3]
    for number, value in enumerate(values):
        place = (18.0 + 4.0 * (number % 2), -9.0 + 4.5 * number)
        draw_die(picture, camera, STYLES[style], value, place, 0.4 + 0.9 * number)
    left = 900
    part = np.ascontiguousarray(as_photographed(picture, 0.6, 3.0, (1.0, 1.0, 1.0), rng)[:, left:])
    reading = read_dice(part, 5, Optics.of(size, (left, 0)))
    assert sorted(die.value for die in reading.dice) == sorted(values)
    assert reading.unsure == ()


def in_the_zone(style: str, shown: list[int], distance: float) -> tuple[Image, Optics, list[RenderedDie]]:
    """The zone of dice, cut out of the picture of a whole table, and its dice, about 20 pixels wide."""
    rng, size, begin = np.random.default_rng(5), (720, 1280), 460
    ground = np.full((*size, 3), (70, 60, 90), np.uint8)
    camera = DiceCamera.at(distance, math.radians(8), 0.0, size)
    dice = [
        draw_die(ground, camera, STYLES[style], value, (2.5 * n - 6.0, 1.5 * (n % 3)), 0.7 * n + 0.3)
        for n, value in enumerate(shown)
    ]
    seen = as_photographed(ground, 0.7, 2.0, (0.95, 1.0, 1.0), rng)
    moved = [replace(die, centre=(die.centre[0] - begin, die.centre[1])) for die in dice]
    return np.ascontiguousarray(seen[:, begin : begin + 300]), Optics.of(size, (begin, 0.0)), moved


@pytest.mark.parametrize("distance", [46.0, 56.0])
def test_ones_whose_pip_is_larger_than_others_are_read_beside_them(distance: float) -> None:
    image, optics, _ = in_the_zone("ace", [1, 6, 1, 3, 2], distance)
    reading = read_dice(image, 5, optics)
    assert sorted(die.value for die in reading.dice) == [1, 1, 2, 3, 6]
    assert reading.unsure == ()


def half_painted(image: Image, top: Die, side: int) -> Image:
    """The picture with the half of a top face that begins at one of its sides (0 to 3) painted over."""
    corners = np.array(top.outline)
    first, second, third, fourth = np.roll(corners, -side, axis=0)
    half = np.array([first, second, (second + third) / 2, (first + fourth) / 2])
    x, y = np.round(top.centre).astype(int)
    colour = np.median(image[y - 3 : y + 4, x - 3 : x + 4], axis=(0, 1))
    painted = image.copy()
    cv2.fillPoly(painted, [np.round(half).astype(np.int32)], colour.tolist())
    return painted


@pytest.mark.parametrize("side", range(4))
def test_a_row_of_a_six_whose_other_row_is_not_seen_is_no_three(side: int) -> None:
    image, optics, dice = in_the_zone("ivory", [5, 6, 4, 6, 6], 46.0)
    place = dice[1].centre
    whole = next(die for die in read_dice(image, 5, optics).dice if math.dist(die.centre, place) < 8)
    assert whole.value == 6
    reading = read_dice(half_painted(image, whole, side), 5, optics)
    assert 3 not in [die.value for die in reading.dice if math.dist(die.centre, place) < 8]
    assert reading.unsure


@pytest.mark.parametrize(("tilt", "turn"), [(0, 0.0), (8, 0.3), (25, -0.5)])
def test_the_table_is_told_by_the_way_that_its_lines_run_together(tilt: float, turn: float) -> None:
    camera = DiceCamera.at(50.0, math.radians(tilt), turn, (720, 1280))
    flat = np.array([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], float)
    matrix = cv2.getPerspectiveTransform(
        flat[:, :2].astype(np.float32), camera.project(flat).astype(np.float32)
    )
    optics = Optics.of((720, 1280))
    normal = np.array(optics.normal_of(matrix))
    assert normal @ (camera.axes @ np.array([0.0, 0.0, 1.0])) > math.cos(math.radians(0.2))
    assert np.allclose(optics.normal_of(-2.0 * matrix), normal)


@pytest.mark.parametrize("table", [(0.0, -0.14, -0.99), (0.5, 0.0, -0.866)])
def test_a_table_that_is_known_is_not_searched_for(table: tuple[float, float, float]) -> None:
    image, optics, _ = in_the_zone("black", [2, 2, 1, 2, 2], 50.0)
    pips = find_pips(image, LIMITS.pips)
    layout = best_layout(
        pips, measure_surroundings(image, pips, LIMITS.pips), [replace(optics, table=table)], 5, LIMITS
    )
    assert float(layout.seen.view.normal @ np.array(table)) > math.cos(math.radians(8.0))
    assert sorted(die.value for die in read_dice(image, 5, optics).dice) == [1, 2, 2, 2, 2]
