"""Performances: hands that lay and take cards, and the truth of when they landed."""

from itertools import pairwise
from typing import Literal

import numpy as np
import pytest

from companion.art.scene import Conditions, Placed, Scene, View, project
from companion.art.scene.play import (
    Knock,
    LayMove,
    LightChange,
    Performance,
    Push,
    Reach,
    Take,
    Wave,
    play_sequence,
)

VIEW = View(640, 360, span=600, tilt=15, bend=-0.04)
FIRST, SECOND = Placed("red 4", -80, -20, 5), Placed("blue 6", 30, 10, -8)


def performance(moves: list[object], noise: float = 0.0, start: tuple[Placed, ...] = ()) -> Performance:
    rng = np.random.default_rng(3)
    scene = Scene("seven_merry_monsters", VIEW, Conditions("wood", noise=noise, worn=0.5), rng)
    return Performance(scene, moves, rng, start)  # type: ignore[arg-type]


def difference(one: np.ndarray, two: np.ndarray) -> float:
    return float(np.abs(one.astype(int) - two).mean())


def test_cards_land_and_leave_when_the_moves_say() -> None:
    play = performance([LayMove(1.0, FIRST), LayMove(3.0, SECOND, 210), Take(5.0, (FIRST, SECOND))])
    assert [card.label for card in play.cards(0.99)] == []
    assert [card.label for card in play.cards(1.0)] == ["red 4"]
    assert [card.label for card in play.cards(4.0)] == ["red 4", "blue 6"]
    assert play.cards(5.0) == ()
    assert [(landing.t, landing.label) for landing in play.landings()] == [(1.0, "red 4"), (3.0, "blue 6")]


def test_landings_agree_with_the_frames() -> None:
    play = performance([LayMove(1.0, FIRST)])
    truth = play.frame(2.5).truth
    assert truth[0].label == "red 4"
    assert truth[0].corners == pytest.approx(play.landings()[0].corners)
    assert truth[0].visible == pytest.approx(1.0, abs=0.02)


def test_the_hand_comes_covers_and_goes() -> None:
    play = performance([LayMove(1.0, FIRST)])
    before, carrying, touching, after, later = (play.frame(t) for t in (0.1, 0.85, 1.05, 2.0, 2.6))
    assert difference(before.image, carrying.image) > 2
    assert touching.truth[0].visible < 0.9
    assert after.truth[0].visible > 0.98
    assert np.array_equal(after.image, later.image)
    assert difference(before.image, after.image) > 0.5


def test_frames_do_not_depend_on_the_order_of_asking() -> None:
    moves: list[object] = [LayMove(1.0, FIRST), Reach(2.5, 50, 50, -30), Take(4.0, (FIRST,))]
    forwards, backwards = performance(moves, noise=3), performance(moves, noise=3)
    times = [0.5, 0.9, 2.6, 4.3]
    pictures = {t: forwards.frame(t).image for t in times}
    for t in reversed(times):
        assert np.array_equal(backwards.frame(t).image, pictures[t])


def test_noise_differs_from_frame_to_frame() -> None:
    play = performance([], noise=4)
    assert difference(play.frame(0.0).image, play.frame(0.1).image) > 1


def test_a_reach_changes_nothing_on_the_table() -> None:
    play = performance([Reach(1.0, 0, 0)], start=(SECOND,))
    assert difference(play.frame(0.0).image, play.frame(1.1).image) > 2
    assert np.array_equal(play.frame(0.0).image, play.frame(2.9).image)
    assert play.landings() == ()


def test_knocks_shake_and_lamps_stay() -> None:
    play = performance([Knock(1.0, 6), LightChange(2.0, 1.3)], start=(SECOND,))
    still = play.frame(0.5).image
    shaken = max(difference(still, play.frame(1.0 + i / 60).image) for i in range(1, 8))
    assert shaken > 1
    assert np.array_equal(still, play.frame(1.5).image)
    assert play.frame(2.1).image.mean() > still.mean() * 1.2


def test_hands_from_behind_the_camera_are_no_trouble() -> None:
    rng = np.random.default_rng(1)
    scene = Scene("nasty_7", View(320, 240, span=300, tilt=45), Conditions("cloth"), rng)
    play = Performance(
        scene, [LayMove(0.8, Placed("gun", 0, 0), 90), Take(2.0, (Placed("gun", 0, 0),), 90)], rng
    )
    frames = list(play_sequence(play, fps=10))
    assert len(frames) == pytest.approx(play.seconds * 10, abs=1)
    assert frames[0].image.shape == (240, 320, 3)
    assert difference(frames[0].image, frames[-1].image) < 1


def test_a_pushed_card_lies_where_it_was_pushed_to_and_has_not_landed_again() -> None:
    to = Placed(FIRST.label, FIRST.x + 40, FIRST.y - 10, FIRST.degrees + 9)
    play = performance([LayMove(1.0, FIRST), Push(3.0, FIRST, to, seconds=0.4)])
    assert play.cards(2.9) == (FIRST,)
    assert play.cards(3.2) == ()
    assert play.cards(3.4) == (to,)
    assert len(play.landings()) == 1
    assert play.frame(4.5).truth[0].corners == pytest.approx(project(play.scene.view, to.corners()))


@pytest.mark.parametrize("manner", ["slid", "dropped"])
def test_however_a_card_comes_down_it_lies_in_its_place_from_then_on(
    manner: Literal["slid", "dropped"],
) -> None:
    play = performance([LayMove(1.0, FIRST, manner=manner)])
    before, late = (play.frame(t) for t in (0.9, 2.5))
    assert before.truth == ()
    usual = performance([LayMove(1.0, FIRST)])
    assert difference(late.image, usual.frame(2.5).image) < 0.5
    assert difference(before.image, usual.frame(0.9).image) > 0.01


def test_a_waving_hand_moves_all_the_time() -> None:
    play = performance([Wave(1.0, 0, 0, rest=2.0)])
    pictures = [play.frame(t).image for t in (1.2, 1.6, 2.0, 2.4)]
    assert all(difference(one, other) > 1 for one, other in pairwise(pictures))
