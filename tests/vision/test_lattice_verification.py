"""A look under added light takes names back that it contradicts, and names what it alone explains."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.lattice.added_light import AddedLightFit, _path_distance, _single_colour_cost
from companion.vision.lattice.cells import Cell, LatticePicture
from companion.vision.lattice.colours import templates_of
from companion.vision.lattice.place_score import PlaceScore
from companion.vision.lattice.verification import (
    is_contradicted,
    looks_empty,
    proves_card,
    proves_presence,
    reject_unexplained_light,
    verify,
)
from companion.vision.triangles.appearance import log_colours, sample_points

CORNERS = np.array([[50, 0], [100, 87], [0, 87]], np.float32)
WHITE = np.array([230.0, 240.0, 250.0], np.float32)
BLUE, RED = np.array([[180.0, 90.0, 30.0], [30.0, 30.0, 180.0]], np.float32)


def lit(costs: tuple[float, ...] = (0.05, 0.3, 0.6), flat: float = 0.12) -> AddedLightFit:
    return AddedLightFit(np.array(costs, np.float32), flat, 0.95, (0.9, 0.95), 20)


def weighed(costs: tuple[float, ...] = (0.4, 0.42, 0.6), agreed: bool = False) -> PlaceScore:
    seen = np.array(costs, np.float32)
    return PlaceScore(
        Cell((0, 0), CORNERS, seen, 0.9, 0.1, 0.05), seen, agreed, 0.1, np.full(3, 0.9, np.float32)
    )


def test_added_white_light_leaves_a_colour_what_it_is_and_a_burnt_out_point_says_nothing() -> None:
    share = np.linspace(0, 300, 20, dtype=np.float32)[:, None]
    shone = np.minimum(BLUE + share * (WHITE / WHITE.max()), WHITE)
    assert _path_distance(shone, np.broadcast_to(BLUE, shone.shape), WHITE).max() < 0.05
    other = _path_distance(shone, np.broadcast_to(RED, shone.shape), WHITE)
    assert other[:5].min() > 0.9
    assert other[-1] < 0.05


def test_one_colour_under_a_lamp_is_no_drawing_and_two_are() -> None:
    shone = np.minimum(BLUE + np.linspace(0, 200, 60, dtype=np.float32)[:, None], WHITE)
    assert _single_colour_cost(shone, WHITE) < 0.05
    assert _single_colour_cost(np.concatenate([shone, np.tile(RED, (60, 1))]), WHITE) > 0.2


def test_a_card_is_told_if_every_other_is_clearly_farther() -> None:
    assert proves_card(lit(), weighed())
    assert not proves_card(lit(costs=(0.05, 0.08, 0.6)), weighed())
    assert not proves_card(lit(costs=(0.5, 0.9, 0.9)), weighed())


def test_a_card_is_not_told_if_both_other_looks_plainly_favour_another() -> None:
    assert not proves_card(lit(), weighed(costs=(0.3, 0.15, 0.6), agreed=True))
    assert proves_card(lit(), weighed(costs=(0.3, 0.28, 0.6), agreed=True))


def test_less_is_asked_of_a_card_that_the_other_looks_favour() -> None:
    near = lit(costs=(0.05, 0.08, 0.6))
    assert proves_card(near, weighed(costs=(0.2, 0.3, 0.6), agreed=True))
    assert not proves_card(lit(costs=(0.05, 0.06, 0.6)), weighed(costs=(0.2, 0.3, 0.6), agreed=True))


@pytest.mark.parametrize(
    ("change", "there"),
    [
        ({}, True),
        ({"outline": (0.4, 0.95)}, False),
        ({"outline": (0.95,)}, False),
        ({"flat": 0.055}, False),
        ({"visible": 0.3}, False),
        ({"outline_points": 8}, False),
    ],
    ids=["outlined", "a side not seen", "one side left", "one colour", "mostly covered", "mostly burnt out"],
)
def test_that_a_card_lies_there_needs_its_outline_and_a_drawing(
    change: dict[str, object], there: bool
) -> None:
    assert proves_presence(replace(lit(), **change), odds=0.0) is there  # type: ignore[arg-type]


def test_what_the_look_proves_is_sure_and_what_it_denies_is_not() -> None:
    one = weighed(costs=(0.05, 0.3, 0.6))
    assert replace(one, verified=True).is_sure
    plain = replace(weighed(costs=(0.1, 0.6, 0.7), agreed=True), glare_similarity=0.9)
    assert plain.is_sure
    assert not replace(plain, doubted=True).is_sure
    assert replace(plain, doubted=True).confidence < 0.5


def test_a_name_does_not_stand_where_another_card_is_nearer_under_added_light() -> None:
    told = weighed(costs=(0.1, 0.3, 0.6), agreed=True)
    assert is_contradicted(lit(costs=(0.3, 0.1, 0.6)), told)
    assert not is_contradicted(lit(costs=(0.12, 0.1, 0.6)), told)
    assert not is_contradicted(lit(costs=(0.3, 0.1, 0.6)), replace(told, glare_similarity=1.4))


@pytest.mark.parametrize(
    ("flat", "like", "first", "bare"),
    [(0.12, 0.1, 0.1, False), (0.055, 0.1, 0.1, False), (0.018, 0.1, 0.1, True), (0.018, 1.3, 0.1, False),
     (0.052, 0.45, 0.55, True), (0.12, 0.45, 0.55, False)],
    ids=["a card", "faintly drawn", "one colour", "drawn", "little speaks for it", "little, but a drawing"],
)  # fmt: skip
def test_what_one_colour_explains_as_well_is_no_card(
    flat: float, like: float, first: float, bare: bool
) -> None:
    one = replace(weighed(costs=(first, 0.6, 0.6)), glare_similarity=like)
    assert (one.log_odds > 2.5) is (first == 0.1)
    assert looks_empty(lit(flat=flat), one) is bare


def test_a_card_of_little_evidence_shows_its_outline_or_its_drawing() -> None:
    one = replace(weighed(costs=(0.5, 0.8, 0.8)), glare_similarity=0.5)
    assert not looks_empty(lit(flat=0.06), one)
    assert looks_empty(replace(lit(flat=0.06), outline=(0.5, 0.9)), one)
    assert not looks_empty(replace(lit(flat=0.08), outline=(0.5, 0.9)), one)
    undrawn = replace(one, glare_similarity=0.3)
    assert undrawn.log_odds < 2.5
    assert looks_empty(lit(flat=0.12), undrawn)


def test_a_patch_of_one_colour_with_an_outline_is_no_card_however_like_one_it_is() -> None:
    cell = Cell((0, 0), CORNERS, np.array([0.1, 0.6, 0.6], np.float32), 1.0, 0.14, 0.03)
    one = PlaceScore(cell, cell.costs, True, 0.3, np.ones(3, np.float32))
    assert one.log_odds > 4.5
    assert looks_empty(lit(flat=0.03), one)
    assert not looks_empty(lit(flat=0.03), replace(one, glare_similarity=0.5))


@pytest.fixture
def orange_table() -> LatticePicture:
    """A picture of one place, orange with a darker drawing, and a deck of orange, yellow and green."""
    own = np.array([[20, 110, 210], [15, 180, 215], [60, 130, 40]], np.float32)
    inner = (sample_points().min(axis=1) > 0.2)[:, None]
    levels = np.where(inner, own[:, None] * 0.4, own[:, None])
    looks = templates_of(
        ("orange", "yellow", "green"), np.arange(3), log_colours(levels.astype(np.float32), 230.0)
    )
    picture = np.full((120, 120, 3), 255, np.uint8)
    cv2.fillConvexPoly(picture, np.round(CORNERS + 10).astype(np.int32), own[0].tolist())
    middle = (CORNERS + 10).mean(axis=0)
    cv2.fillConvexPoly(picture, np.round(middle + 0.4 * (CORNERS + 10 - middle)).astype(np.int32),
                       (own[0] * 0.4).tolist())  # fmt: skip
    return LatticePicture(picture, 100.0, looks)


def test_a_name_that_the_look_denies_is_asked_for_with_both_cards(orange_table: LatticePicture) -> None:
    right = replace(weighed(costs=(0.1, 0.3, 0.6), agreed=True), glare_similarity=0.6)
    right = replace(right, cell=replace(right.cell, corners=CORNERS + 10))
    (kept,) = verify([right], {(0, 0): 0}, orange_table)
    assert kept.is_sure
    assert kept.card == 0
    wrong = replace(right, costs=right.costs[[1, 0, 2]])
    (asked,) = verify([wrong], {(0, 0): 1}, orange_table)
    assert not asked.is_sure
    assert {asked.card, asked.second} == {0, 1}


def test_a_card_that_is_sure_only_where_it_was_laid_anew_needs_this_looks_name(
    orange_table: LatticePicture,
) -> None:
    one = replace(weighed(costs=(0.1, 0.3, 0.6), agreed=True), glare_similarity=0.6, found_late=True)
    one = replace(one, cell=replace(one.cell, corners=CORNERS + 10))
    (kept,) = verify([one], {(0, 0): 0}, orange_table)
    assert kept.is_sure
    alike = replace(orange_table.templates, values=orange_table.templates.values[[0, 1, 2, 0, 1, 2, 6, 7, 8]])
    orange_table.templates = alike
    (asked,) = verify([one], {(0, 0): 0}, orange_table)
    assert not asked.is_sure
    (early,) = verify([replace(one, found_late=False)], {(0, 0): 0}, orange_table)
    assert early.is_sure


def test_a_name_that_changed_with_the_light_of_the_board_is_asked_for(orange_table: LatticePicture) -> None:
    one = replace(weighed(costs=(0.1, 0.3, 0.6), agreed=True), glare_similarity=0.6)
    one = replace(one, cell=replace(one.cell, corners=CORNERS + 10))
    (asked,) = verify([one], {(0, 0): 1}, orange_table)
    assert not asked.is_sure
    assert (asked.card, asked.second) == (0, 1)


@pytest.mark.parametrize(("nameless", "kept"), [(1, True), (2, False)])
def test_where_outlined_cards_have_no_name_no_other_name_stands(nameless: int, kept: bool) -> None:
    sure = replace(weighed(costs=(0.1, 0.4, 0.6), agreed=True), glare_similarity=0.6)
    none = [replace(weighed(costs=(0.5, 0.51, 0.6)), glare_similarity=0.1) for _ in range(nameless)]
    assert sure.is_sure
    assert not none[0].is_sure
    read = reject_unexplained_light([sure, sure, sure, *none])
    assert [one.is_sure for one in read] == [kept] * 3 + [False] * nameless
    asked = [replace(sure, doubted=True)] * nameless
    assert [one.is_sure for one in reject_unexplained_light([sure, sure, sure, *asked])] == [True] * 3 + [
        False
    ] * nameless
