"""Learning seats through an array: a name is said, its direction is kept, and nobody listens longer."""

from pathlib import Path

import numpy as np
import pytest
from array_sounds import RADIUS_M, RATE, as_samples, at_array, voice_like

from companion.api.devices import SeatState
from companion.core.errors import Unavailable, UsageError
from companion.host.seat_training import SeatTraining
from companion.host.watched_lesson import WATCHED_S
from companion.speech.direction.array_recorder import ArrayRecorder
from companion.speech.direction.seats import Seats, between

BLOCK = 960


class ArrayTable:
    """An array, a lamp, and a page that asks on."""

    def __init__(self, folder: Path) -> None:
        self.now = 100.0
        self.lamp: list[bool] = []
        self.recorder = ArrayRecorder()
        self.training = SeatTraining(folder, self.recorder, lambda: self.now, self.lamp.append)
        self.rng = np.random.default_rng(11)

    def sounds(self, sound: np.ndarray) -> None:
        quiet = np.zeros((round(0.9 * RATE), 4))
        whole = np.concatenate([quiet, sound, quiet])
        whole = as_samples(whole + self.rng.normal(0, 15, whole.shape))
        for at in range(0, len(whole) - BLOCK + 1, BLOCK):
            for user in (self.recorder, self.training):
                user.hear(whole[at : at + BLOCK], RADIUS_M, self.now, RATE)
            self.now += BLOCK / RATE

    def says(self, degrees: float, seconds: float = 0.6) -> None:
        self.sounds(at_array(voice_like(self.rng, seconds), degrees))


@pytest.fixture
def table(tmp_path: Path) -> ArrayTable:
    made = ArrayTable(tmp_path / "voices")
    made.sounds(np.zeros((100, 4)))
    return made


def test_a_name_gives_the_seat(table: ArrayTable, tmp_path: Path) -> None:
    table.training.begin(" Ida ")
    assert table.training.state() == SeatState(True, (), "Ida", "")
    table.says(123.0)
    state = table.training.state()
    assert state.player == ""
    assert [one.player for one in state.known] == ["Ida"]
    assert abs(between(state.known[0].degrees, 123.0)) < 5.0
    assert table.lamp == [True, False]
    assert Seats(tmp_path / "voices").known()["Ida"].degrees == state.known[0].degrees
    assert table.training.players() == ["Ida"]
    table.training.forget("Ida")
    assert table.training.state().known == ()


def test_a_knock_and_sound_from_all_sides_are_no_name(table: ArrayTable) -> None:
    table.training.begin("Ida")
    table.says(50.0, seconds=0.06)
    assert table.training.state().finding == "again"
    parts = [at_array(voice_like(table.rng, 0.34), degrees) for degrees in (10.0, 130.0, 250.0)]
    table.sounds(np.concatenate(parts))
    assert table.training.state() == SeatState(True, (), "Ida", "noisy")
    table.says(80.0)
    assert [one.player for one in table.training.state().known] == ["Ida"]


def test_nobody_listens_when_the_page_is_closed(table: ArrayTable) -> None:
    table.training.begin("Ida")
    table.now += WATCHED_S + 1.0
    table.says(80.0)
    assert table.lamp == [True, False]
    assert table.training.state() == SeatState(True, ())


def test_an_array_that_is_unplugged_ends_it(table: ArrayTable) -> None:
    table.training.begin("Ida")
    for user in (table.recorder, table.training):
        user.went_down()
    assert table.training.state() == SeatState(False, ())
    with pytest.raises(Unavailable, match="is no array"):
        table.training.begin("Ida")


def test_a_player_without_a_name(table: ArrayTable) -> None:
    with pytest.raises(UsageError):
        table.training.begin("  ")
