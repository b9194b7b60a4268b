"""All five games by taps on six browsers at once: nothing is missing on any of them, nothing counts twice."""

from collections.abc import Callable

import pytest
from chromium import Phone
from stalling_proxy import stalling
from whole_games import SHORTER, Evening

pytestmark = pytest.mark.long


def test_five_games_by_taps_on_six_browsers(table: str, phones: Callable[..., Phone]) -> None:
    with stalling(table) as (offline, way):
        taps = Evening(table, phones, way, offline).play()
    assert list(taps) == list(SHORTER)
    assert min(taps.values()) > 5
