"""Landings on small tables: what is one, what is none, when it was, and how far the watermark is."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from tabletops import FPS, LIGHT, VIEW, Led, scene

from companion.art.draw.raster import Pixels
from companion.art.scene import Placed, Scene, project
from companion.art.scene.play import Knock, LayMove, LightChange, Move, Push, Reach, Take
from companion.core.errors import Unreadable
from companion.games import game_named
from companion.games.zone import default_zones
from companion.vision.tracking.limits import seconds

PHONE = Placed("phone", -60, 0, 4)
GUN = Placed("gun", 50, 10, -8)


def test_a_card_lands_once_with_time_zone_and_corners() -> None:
    led = Led().play([LayMove(1.6, PHONE)])
    assert led.labels == ["phone"]
    assert led.told[0].zone == "pile"
    assert led.told[0].t - 100.0 == pytest.approx(1.6, abs=1.0 / FPS + 1e-6)
    assert np.abs(np.array(led.card(0).corners) - project(VIEW, PHONE.corners())).max() < 5.0
    assert led.lying == ["phone"]
    assert led.mark == pytest.approx(led.t - 1.0 / FPS)


def test_what_lies_there_at_first_has_not_landed_and_is_not_taken_for_new_when_uncovered() -> None:
    led = Led().table([PHONE], 0.5)
    top = Placed("gun", -52, 8, 60)
    led.table([PHONE, top], 0.8)
    assert led.labels == ["gun"]
    led.table([PHONE], 0.8)
    assert led.labels == ["gun"]
    assert led.lying == ["phone"]


def test_a_card_that_is_taken_away_is_told_with_its_zone_and_time() -> None:
    led = Led().play([Take(1.6, (PHONE, GUN))], [PHONE, GUN])
    assert led.labels == []
    assert sorted(one.sighting.label for one in led.removed if one.sighting) == ["gun", "phone"]
    assert {one.zone for one in led.removed} == {"pile"}
    assert all(101.0 <= one.t <= 102.0 for one in led.removed)
    assert led.lying == []


def test_what_is_covered_by_a_fresh_card_is_not_told_as_taken_away() -> None:
    led = Led().table([PHONE, GUN], 0.8)
    led.table([GUN, Placed("racketeer", -62, 3, 70)], 0.8)
    assert led.labels == ["racketeer"]
    assert led.removed == []


def test_hands_knocks_and_lamps_alone_land_nothing() -> None:
    moves: list[Move] = [
        Reach(1.2, 0, 0, 90, 0.8),
        Knock(3.2, 7),
        LightChange(4.0, 0.7),
        Reach(5.2, -40, 20, 210),
        LightChange(6.2, 1.3),
    ]
    led = Led().play(moves, [GUN], seconds=8.0)
    assert led.labels == []
    assert led.removed == []
    assert led.mark == pytest.approx(led.t - 1.0 / FPS)


def test_a_card_lands_while_the_lamp_changes_and_the_table_is_knocked() -> None:
    moves: list[Move] = [LightChange(1.5, 0.75), LayMove(1.6, PHONE), Knock(2.0, 6), LightChange(2.2, 1.2)]
    led = Led().play(moves)
    assert led.labels == ["phone"]
    assert led.told[0].t - 100.0 == pytest.approx(1.6, abs=0.15)


def test_a_resting_hand_is_never_taken_for_the_table() -> None:
    led = Led().play([Reach(1.2, 20, 0, 90, 3.5)], seconds=6.4)
    assert led.labels == []
    assert seconds().hold - 0.2 < led.behind <= seconds().hold + 1e-6, (
        "the watermark waits for the hand, but not for ever"
    )


def test_a_card_under_a_resting_hand_is_told_before_the_hand_leaves_with_its_true_time() -> None:
    led = Led().play([LayMove(1.2, PHONE, 90, rest=3.0)])
    assert led.labels == ["phone"]
    assert led.told[0].t - 100.0 == pytest.approx(1.2, abs=0.15)
    assert led.told_at[0] - 101.2 < seconds().first_look + 0.5


def test_a_card_that_leaves_with_the_hand_that_laid_it_was_taken_away() -> None:
    led = Led().play([LayMove(1.2, PHONE, 90, rest=3.0), Take(4.21, (PHONE,), 90)], seconds=7.0)
    assert led.labels == ["phone"]
    assert [one.sighting and one.sighting.label for one in led.removed] == ["phone"]
    assert led.lying == []


@pytest.mark.parametrize("off", [(5.0, 3.0, 2.0), (-3.0, 2.0, -4.0), (3.0, 0.0, 0.0)])
def test_an_equal_card_on_an_equal_card_is_a_new_landing(off: tuple[float, float, float]) -> None:
    first = Placed("racketeer", 0, 0, 3)
    second = Placed("racketeer", off[0], off[1], 3 + off[2], copy=1)
    led = Led().play([LayMove(1.2, first), LayMove(4.0, second)])
    assert led.labels == ["racketeer", "racketeer"]
    assert [one.t - 100.0 for one in led.told] == pytest.approx([1.2, 4.0], abs=0.15)


def test_a_card_that_was_pushed_has_not_landed_again() -> None:
    led = Led().table([], 0.3).table([GUN])
    for step in range(1, 5):
        led.table([replace(GUN, x=GUN.x - 4 * step, degrees=GUN.degrees + step)], 0.1)
    pushed = replace(GUN, x=GUN.x - 20, degrees=GUN.degrees + 5)
    led.table([pushed], 0.8)
    assert led.labels == ["gun"]
    (card,) = led.watcher.lying
    assert np.abs(np.array(card.corners) - project(VIEW, pushed.corners())).max() < 5.0


@pytest.mark.parametrize("manner", ["slid", "dropped"])
def test_a_card_that_is_slid_or_dropped_lands_when_it_comes_to_rest(
    manner: Literal["slid", "dropped"],
) -> None:
    moves: list[Move] = [LayMove(1.2, PHONE, 90, manner=manner)]
    led = Led().play(moves)
    assert led.labels == ["phone"]
    assert led.told[0].t - 100.0 == pytest.approx(1.2, abs=0.15)


def test_a_card_that_a_hand_pushes_has_not_landed_again() -> None:
    led = Led().play([Push(1.4, PHONE, replace(PHONE, x=-44, y=8, degrees=15))], [PHONE])
    assert led.labels == []
    assert led.removed == []


def test_cards_taken_away_are_no_landings_and_may_land_again() -> None:
    again = replace(PHONE, copy=1)
    led = Led().play([LayMove(1.2, PHONE), Take(3.6, (PHONE,)), LayMove(6.0, again)])
    assert led.labels == ["phone", "phone"]
    assert led.lying == ["phone"]


def test_two_cards_laid_at_once_are_two_landings() -> None:
    led = Led().play([LayMove(1.4, PHONE, 90), LayMove(1.6, GUN, 330)])
    assert sorted(map(str, led.labels)) == ["gun", "phone"]


def test_a_card_that_is_covered_before_it_has_settled_has_landed() -> None:
    led = Led().table([], 0.4).table([PHONE], 0.2)
    cover = replace(PHONE, label="gun")
    for step in (3, 2, 1):
        led.table([PHONE, replace(cover, y=PHONE.y + 20 * step)], 0.1)
    led.table([PHONE, cover], 0.8)
    assert led.labels == ["phone", "gun"]
    assert led.told[0].t - 100.0 == pytest.approx(0.4, abs=0.11)


def test_a_card_face_down_lands_without_a_name() -> None:
    led = Led().play([LayMove(1.2, replace(PHONE, shown=False))])
    assert led.labels == [None]
    assert led.told[0].t - 100.0 == pytest.approx(1.2, abs=0.15)


def test_cards_outside_all_zones_are_followed_and_not_told() -> None:
    right = {"pile": [(0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 1.0)]}
    led = Led(right).table([], 0.3).table([PHONE]).table([PHONE, GUN])
    assert led.labels == ["gun"]
    assert led.lying == ["gun", "phone"]


def test_without_set_up_the_middle_is_the_trick_and_the_rest_the_nearest_players_display() -> None:
    near = Placed("gun", 5, 80, 90)
    left = Placed("racketeer", -160, -35, 2)
    led = Led(default_zones(game_named("seven_merry_monsters").zones, 3)).table([], 0.3)
    led.table([near]).table([near, left]).table([near, left, Placed("phone", 10, -20, 4)])
    assert [(one.sighting.label, one.zone) for one in led.told if one.sighting] == [
        ("gun", "display:1"),
        ("racketeer", "display:2"),
        ("phone", "trick"),
    ]


def test_a_bumped_camera_lands_nothing_and_cards_keep_their_names() -> None:
    led = Led().table([], 0.3).table([PHONE, GUN])
    assert sorted(map(str, led.labels)) == ["gun", "phone"]
    image = scene().render([PHONE, GUN]).image
    moved = np.roll(image, (3, 5), axis=(0, 1))
    led.see(moved for _ in range(25))
    led.see(np.roll(scene().render([PHONE, GUN, Placed("racketeer", -5, -60, 90)]).image, (3, 5), axis=(0, 1))
            for _ in range(8))  # fmt: skip
    assert sorted(map(str, led.labels)) == ["gun", "phone", "racketeer"]


def test_another_table_starts_anew() -> None:
    led = Led().table([PHONE], 0.5)
    other = Scene("nasty_7", VIEW, replace(LIGHT, table="mat"), np.random.default_rng(8))
    led.see(other.render([GUN]).image for _ in range(12))
    assert led.labels == []
    assert led.lying == ["gun"], "what lay on the other one is forgotten, what lies on this one is learnt"
    assert led.mark == pytest.approx(led.t - 1.0 / FPS)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(Unreadable, match="colours"):
        Led().watcher.feed(np.zeros((100, 100), np.uint8), 0.0)


def test_an_equal_card_on_a_pile_that_was_pushed_lands_and_no_card_is_reported_as_taken() -> None:
    pile = [
        Placed("twin_racketeer", 0, 0, 20),
        Placed("gun", 6, 2, -10),
        Placed("phone", 2, -3, 4),
    ]
    led = Led().table([], 0.4)
    for count in range(1, 4):
        led.table(pile[:count], 0.8)
    assert led.labels == ["twin_racketeer", "gun", "phone"]
    pushed = [replace(card, x=card.x + 5, y=card.y - 3, degrees=card.degrees + 2) for card in pile]
    led.play([LayMove(0.75, Placed("twin_racketeer", 14, 1, 1, copy=1))], pushed)
    assert led.labels[3:] == ["twin_racketeer"]
    assert led.removed == []


def test_a_card_that_hands_covered_until_another_one_lay_on_it_has_landed_before_that() -> None:
    """It never lay still and open; what is left of it beside the upper card shows that it is there."""
    led = Led().table([], 0.4).table([PHONE], 0.8)
    lower, upper = Placed("gun", -50, 4, 40), Placed("racketeer", -55, -2, 80)
    for number in range(8):  # an arm that moves, over most of the lower card
        image = scene().render([PHONE, lower]).image
        left = 240 + 12 * (number % 2)
        image[:250, left : left + 230] = (70, 90, 140)
        led.see([image])
    bare = scene().render([PHONE, lower]).image
    bare[:200, 700:760] = (70, 90, 140)
    led.see([bare]).table([PHONE, lower, upper], 0.8)
    assert led.labels == ["phone", "gun", "racketeer"]
    assert led.told[1].t < led.told[2].t
    assert {"gun", "racketeer"} <= set(led.lying)
    assert led.removed == []


def arm(image: Pixels, left: int, width: int = 230, low: int = 250) -> Pixels:
    """The picture with an arm over it, from the upper edge."""
    image[:low, left : left + width] = (70, 90, 140)
    return image


@pytest.mark.parametrize("at", [(-80, 4), (-72, 0)])
def test_of_two_cards_that_come_to_rest_at_once_the_lower_one_has_landed_before(at: tuple[int, int]) -> None:
    """Enough of it is left to be read together with the upper one, whichever is read more clearly."""
    led = Led().table([], 0.4).table([PHONE], 0.8)
    lower, upper = Placed("gun", -50, 4, 40), Placed("racketeer", *at, 80)
    begun = led.t
    for number in range(10):  # an arm that moves, over the end of the lower card
        led.see([arm(scene().render([PHONE, lower]).image, 480 + 12 * (number % 2), 60)])
    led.table([PHONE, lower, upper], 0.8)
    assert led.labels == ["phone", "gun", "racketeer"]
    assert led.told[1].t == pytest.approx(begun, abs=0.15)
    assert led.told[2].t == pytest.approx(begun + 1.0, abs=0.15)
    assert [one.label for one in led.watcher.lying] == ["phone", "gun", "racketeer"]


def test_a_card_that_a_hand_pushed_until_another_one_covered_it_has_landed() -> None:
    """No picture shows it open where it lies now."""
    led = Led().table([], 0.4).table([PHONE], 0.8)
    for number in range(12):
        lower = Placed("gun", -50 + 1.5 * number, 4 + 1.5 * number, 40 + number)
        led.see([arm(scene().render([PHONE, lower]).image, 240 + 12 * (number % 2), 150, 215)])
    upper = Placed("racketeer", -44, 10, 82)
    led.table([PHONE, Placed("gun", -30, 24, 54), upper], 0.8)
    assert led.labels == ["phone", "gun", "racketeer"]
    assert led.told[1].t <= led.told[2].t
    assert led.removed == []


def test_a_card_that_was_pushed_before_another_one_covered_it_has_not_landed() -> None:
    """Its slivers show it where the push has left it: it seemed to have come since the table lay still."""
    led = Led().table([], 0.4).table([PHONE], 0.8)
    pushed, upper = replace(PHONE, x=-46, y=12, degrees=39), Placed("racketeer", -62, -2, 2)
    for number in range(6):  # an arm that moves, over its upper end
        image = scene().render([pushed]).image
        image[:215, 240 + 12 * (number % 2) : 330] = (70, 90, 140)
        led.see([image])
    led.table([pushed, upper], 0.8)
    assert led.labels == ["phone", "racketeer"]
    assert led.removed == []
    assert led.lying == ["phone", "racketeer"]
