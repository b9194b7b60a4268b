"""Cards that lie apart are found with their outlines, whatever the deck; what is wrong with one is said."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from bench.displays.scenes import squared_paper
from companion.art.scene.tables import table
from companion.vision.deck.collect import CollectedCard, collect_cards
from companion.vision.finder.edge_fit import fit_to_edges, weakest_side
from companion.vision.finder.limits import enrolment_limits
from companion.vision.finder.network import card_maps
from companion.vision.image.geometry import intersection_over_union as overlap
from models.drawn.camera import Floats, Image, glare, lay, quad_at
from models.drawn.games import number_card, pip_card

SIZE = (960, 720)
PLACES = ((190.0, 200.0), (480.0, 210.0), (770.0, 195.0), (200.0, 520.0), (470.0, 510.0), (775.0, 525.0))
ASPECT = 700 / 450


def picture(
    ground: str, faces: Sequence[Image], places: Sequence[tuple[float, float]], width: float = 130.0
) -> tuple[Floats, list[Floats]]:
    """Cards on a ground, and their quads."""
    rng = np.random.default_rng(4)
    if ground == "squared":
        canvas = squared_paper(*SIZE, 2.0, rng)
    else:
        canvas = np.asarray(table(ground, *SIZE, 2.0, rng), np.float32)
    quads: list[Floats] = []
    for face, place in zip(faces, places, strict=True):
        quad = quad_at(place, width, ASPECT, float(rng.normal(0, 4)), 8.0, 60.0)
        lay(canvas, face.astype(np.float32), quad, reach=3.0)
        quads.append(quad)
    return canvas, quads


def photograph(canvas: Floats) -> Image:
    noise = np.random.default_rng(5).normal(0, 2, canvas.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(canvas, (0, 0), 0.6) + noise, 0, 255), np.uint8)


def found_at(found: Sequence[CollectedCard], quad: Floats) -> CollectedCard | None:
    return next((one for one in found if overlap(one.quad, quad) > 0.6), None)


@pytest.mark.parametrize(
    ("ground", "least"), [("wood", 0.95), ("cloth", 0.95), ("checked", 0.93), ("squared", 0.85)]
)
def test_cards_of_an_unknown_deck_are_found_on_any_ground(ground: str, least: float) -> None:
    faces = [number_card(61, n % 4, n) for n in range(6)]
    canvas, quads = picture(ground, faces, PLACES)
    found = collect_cards(photograph(canvas))
    assert len(found) == 6
    for one, quad in zip(found, quads, strict=True):
        assert one.problem is None
        assert overlap(one.quad, quad) > least


def test_one_card_with_two_panels_is_one_card() -> None:
    """White border on white paper: the panels have stronger edges than the card."""
    canvas, (quad,) = picture("white", [number_card(64, 0, 5)], [(480.0, 360.0)], 300.0)
    (found,) = collect_cards(photograph(canvas))
    assert overlap(found.quad, quad) > 0.85


def test_a_card_cut_off_by_the_margin_is_named_as_such() -> None:
    places = (*PLACES[:5], (930.0, 525.0))
    canvas, quads = picture("cloth", [number_card(61, n % 4, n) for n in range(6)], places)
    found = collect_cards(photograph(canvas))
    assert [one.problem for one in found].count(None) == 5
    cut = found_at(found, quads[5])
    assert cut is not None
    assert cut.problem == "cut_off"


def test_a_card_under_another_is_not_offered() -> None:
    places = (*PLACES[:4], (470.0, 510.0), (540.0, 570.0))
    canvas, quads = picture("cloth", [number_card(61, n % 4, n) for n in range(6)], places)
    found = collect_cards(photograph(canvas))
    whole = [one for one in found if one.problem is None]
    offered = [max(overlap(one.quad, quad) for one in whole) > 0.9 for quad in quads]
    assert offered[:5] == [True, True, True, True, False]
    assert len(whole) == sum(offered)
    assert "unclear" in {one.problem for one in found}


def test_a_mirrored_lamp_is_said() -> None:
    canvas, quads = picture("wood", [pip_card(3, n % 4, n) for n in range(6)], PLACES)
    canvas *= 0.85
    where = np.zeros(canvas.shape[:2], np.float32)
    cv2.fillConvexPoly(where, quads[1].astype(np.int32), 1.0)
    lamp = np.zeros_like(canvas)
    glare(lamp, where, 2, np.random.default_rng(2), size=70.0)
    found = collect_cards(photograph(canvas + 2.5 * lamp))
    assert [one.problem for one in found] == [None, "burnt", None, None, None, None]


def test_bare_tables_have_no_cards() -> None:
    for ground in ("wood", "cloth", "checked", "squared"):
        canvas, _ = picture(ground, [], [])
        assert collect_cards(photograph(canvas)) == [], ground


def test_sides_are_set_on_the_edge_of_the_card_and_not_on_lines_of_the_paper() -> None:
    canvas, (quad,) = picture("squared", [number_card(61, 1, 4)], [(480.0, 360.0)], 200.0)
    image = photograph(canvas)
    maps = card_maps(image, enrolment_limits().outlines.card_pixels / 200.0)
    rough = quad + np.array([[9, 7], [-11, 5], [8, -9], [-6, 10]], np.float32)
    fitted = fit_to_edges([maps], rough)
    assert np.abs(fitted - quad).max() < 6.0 < np.abs(rough - quad).max()
    assert weakest_side(maps, fitted) > 0.6 > 0.2 > weakest_side(maps, quad + 40.0)


def test_a_row_of_cards_is_not_one_large_card() -> None:
    """A look at which the cards are small joins them to one quad of the shape of a card."""
    places = [(190.0 + 190 * x, 150.0 + 210 * y) for y in range(3) for x in range(4)]
    canvas, quads = picture("white", [number_card(61, n % 4, n) for n in range(12)], places, 90.0)
    found = collect_cards(photograph(canvas))
    assert [one.problem for one in found] == [None] * 12
    assert min(max(overlap(one.quad, quad) for one in found) for quad in quads) > 0.9
