"""The triangular lattice: places, outlines, lamps, whole tables, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from bench.lattice.__main__ import aligned, enrolled
from companion.commands.lattice import command
from companion.core.errors import Unreadable
from companion.games.trio_monsters import lattice as rules
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.lattice import fit, scored_lattices
from companion.vision.lattice.changed import ChangedTable, changed_outlines, have_changed
from companion.vision.lattice.known_table import NOTHING_KNOWN, KnownTable
from companion.vision.lattice.read import LatticeReading, read_lattice, templates_of_deck
from companion.vision.triangles.find import clockwise, find_corner_triangles, find_triangles, side_of
from models.drawn.rooms import ground
from models.vision.triangles.tables import (
    Board,
    Hard,
    own_faces,
    photograph,
    pictures_of,
    random_table,
)

PLACES = [(r, c) for r in range(-3, 4) for c in range(-3, 4)]
CALM = Hard(place=2.0, turn=3.0, tilt=30.0, lamp=1.0, shadow=0.0, shine=0.0, grounds=("wood", "cloth"))


@pytest.fixture(scope="module")
def deck() -> Deck:
    return enrolled(own_faces(), np.random.default_rng(5), 255.0)


@pytest.fixture(scope="module")
def board() -> Board:
    rng = np.random.default_rng(21)
    faces = own_faces()
    return photograph(random_table(list(faces), 9, rng), faces, CALM, rng)


@pytest.fixture(scope="module")
def reading(board: Board, deck: Deck) -> LatticeReading:
    return read_lattice(board.picture, deck)


@pytest.mark.parametrize("at", PLACES)
def test_places_are_those_of_the_rules(at: tuple[int, int]) -> None:
    expected = {(x / 2, round(y * fit.TALL, 5)) for x, y in rules.corners(at)}
    assert {(float(x), round(float(y), 5)) for x, y in fit.corners_of(at)} == expected
    assert set(fit.side_neighbours(at)) == set(rules.sides(at))
    touching = {o for o in PLACES if o != at and set(rules.corners(o)) & set(rules.corners(at))}
    assert touching <= set(fit.neighbours(at))
    assert len(set(fit.neighbours(at))) == 12


@pytest.mark.parametrize("at", PLACES)
def test_turning_keeps_neighbours_and_comes_round(at: tuple[int, int]) -> None:
    once = fit.rotated(at, 1)
    assert fit.points_up(once) != fit.points_up(at)
    assert {fit.rotated(n, 1) for n in fit.side_neighbours(at)} == set(fit.side_neighbours(once))
    for _ in range(5):
        once = fit.rotated(once, 1)
    assert once == at


def test_grows_over_careless_cards_and_leaves_strangers_out() -> None:
    rng = np.random.default_rng(3)
    view = np.array([[100.0, 12, 400], [-8, 95, 300], [0.0004, 0.0006, 1]])
    places = [(0, 0), (0, 1), (0, -1), (1, 0), (1, 1), (-1, 1), (-1, 2), (1, -1)]
    cards = np.stack([fit.projected(view, fit.corners_of(at)) for at in places])
    cards = cards + rng.normal(0, 3.0, cards.shape)
    stranger = np.array([[20.0, 20], [130, 25], [60, 120]])
    (found,) = fit.grow_lattices(np.concatenate([cards, stranger[None]]).astype(np.float32))
    assert len(found.places) == len(places)
    assert len(places) not in found.places.values()
    by_card = {index: at for at, index in found.places.items()}
    for i, at in enumerate(places):
        for j, other in enumerate(places):
            assert (other in fit.side_neighbours(at)) == (by_card[j] in fit.side_neighbours(by_card[i]))


def test_lattices_that_have_no_outline_in_common_are_offered_the_fullest_first() -> None:
    few, many = [(0, 0), (0, 1)], [(0, 0), (0, 1), (0, 2)]
    outlines = [fit.corners_of(at) * 60 + 20 for at in few] + [fit.corners_of(at) * 90 + 500 for at in many]
    triangles = np.stack(outlines).astype(np.float32)
    first, second = fit.grow_lattices(triangles, most=3)
    assert (set(first.places.values()), set(second.places.values())) == ({2, 3, 4}, {0, 1})
    assert [len(one.places) for one in fit.grow_lattices(triangles)] == [3]


def test_finds_a_triangle_where_it_is_first_of_all() -> None:
    image = np.full((300, 400, 3), 90, np.uint8)
    corners = np.array([[200, 60], [300, 230], [100, 230]], np.float32)
    cv2.fillPoly(image, [corners.astype(np.int32)], (40, 40, 220), cv2.LINE_AA)
    found = find_triangles(image)
    assert side_of(found[0]) == pytest.approx(198, abs=4)
    _, away = fit.aligned(found[0], clockwise(corners))
    assert away < 3


def test_reads_a_table_under_a_coloured_lamp(board: Board, reading: LatticeReading) -> None:
    assert aligned(reading, board.cards) == board.cards
    assert all(card.confidence >= 0.7 for card in reading.cards)
    middles = np.array(list(board.middles.values()))
    for card in reading.cards:
        assert np.linalg.norm(middles - card.centre, axis=1).min() < 12


def test_the_start_is_an_upward_card_and_may_be_named(
    board: Board, deck: Deck, reading: LatticeReading
) -> None:
    other = next(card for card in reading.cards if sum(card.at) % 2 == 0 and card.at != (0, 0))
    again = read_lattice(board.picture, deck, start=other.centre)
    shift = other.at
    assert (0, 0) in reading.table
    assert {(r + shift[0], c + shift[1]): k for (r, c), k in again.table.items()} == reading.table


def test_nothing_is_a_card_where_the_table_has_not_changed(board: Board, deck: Deck) -> None:
    assert board.corners is not None
    printed = min(board.corners)
    changed = np.zeros(board.picture.shape[:2], np.uint8)
    for at, corners in board.corners.items():
        if at != printed:
            cv2.fillConvexPoly(changed, np.round(corners).astype(np.int32), 1)
    reading = read_lattice(board.picture, deck, changed=ChangedTable(changed > 0, changed > 0))
    cards = {at: card for at, card in board.cards.items() if at != printed}
    assert aligned(reading, cards) == cards
    centres = np.array([card.centre for card in (*reading.cards, *reading.unsure)])
    assert np.linalg.norm(centres - board.middles[printed], axis=1).min() > 40


def test_a_card_lies_for_the_most_part_in_the_picture() -> None:
    card = np.array([[40, 10], [70, 60], [10, 60]], np.float32)
    moved = np.stack([card + np.array(by) for by in ((0, 0), (0, 35), (0, 90), (-75, 0))])
    assert have_changed(moved, None, (100, 200)).tolist() == [True, True, False, False]


def test_the_outline_of_a_card_laid_by_itself_is_that_of_what_has_changed() -> None:
    corners = np.array([[200, 60], [300, 230], [100, 230]], np.float32)
    drawn = np.zeros((300, 400), np.uint8)
    cv2.fillPoly(drawn, [corners.astype(np.int32)], 1)
    cv2.rectangle(drawn, (320, 40), (380, 100), 1, -1)
    (found,) = changed_outlines(ChangedTable(drawn > 0, drawn > 0), (600, 800))
    _, away = fit.aligned(found, clockwise(corners * 2))
    assert away < 5
    assert len(changed_outlines(None, (600, 800))) == 0


def test_cards_side_by_side_have_an_outline_at_each_sharp_corner_of_what_has_changed() -> None:
    side, tall = 90.0, 78.0
    low = np.array([[150, 200], [150 + side, 200]], np.float32)
    high = low + np.array([side / 2, -tall], np.float32)
    two = np.stack([low[0], high[0], high[1], low[1]])  # a point up, a point down
    first, last = two[[0, 1, 3]], two[[1, 2, 3]]
    three = np.stack([low[0], high[0], high[1], low[1] + np.array([side, 0], np.float32)])
    for shape, cards in ((two, [first, last]), (three, [first, np.stack([three[2], three[3], low[1]])])):
        drawn = np.zeros((300, 500), np.uint8)
        cv2.fillPoly(drawn, [np.round(shape).astype(np.int32)], 1)
        found = changed_outlines(ChangedTable(drawn > 0, drawn > 0), (300, 500))
        assert len(found) == 2
        assert all(min(fit.aligned(one, clockwise(card))[1] for one in found) < 5 for card in cards)


@pytest.mark.parametrize(
    ("shape", "sides"),
    [
        ([[0, -86], [50, 0], [0, 86], [-50, 0]], [100, 100]),
        ([[0, -35], [20, 0], [0, 35], [-20, 0]], []),
        ([[-85, -60], [85, -60], [85, 60], [-85, 60]], []),
    ],
    ids=["two cards", "a pip", "a rectangle"],
)
def test_of_shapes_without_an_outline_of_one_card_large_rhombi_are_two(
    shape: list[list[int]], sides: list[float]
) -> None:
    image = np.full((600, 800, 3), 90, np.uint8)
    cv2.fillPoly(image, [np.array(shape, np.int32) + 300], (40, 40, 220), cv2.LINE_AA)
    found = find_corner_triangles(image)
    assert side_of(found[:2]).tolist() == pytest.approx(sides, abs=3)


def test_a_lone_card_is_named_by_the_lamp_and_the_plane_known_before(
    board: Board, deck: Deck, reading: LatticeReading
) -> None:
    known = reading.known
    assert known.lamp is not None
    assert known.plane is not None
    assert board.corners is not None
    plain = cv2.medianBlur(board.picture, 5)
    for at, corners in board.corners.items():
        # all other cards are taken away: what lay there is the colour of the table's border
        if at != min(board.corners):
            cv2.fillConvexPoly(plain, np.round(corners).astype(np.int32), plain[5, 5].tolist())
    alone = read_lattice(np.asarray(plain, np.uint8), deck, known=known)
    assert [card.card for card in alone.cards] == [board.cards[min(board.corners)]]
    assert alone.known.plane == known.plane


def test_a_known_plane_keeps_a_wrong_corner_from_skewing_the_view() -> None:
    view = np.array([[100.0, 12, 400], [-8, 95, 300], [0.0004, 0.0006, 1]])
    seen = fit.projected(view, fit.corners_of((0, 0)))
    seen[1] += np.array([25, -10])
    beside = fit.projected(view, fit.corners_of((0, 1)))

    def away(found: np.ndarray) -> float:
        return float(np.linalg.norm(fit.projected(found, fit.corners_of((0, 1))) - beside, axis=1).max())

    turned = view @ np.array([[0.0, -1, 3], [1, 0, 2], [0, 0, 1]])
    assert away(fit.fit_view({(0, 0): seen})) > 25
    assert away(fit.fit_view({(0, 0): seen}, fit.KnownPlane(turned, 6))) < 20
    exact = fit.projected(view, fit.corners_of((0, 0)))
    assert away(fit.fit_view({(0, 0): exact}, fit.KnownPlane(turned, 6))) < 0.5


def test_a_known_plane_moves_with_the_picture() -> None:
    view = np.array([[100.0, 12, 400], [-8, 95, 300], [0.0004, 0.0006, 1]])
    known = KnownTable(plane=fit.KnownPlane(view, 5), corners=(((1, 2), (3, 4), (5, 6)),))
    moved = known.moved(np.array([[1.0, 0, 30], [0, 1, -20]], np.float32)).plane
    half = known.scaled(0.5).plane
    assert moved is not None
    assert half is not None
    point = np.array([[1.0, 2.0]])
    assert fit.projected(moved.view, point) == pytest.approx(fit.projected(view, point) + np.array([30, -20]))
    assert fit.projected(half.view, point) == pytest.approx((fit.projected(view, point) + 0.5) / 2 - 0.5)
    assert known.scaled(0.5).outlines == pytest.approx((known.outlines + 0.5) / 2 - 0.5)
    assert NOTHING_KNOWN.scaled(0.5) == NOTHING_KNOWN


def test_a_card_whose_outline_is_not_found_is_looked_for_where_it_lay(
    board: Board, deck: Deck, reading: LatticeReading, monkeypatch: pytest.MonkeyPatch
) -> None:
    for finder in ("find_triangles", "find_corner_triangles"):
        monkeypatch.setattr(scored_lattices, finder, lambda _: np.zeros((0, 3, 2), np.float32))
    assert read_lattice(board.picture, deck).cards == ()
    assert read_lattice(board.picture, deck, known=reading.known).table == reading.table


@pytest.fixture
def pair() -> Board:
    """Two cards of one colour side by side, with no outline between them."""
    table = {(0, 0): "purple", (0, 1): "purple"}
    return photograph(table, own_faces(), CALM, np.random.default_rng(12))


def test_cards_of_one_colour_that_no_outline_parts_are_read_from_a_photograph(
    pair: Board, deck: Deck
) -> None:
    reading = read_lattice(pair.picture, deck)
    assert aligned(reading, pair.cards) == pair.cards
    assert reading.unsure == ()


@pytest.mark.parametrize("log_odds", [3.0, -3.0])
def test_cards_without_an_outline_of_their_own_are_read_only_if_the_network_finds_them_too(
    log_odds: float, pair: Board, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    def odds(seen: np.ndarray, *_: object) -> np.ndarray:
        return np.full((len(seen), len(deck.names)), log_odds - np.log(len(deck.names)), np.float32)

    monkeypatch.setattr(scored_lattices, "card_log_odds", odds)
    assert len(read_lattice(pair.picture, deck).cards) == (2 if log_odds > 0 else 0)


def test_checks_and_tables_without_a_card_stay_without_one(deck: Deck) -> None:
    for kind in ("checked", "wood", "playmat"):
        empty = ground(960, 720, np.random.default_rng(4), (kind,))
        assert read_lattice(np.clip(empty, 0, 255).astype(np.uint8), deck).cards == ()


def test_an_empty_table_has_no_card(deck: Deck) -> None:
    rng = np.random.default_rng(8)
    noise = rng.normal(120, 6, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    assert read_lattice(noise, deck).cards == ()


def test_a_deck_keeps_its_triangles_in_its_file(deck: Deck, tmp_path: Path) -> None:
    deck.save(tmp_path)
    again = Deck.load(tmp_path)
    assert deck.triangles is not None
    assert again.triangles is not None
    assert np.array_equal(again.triangles, deck.triangles)


def test_a_deck_of_rectangles_is_refused() -> None:
    rng = np.random.default_rng(1)
    cards = [rng.integers(0, 255, (440, 300, 3)).astype(np.uint8) for _ in range(3)]
    deck = enrol_pictures("cards", ["a", "b", "c"], cards).deck
    assert deck.triangles is None
    with pytest.raises(Unreadable, match="no triangular cards"):
        templates_of_deck(deck)


@pytest.mark.parametrize("outside", [0.0, 120.0, 255.0])
def test_enrolling_finds_the_triangle_on_any_plain_ground(outside: float) -> None:
    from companion.vision.triangles.enrol import triangle_outlines

    pictures = list(pictures_of(own_faces(), np.random.default_rng(2), outside).values())
    found = triangle_outlines(pictures)
    assert found is not None
    for picture, triangle in zip(pictures, found, strict=True):
        height, width = picture.shape[:2]
        expected = np.array([[width / 2, 0], [width, height], [0, height]])
        assert np.abs(triangle - expected).max() < 0.06 * width


def test_enrolling_takes_the_light_from_what_little_is_white() -> None:
    from companion.vision.triangles.enrol import learn_triangles

    def picture(light: tuple[float, float, float]) -> np.ndarray:
        image = np.zeros((180, 200, 3), np.float32)
        cv2.fillConvexPoly(image, np.array([[100, 10], [190, 166], [10, 166]]), (40, 190, 210))
        cv2.circle(image, (100, 110), 5, (225, 225, 225), -1)
        return np.asarray(image * light, np.uint8)

    looks = learn_triangles([picture((1, 1, 1)), picture((0.8, 0.95, 1)), picture((1, 0.9, 0.85))])
    assert looks is not None
    usual = np.median(looks.astype(float), axis=1)
    assert np.abs(usual / usual[0] - 1).max() < 0.06


def test_the_command_prints_places(board: Board, deck: Deck, tmp_path: Path) -> None:
    deck.save(tmp_path / "deck")
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), board.picture)
    done = CliRunner().invoke(command, [str(picture), "--deck", str(tmp_path / "deck"), "--json"])
    assert done.exit_code == 0
    result = json.loads(done.stdout)
    assert result["image"] == str(picture)
    assert sorted(card["card"] for card in result["cards"]) == sorted(board.cards.values())
    assert [0, 0] in [card["at"] for card in result["cards"]]
