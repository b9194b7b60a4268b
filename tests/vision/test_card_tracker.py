"""What a reading of a changed place means for the cards that are known to lie there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.observations import Sighting
from companion.vision.image.picture import Array, Image
from companion.vision.tracking.card_tracker import CardTracker, PlaceChange, PlaceState
from companion.vision.tracking.change import CELL, Blob, Change
from companion.vision.tracking.place import ChangedPlace
from companion.vision.tracking.tracked_card import LitImage

QUAD = np.array([[60, 40], [120, 40], [120, 124], [60, 124]], np.float32)
GAIN = np.ones(3, np.float32)


def picture(offset: tuple[int, int] | None = None) -> Image:
    """A noisy table with a card, and perhaps another one of its print on it, so far off."""
    rng = np.random.default_rng(4)
    table = cv2.blur(rng.integers(0, 255, (160, 200, 3)).astype(np.float32), (9, 9))
    card = cv2.blur(rng.integers(0, 255, (84, 60, 3)).astype(np.float32), (5, 5))
    for x, y in ((0, 0), offset or (0, 0)):
        table[40 + y : 124 + y, 60 + x : 120 + x] = card
    return np.clip(table + rng.normal(0, 4, table.shape), 0, 255).astype(np.uint8)


def sighting(x: float, y: float) -> Sighting:
    a, b, c, d = ((float(px + x), float(py + y)) for px, py in QUAD)
    return Sighting("red 4", 0.95, (a, b, c, d))


def known_card() -> CardTracker:
    """A card that lies there is known."""
    tracker = CardTracker()
    tracker.learn([sighting(0, 0)], LitImage(picture(), GAIN))
    return tracker


def place(image: Image, differs: Array | None = None, t: float = 1.0) -> ChangedPlace:
    """A place that has changed: where pixels differ, or the whole picture. `t`: when it is looked at."""
    differs = np.ones(image.shape[:2], bool) if differs is None else differs
    cells = np.asarray(differs.reshape(len(differs) // CELL, CELL, -1, CELL).all(axis=(1, 3)))
    blob = Blob(cells, (slice(0, cells.shape[0]), slice(0, cells.shape[1])), False, 1.0, 0.0)
    return ChangedPlace(blob, Change(t, image, differs, (blob,)), LitImage(image, GAIN), 1.0)


def seen(image: Image, at: Sighting) -> PlaceChange:
    """A card that lies there is known; then its whole place differs and a reading finds a card."""
    return known_card().update([at], place(image), PlaceState.SETTLED)


@pytest.mark.parametrize("off", [(3.0, 2.0), (-4.0, 1.0), (0.0, -3.0)])
def test_a_card_whose_corners_are_read_inexactly_has_not_landed_again(off: tuple[float, float]) -> None:
    assert seen(picture(), sighting(*off)).landed == ()


@pytest.mark.parametrize("off", [(3, 2), (-4, 1), (4, -3)])
def test_an_equal_card_laid_on_a_card_a_little_off_has_landed(off: tuple[int, int]) -> None:
    assert len(seen(picture(off), sighting(*off)).landed) == 1


def test_of_two_equal_cards_the_one_that_lies_where_a_card_lay_has_not_landed() -> None:
    """The other one was taken for the known card, pushed, because it was read more clearly."""
    tracker = known_card()
    image = picture((62, 1))
    there, beside = sighting(0.5, 0.5), sighting(62, 1)
    clearer = Sighting(beside.label, 0.99, beside.corners)
    found = tracker.update([clearer, there], place(image), PlaceState.SETTLED)
    assert found.landed == (clearer,)


def test_an_equal_card_laid_beside_one_that_is_not_read_again_has_landed() -> None:
    """Only the changed place is read. The known card still lies there and is not the new one, pushed."""
    tracker = known_card()
    image = picture((30, 35))
    changed = np.zeros(image.shape[:2], bool)
    changed[75:, 90:] = True
    found = tracker.update([sighting(30, 35)], place(image, changed), PlaceState.SETTLED)
    assert len(found.landed) == 1
    assert len(tracker.cards) == 2


def laid_over(image: Image, seed: int, x: int, y: int) -> Image:
    """The picture with a card of another print laid there."""
    rng = np.random.default_rng(seed)
    covered = image.copy()
    marks = rng.integers(0, 255, (14, 10, 3)).astype(np.uint8)
    covered[40 + y : 124 + y, 60 + x : 120 + x] = cv2.resize(marks, (60, 84))
    return covered


def pile_of_two(held: bool) -> tuple[CardTracker, Image]:
    """A red 4, perhaps seen under a hand only, and a green 2 that covers most of it; the picture of both."""
    tracker, image = CardTracker(), picture()
    tracker.update([sighting(0, 0)], place(image), PlaceState.HELD if held else PlaceState.SETTLED)
    image = laid_over(image, 7, 6, 8)
    green = Sighting("green 2", 0.95, sighting(6, 8).corners)
    assert tracker.update([green], place(image), PlaceState.SETTLED).landed == (green,)
    return tracker, image


@pytest.mark.parametrize("held", [False, True])
def test_an_equal_card_laid_on_the_card_that_covers_one_has_landed(held: bool) -> None:
    """A covered card comes to light only if what lay on it has gone, also if it was first seen under a hand,
    which leaves its place uncertain."""
    tracker, image = pile_of_two(held)
    image[44:128, 72:132] = picture()[40:124, 60:120]
    found = tracker.update([sighting(12, 4)], place(image), PlaceState.SETTLED)
    assert (found.landed, found.removed) == ((sighting(12, 4),), ())
    assert [card.sighting.label for card in tracker.cards] == ["red 4", "green 2", "red 4"]


def test_an_equal_card_between_a_cover_and_the_next_card_has_landed() -> None:
    """It was laid on the card that covers the first one, and was half covered itself when it was read."""
    tracker, image, laid = CardTracker(), picture(), []
    for label, seed, x, y in (("pink 5", 5, 0, 0), ("green 2", 7, 6, 8)):
        image = laid_over(image, seed, x, y)
        laid = [Sighting(label, 0.95, sighting(x, y).corners)]
        assert tracker.update(laid, place(image), PlaceState.SETTLED).landed == tuple(laid)
    image = laid_over(laid_over(image, 5, -10, -16), 9, 22, -4)
    upper = Sighting("blue 3", 0.99, sighting(22, -4).corners)
    lower = Sighting("pink 5", 0.9, sighting(-10, -16).corners)
    found = tracker.update([upper, lower], place(image), PlaceState.SETTLED)
    assert (found.landed, found.removed) == ((lower, upper), ())
    assert [card.sighting.label for card in tracker.cards] == ["pink 5", "green 2", "pink 5", "blue 3"]


def test_an_equal_card_on_a_pushed_one_has_landed_although_that_is_read_more_clearly() -> None:
    """It seemed to lie below that one, as the card that it is equal to did."""
    tracker, image = CardTracker(), picture()
    for label, seed, x, y in (("pink 5", 5, 0, 0), ("green 2", 7, 6, 8)):
        image = laid_over(image, seed, x, y)
        tracker.update([Sighting(label, 0.95, sighting(x, y).corners)], place(image), PlaceState.SETTLED)
    image = laid_over(laid_over(picture(), 7, 26, 14), 5, -10, -12)
    pushed = Sighting("green 2", 0.99, sighting(26, 14).corners)
    upper = Sighting("pink 5", 0.98, sighting(-10, -12).corners)
    found = tracker.update([pushed, upper], place(image), PlaceState.SETTLED)
    assert (found.landed, found.removed) == ((upper,), ())


@pytest.mark.parametrize("held", [False, True])
def test_a_card_of_which_the_cover_was_taken_has_not_landed(held: bool) -> None:
    tracker, _ = pile_of_two(held)
    image = picture()
    found = tracker.update([sighting(1, 0)], place(image), PlaceState.SETTLED)
    assert found.landed == ()
    assert [one.label for one in found.removed] == ["green 2"]


@pytest.mark.parametrize("bump", [(2, 1), (-2, 0), (0, -2)])
def test_a_pile_that_was_moved_a_little_under_an_equal_card_is_still_there(bump: tuple[int, int]) -> None:
    """The camera was bumped while a hand came in: what is seen of the covered cards is a little elsewhere."""
    tracker, image = pile_of_two(False)
    motion = np.array([[1, 0, bump[0]], [0, 1, bump[1]]], np.float32)
    image = np.asarray(cv2.warpAffine(image, motion, image.shape[1::-1], borderMode=cv2.BORDER_REFLECT))
    image[36:120, 64:124] = picture()[40:124, 60:120]
    found = tracker.update([sighting(4, -4)], place(image), PlaceState.SETTLED)
    assert (found.landed, found.removed) == ((sighting(4, -4),), ())
    green = next(card for card in tracker.cards if card.sighting.label == "green 2")
    assert np.abs(green.quad - sighting(6 + bump[0], 8 + bump[1]).corners).max() < 1e-3


@pytest.mark.parametrize(("push", "degrees"), [((6, 5), 1.0), ((-4, 7), -1.0)])
def test_a_card_pushed_before_an_equal_one_is_laid_on_the_pile_is_still_there(
    push: tuple[int, int], degrees: float
) -> None:
    """The card below it did not come to light: what lay on that has not gone, a hand pushed it."""
    tracker, image = pile_of_two(False)
    turn = cv2.getRotationMatrix2D((96, 90), degrees, 1.0)
    turn[:, 2] += push
    image = np.asarray(cv2.warpAffine(image, turn, image.shape[1::-1], borderMode=cv2.BORDER_REFLECT))
    image[30:114, 64:124] = picture()[40:124, 60:120]
    found = tracker.update([sighting(4, -10)], place(image), PlaceState.SETTLED)
    assert (found.landed, found.removed) == ((sighting(4, -10),), ())
    green = next(card for card in tracker.cards if card.sighting.label == "green 2")
    middle = turn @ (*np.mean(sighting(6, 8).corners, axis=0), 1.0)
    assert np.abs(green.quad.mean(axis=0) - middle).max() < 2.0


def test_a_card_that_was_pushed_is_known_where_it_lay_open_for_a_moment() -> None:
    """The next card comes before the place has settled, and an equal one that it covers had come to light."""
    tracker, _ = pile_of_two(False)
    pushed = laid_over(picture(), 7, 11, 2)
    green = Sighting("green 2", 0.95, sighting(11, 2).corners)
    found = tracker.update([green], place(pushed), PlaceState.OPEN)
    assert (found.landed, found.removed) == ((), ())
    assert [card.sighting for card in tracker.cards] == [sighting(0, 0), green]
    pushed[44:128, 65:125] = picture()[40:124, 60:120]
    found = tracker.update([sighting(5, 4)], place(pushed), PlaceState.SETTLED)
    assert (found.landed, found.removed) == ((sighting(5, 4),), ())


def test_a_pile_that_was_taken_is_gone_as_a_whole() -> None:
    """What stuck out of the lower card was its border, which looked like the cloth: it seemed to lie there
    still, and an equal card in the next round counted as that one."""
    cloth = np.full((160, 200, 3), 200, np.uint8)
    with_red = cloth.copy()
    with_red[52:124, 72:120] = laid_over(cloth, 5, 0, 0)[52:124, 72:120]
    both = laid_over(with_red, 7, 6, 8)
    tracker, green = CardTracker(), Sighting("green 2", 0.95, sighting(6, 8).corners)
    tracker.update([sighting(0, 0)], place(with_red), PlaceState.SETTLED)
    assert tracker.update([green], place(both), PlaceState.SETTLED).landed == (green,)
    found = tracker.update([], place(cloth), PlaceState.SETTLED)
    assert (found.removed, tracker.cards) == ((sighting(0, 0), green), [])


@pytest.mark.parametrize("held", [False, True])
def test_a_card_that_a_push_of_the_upper_one_brings_to_light_has_not_landed(held: bool) -> None:
    """Read more clearly than the upper card it also seemed to lie on that, which kept its old place."""
    tracker, _ = pile_of_two(held)
    pushed = laid_over(picture(), 7, 26, 18)
    lower = Sighting("red 4", 0.99, sighting(1, 0).corners)
    upper = Sighting("green 2", 0.95, sighting(26, 18).corners)
    found = tracker.update([lower, upper], place(pushed), PlaceState.SETTLED)
    assert (found.landed, found.removed) == ((), ())
    assert [card.sighting.label for card in tracker.cards] == ["red 4", "green 2"]
    assert tracker.cards[1].sighting == upper


def test_an_equal_card_on_two_equal_cards_has_landed() -> None:
    """The new card is not the one below it, pushed, so that it brings the lowest to light."""
    tracker, image = CardTracker(), picture()
    tracker.update([sighting(0, 0)], place(image), PlaceState.SETTLED)
    for x, y in ((4, 3), (7, -2)):
        image = image.copy()
        image[40 + y : 124 + y, 60 + x : 120 + x] = picture()[40:124, 60:120]
        found = tracker.update([sighting(x, y)], place(image), PlaceState.SETTLED)
        assert (found.landed, found.removed) == ((sighting(x, y),), ())


def upside_down(one: Sighting) -> Sighting:
    """The same card, read the other way up."""
    a, b, c, d = one.corners
    return Sighting(one.label, one.confidence, (c, d, a, b))


@pytest.mark.parametrize("state", [PlaceState.HELD, PlaceState.SETTLED])
def test_a_card_that_was_read_the_other_way_up_has_not_landed_again(state: PlaceState) -> None:
    """The gun of our own deck is nearly point symmetric, and most of it was under a hand."""
    tracker = CardTracker()
    tracker.update([upside_down(sighting(3, 2))], place(picture()), state)
    found = tracker.update([sighting(0, 0)], place(picture()), PlaceState.SETTLED)
    assert (found.landed, found.removed, len(tracker.cards)) == ((), (), 1)


def test_an_equal_card_laid_the_other_way_up_on_a_card_has_landed() -> None:
    other = upside_down(sighting(5, 4))
    assert seen(laid_over(picture(), 7, 5, 4), other).landed == (other,)


def test_a_card_that_one_that_came_holds_down_has_not_gone() -> None:
    """A hand that looks like the table lay on what was left to be seen of it, and its cover landed."""
    tracker, image = known_card(), laid_over(picture(), 7, 20, 30)
    green = Sighting("green 2", 0.95, sighting(20, 30).corners)
    blue = Sighting("blue 1", 0.95, sighting(20, 36).corners)
    tracker.update([green], place(image), PlaceState.SETTLED)
    image = laid_over(image, 9, 20, 36)
    image[64:76, 76:144] = 90  # the hand
    found = tracker.update([blue], place(image), PlaceState.SETTLED)
    assert (found.landed, found.removed) == ((blue,), ())
    assert [card.sighting.label for card in tracker.cards] == ["red 4", "green 2", "blue 1"]


def test_a_pile_that_was_taken_before_a_card_came_has_gone() -> None:
    tracker, _ = pile_of_two(held=False)
    blue = Sighting("blue 1", 0.95, sighting(10, 20).corners)
    empty = np.full_like(picture(), 90)
    found = tracker.update([blue], place(laid_over(empty, 9, 10, 20)), PlaceState.SETTLED)
    assert (found.landed, len(found.removed)) == ((blue,), 2)
