"""When a table of triangles is read: at rest, after a change, and not while a hand is over it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.observations import LatticeCard, LatticeSeen, Watched
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Array, Image
from companion.vision.lattice import fit
from companion.vision.lattice.changed import ChangedTable
from companion.vision.lattice.colours import KnownLamp
from companion.vision.lattice.known_table import NOTHING_KNOWN, KnownTable
from companion.vision.lattice.read import LatticeReading
from companion.vision.tracking.lattice_watch import LatticeWatcher
from companion.vision.tracking.steady_cards import recounted

SPOTS = ((300, 260), (360, 260), (420, 260))
DECK = Deck.__new__(Deck)
"""Nothing of a deck is asked for by the reader below."""
ARM = ((330, 480), (330, 290))
NOISE = np.random.default_rng(0).normal(0, 2, (16, 480, 640, 3)).round().astype(np.int16)
"""Noise of a camera, one of these in each picture."""


def spots(
    image: Image, deck: Deck, changed: ChangedTable | None, known: KnownTable = NOTHING_KNOWN
) -> LatticeReading:
    """Reads the white spots of a picture as cards, as the eyes read triangles."""
    mask = (image.min(axis=2) > 200).astype(np.uint8)
    count, _, stats, centres = cv2.connectedComponentsWithStats(mask)
    found = []
    for i in range(1, count):
        if stats[i, cv2.CC_STAT_AREA] > 300:
            x, y = (float(v) for v in centres[i])
            found.append(
                LatticeCard((0, i - 1), "green", 0.9, ((x, y - 15), (x + 15, y + 10), (x - 15, y + 10)))
            )
    return LatticeReading(tuple(found))


class Camera:
    """Ten pictures a second of a table with some cards, and perhaps an arm over it."""

    def __init__(self, zone: tuple[tuple[float, float], ...] = ()) -> None:
        self.watcher = LatticeWatcher(DECK, {"table": zone} if zone else None, spots)
        self.t = 0.0
        self.rng = np.random.default_rng(1)
        self.marks: list[float] = []

    def shows(self, cards: int, seconds: float, arm: bool = False) -> list[LatticeSeen]:
        told: list[LatticeSeen] = []
        for _ in range(round(seconds * 10)):
            self.t = round(self.t + 0.1, 1)
            picture = np.full((480, 640, 3), (70, 90, 60), np.uint8)
            for x, y in SPOTS[:cards]:
                cv2.rectangle(picture, (x - 14, y - 14), (x + 14, y + 14), (230, 230, 230), -1)
            if arm:
                cv2.line(picture, *ARM, (120, 150, 190), 60)
            noise = NOISE[int(self.rng.integers(len(NOISE)))]
            noisy = np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)
            for seen in self.watcher.feed(noisy, self.t):
                if isinstance(seen, Watched):
                    self.marks.append(seen.t)
                else:
                    told.append(seen)
        return told


def test_each_change_is_told_once_with_the_whole_table() -> None:
    camera = Camera()
    assert camera.shows(0, 1.5) == []
    (first,) = camera.shows(1, 1.5)
    assert len(first.cards) == 1
    assert first.t == pytest.approx(1.6, abs=0.15)
    (second,) = camera.shows(2, 1.5)
    assert len(second.cards) == 2
    assert camera.shows(2, 3.0) == []


def test_cards_are_looked_for_where_the_table_is_not_as_it_was() -> None:
    camera = Camera()
    masks: list[Array | None] = []

    def read(image: Image, deck: Deck, changed: ChangedTable | None, known: KnownTable) -> LatticeReading:
        masks.append(None if changed is None else changed.where)
        return spots(image, deck, changed)

    camera.watcher = LatticeWatcher(DECK, None, read)
    for cards in (1, 2, 1, 3):
        camera.shows(cards, 1.5)
    assert masks[0] is None
    looked = [[bool(mask[y, x]) for x, y in SPOTS] for mask in masks[1:] if mask is not None]
    assert looked == [[True, True, False], [True, False, False], [True, True, True]]
    assert all(mask.mean() < 0.1 for mask in masks[1:] if mask is not None)


def test_what_a_reading_knows_of_the_table_serves_the_next() -> None:
    camera = Camera()
    lamp = KnownLamp(np.array([0.1, -0.2], np.float32), 0.01)
    given: list[KnownTable] = []

    def read(image: Image, deck: Deck, changed: ChangedTable | None, known: KnownTable) -> LatticeReading:
        given.append(known)
        return LatticeReading(spots(image, deck, changed).cards, known=KnownTable(lamp))

    camera.watcher = LatticeWatcher(DECK, {"table": ((0, 0), (1, 0), (1, 1), (0, 1))}, read)
    for cards in (1, 2):
        camera.shows(cards, 1.5)
    assert given == [NOTHING_KNOWN, KnownTable(lamp, corners=given[1].corners)]
    assert given[1].outlines.mean(axis=(0, 1)) == pytest.approx(SPOTS[0], abs=4)


def test_a_table_of_which_nothing_is_sure_at_first_counts_as_empty() -> None:
    camera = Camera()

    def read(image: Image, deck: Deck, changed: ChangedTable | None, known: KnownTable) -> LatticeReading:
        cards = spots(image, deck, changed).cards
        if changed is None:
            return LatticeReading((), cards)
        return LatticeReading(
            tuple(card for card in cards if changed.where[int(card.centre[1]), int(card.centre[0])])
        )

    camera.watcher = LatticeWatcher(DECK, None, read)
    assert camera.shows(2, 1.5) == []
    (told,) = camera.shows(3, 1.5)
    assert [round(card.centre[0], -1) for card in told.cards] == [420]


def test_nothing_is_read_under_an_arm() -> None:
    camera = Camera()
    assert len(camera.shows(1, 1.5)) == 1
    assert camera.shows(2, 2.0, arm=True) == []
    (told,) = camera.shows(2, 2.0)
    assert len(told.cards) == 2


def test_a_card_on_which_a_hand_stays_has_the_time_at_which_it_came_to_rest() -> None:
    camera = Camera()
    assert len(camera.shows(2, 1.5)) == 1
    assert camera.shows(3, 2.5, arm=True) == []
    (told,) = camera.shows(3, 2.0)
    assert told.t == pytest.approx(1.6, abs=0.15)


def test_what_lay_under_a_hand_is_reported_once_several_cards_have_gone() -> None:
    camera = Camera()
    assert len(camera.shows(2, 1.5)) == 1
    assert camera.shows(3, 1.0, arm=True) == []
    (told,) = camera.shows(0, 1.5)
    assert told.cards == ()
    (covered,) = told.covered
    assert round(covered.cards[-1].centre[0], -1) == 420


def test_a_hand_that_moves_on_shows_nothing_for_sure() -> None:
    camera = Camera()
    assert len(camera.shows(2, 1.5)) == 1
    for _ in range(4):
        assert camera.shows(3, 0.1, arm=True) == []
        assert camera.shows(2, 0.1) == []
    (told,) = camera.shows(0, 1.5)
    assert told.covered == ()


def test_a_single_card_that_is_taken_back_is_not_looked_for_under_hands() -> None:
    camera = Camera()
    assert len(camera.shows(3, 1.5)) == 1
    assert camera.shows(3, 1.0, arm=True) == []
    (told,) = camera.shows(2, 1.5)
    assert (len(told.cards), told.covered) == (2, ())


def test_cards_laid_one_after_the_other_have_their_own_times() -> None:
    camera = Camera()
    assert len(camera.shows(1, 1.5)) == 1
    assert camera.shows(2, 1.0, arm=True) == []
    assert camera.shows(3, 1.0, arm=True) == []
    (told,) = camera.shows(3, 1.5)
    since = [card.since for card in sorted(told.cards, key=lambda card: card.centre)]
    assert since == [None, pytest.approx(1.6, abs=0.15), pytest.approx(2.6, abs=0.15)]


def test_cards_under_an_object_that_stays_at_the_edge_are_still_there() -> None:
    camera = Camera()
    assert len(camera.shows(2, 1.5)) == 1
    assert camera.shows(2, 4.0, arm=True) == []
    (told,) = camera.shows(3, 8.0, arm=True)
    assert sorted(round(card.centre[0], -1) for card in told.cards) == [300, 360, 420]
    (told,) = camera.shows(1, 8.0)
    assert [round(card.centre[0], -1) for card in told.cards] == [300]


def lattice_card(at: tuple[int, int], corners: Array, name: str = "green") -> LatticeCard:
    a, b, c = ((float(x), float(y)) for x, y in corners)
    return LatticeCard(at, name, 0.9, (a, b, c))


@pytest.mark.parametrize("both", [0, 3])
@pytest.mark.parametrize("sixths", range(6))
def test_a_covered_card_is_counted_as_the_reading_counts(sixths: int, both: int) -> None:
    view = np.array([[70.0, 8, 300], [-6, 66, 220], [0.0002, 0.0004, 1]])
    places = [(0, 0), (0, 1), (1, 0), (-1, 1), (1, -2), (2, 3)]

    def other(at: tuple[int, int]) -> tuple[int, int]:
        row, column = fit.rotated(at, sixths)
        return row + 2, column - 4

    seen = {at: fit.projected(view, fit.corners_of(at)) for at in places}
    turned = {other(at): np.asarray(np.roll(seen[at], -sixths, axis=0), np.float32) for at in places}
    a, b, c, d, e, f, g, h, i = (float(value) for value in fit.fit_view(turned).ravel())
    lay = [lattice_card(at, corners) for at, corners in seen.items()]
    view_now = (a, b, c, d, e, f, g, h, i)
    shown = tuple(lattice_card(at, turned[at]) for at in list(turned)[:both])
    p, q, r, s, t, u, v, w, x = (float(value) for value in view.ravel())
    before = LatticeReading(tuple(lay), (), (p, q, r, s, t, u, v, w, x))
    for card, at in zip(recounted(lay, before, LatticeReading(shown, (), view_now)), places, strict=True):
        assert card.at == other(at)
        assert np.allclose(card.corners, turned[other(at)])


def test_an_object_at_the_edge_does_not_keep_the_first_cards_from_being_read() -> None:
    camera = Camera()
    assert camera.shows(0, 1.0) == []
    (told,) = camera.shows(3, 8.0, arm=True)
    assert round(told.cards[-1].centre[0], -1) == 420


def test_a_hand_that_changes_nothing_tells_nothing() -> None:
    camera = Camera()
    assert len(camera.shows(2, 1.5)) == 1
    assert camera.shows(2, 1.0, arm=True) == []
    assert camera.shows(2, 2.0) == []


def test_watermarks_go_on_under_an_arm_that_stays() -> None:
    camera = Camera()
    camera.shows(1, 1.5)
    camera.shows(1, 6.0, arm=True)
    assert camera.marks[-1] >= camera.t - 2.1
    assert camera.marks == sorted(camera.marks)


def test_what_lies_outside_the_zone_is_left_out() -> None:
    camera = Camera(((0.0, 0.0), (0.6, 0.0), (0.6, 1.0), (0.0, 1.0)))
    (told,) = camera.shows(3, 1.5)
    assert [card.centre[0] < 384 for card in told.cards] == [True, True]
    camera.watcher.set_zones({"table": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]})
    (again,) = camera.shows(3, 0.5)
    assert len(again.cards) == 3
