"""How far the set of dice that is read is ahead of others in which a die is another one."""

from __future__ import annotations

import numpy as np

from bench.dice.development import close_up
from companion.art.dice import dice_photo
from companion.vision.dice.faces import Face, ProjectedPips
from companion.vision.dice.layout import DiceLayout, best_layout
from companion.vision.dice.limits import dice_limits
from companion.vision.dice.pips import find_pips, measure_surroundings
from companion.vision.dice.read import read_dice
from companion.vision.dice.view import Optics, PlaneView, possible_cameras

SIZE = (90, 120)
LIMITS = dice_limits()


def test_what_makes_a_die_another_one() -> None:
    """Another number of the same pips, or other dice instead of it; one die less says nothing of it."""
    seen = ProjectedPips.project(
        PlaneView.of(Optics.of(SIZE), 0.0, 0.0), find_pips(np.zeros((*SIZE, 3), np.uint8), LIMITS.pips)
    )

    def layout(*dice: tuple[int, tuple[int, ...]]) -> DiceLayout:
        faces = tuple(Face(value, (0.0, 0.0), (0.0, 0.0), 0.1, pips, 2.0) for value, pips in dice)
        return DiceLayout(seen, faces, np.zeros(0, bool), 0.0)

    two, one = (2, (0, 1)), (1, (2,))
    best = layout(two, one)
    others = {
        "the same": layout(two, one),
        "with one pip found elsewhere": layout((2, (0, 5)), one),
        "one die less": layout(one),
        "a pip of it as a one": layout((1, (0,))),
        "more pips": layout((3, (0, 1, 4)), one),
        "another place": layout((4, (5, 6, 7, 8)), one),
    }
    different = [name for name, other in others.items() if best.differs_at(best.faces[0], other)]
    assert different == ["a pip of it as a one", "more pips", "another place"]


def test_the_lead_is_that_over_the_best_other_die() -> None:
    """Of a die that is seen well it is large; of one whose side would do as well it is small."""
    image, _ = dice_photo(np.random.default_rng(4500), 2)
    close, _ = close_up(*dice_photo(np.random.default_rng(9218), 4))
    leads = []
    for picture in (image, close):
        pips = find_pips(picture, LIMITS.pips)
        around = measure_surroundings(picture, pips, LIMITS.pips)
        cameras = possible_cameras((picture.shape[0], picture.shape[1]))
        leads.append(min(best_layout(pips, around, cameras, None if picture is image else 1, LIMITS).leads))
    assert leads[0] > LIMITS.doubts.lead > leads[1]
    assert "dice.perhaps_another" in [doubt.code for doubt in read_dice(close, 1).unsure]
