"""The drawn cases on which the limits of the camera are fitted, and what a verdict costs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from bench.fitted_limits import numbers_of
from bench.setup.development import CameraCase, _light, _motion
from bench.setup.fit import FALSE, NOT_FITTED, CameraCost
from companion.vision.image.limits import FILE, camera_limits
from companion.vision.models import FOLDER

if TYPE_CHECKING:
    from bench.setup.development import Verdict

TABLE = np.full((360, 640), 90, np.uint8)


def test_what_is_not_there_costs_most_and_is_judged_once() -> None:
    judged = []

    def case(verdict: Verdict) -> CameraCase:
        def judge() -> Verdict:
            judged.append(verdict)
            return verdict

        return CameraCase("", ("motion",), judge)

    cost, numbers = CameraCost(), numbers_of(camera_limits())
    false, missed, right = case("false"), case("missed"), case("right")
    assert [cost(numbers, one) for one in (false, missed, right)] == [FALSE, 1.0, 0.0]
    assert cost({**numbers, "faults.dark": 3.0}, false) == FALSE
    assert len(judged) == 3, "another part of the limits changes nothing"
    assert cost({**numbers, "motion.spread": 0.1}, false) == FALSE
    assert len(judged) == 4


def test_a_motion_of_a_plain_table_is_missed_and_none_is_right() -> None:
    motion = np.array([[1, 0, 5], [0, 1, 2]], np.float32)
    assert _motion(TABLE, TABLE, motion).verdict() == "missed"
    assert _motion(TABLE, TABLE, None).verdict() == "right"


def test_a_change_of_the_light_is_told_from_what_is_new() -> None:
    ground = np.repeat(TABLE[..., None], 3, axis=2)
    lit = np.asarray(ground * 0.8, np.uint8)
    new = np.s_[100:220, 250:340]
    with_card = lit.copy()
    with_card[new] = 200
    assert _light(ground, [with_card] * 12, 0.8, new).verdict() == "right"
    assert _light(ground, [lit] * 12, 0.8, new).verdict() == "missed"
    with_card[:60] = 200
    assert _light(ground, [with_card] * 12, 0.8, new).verdict() == "false"


def test_the_shipped_limits_of_the_camera_say_what_they_were_fitted_on() -> None:
    about = json.loads((FOLDER / FILE).read_text())["fit"]
    assert set(about["neighbours"]) == set(numbers_of(camera_limits())) - set(NOT_FITTED)
    assert about["cost"] <= about["cost_at_start"]
