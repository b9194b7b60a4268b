"""`companion seats`: names said into an array become seats."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from array_sounds import RADIUS_M, RATE, as_samples, at_array, voice_like
from click.testing import CliRunner

from companion.commands.seats import TRIES, command
from companion.core.errors import Unavailable
from companion.devices import inputs
from companion.devices.inputs import Inputs
from companion.speech.direction.seats import SeatDirection, Seats
from hardware.streams import ArraySound, Block

BLOCK = 960


class NamesOnly:
    """A microphone into which names are said from these directions, one after the other."""

    def __init__(self, directions: list[float], array: bool = True) -> None:
        self._directions, self._array = directions, array
        self._rng = np.random.default_rng(21)
        self.closed = 0

    def __iter__(self) -> Iterator[Block]:
        quiet = np.zeros((RATE, 4))
        said = [at_array(voice_like(self._rng, 0.6), self._directions.pop(0))] if self._directions else []
        whole = np.concatenate([quiet, *said, quiet] * (1 if said else 5))
        sound = as_samples(whole + self._rng.normal(0, 15, whole.shape))
        for at in range(0, len(sound) - BLOCK + 1, BLOCK):
            piece = sound[at : at + BLOCK]
            heard = ArraySound(piece, RADIUS_M) if self._array else None
            yield Block(piece[:, 0].copy(), at / RATE, RATE, array=heard)

    def close(self) -> None:
        self.closed += 1


def learned(microphone: NamesOnly | None, folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    given = Inputs(microphone=None if microphone is None else lambda: microphone)
    monkeypatch.setattr(inputs, "configured_inputs", lambda config, clock: given)
    result = CliRunner().invoke(command, ["--data", str(folder), *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_each_player_is_asked_for_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    microphone = NamesOnly([40.0, 200.0])
    shown = learned(microphone, tmp_path, monkeypatch, "Ida", "Jo").splitlines()
    assert shown[:2] == ["Ida: say your name", "Jo: say your name"]
    known = Seats(tmp_path / "voices").known()
    assert known["Ida"].degrees == pytest.approx(40.0, abs=5.0)
    assert known["Jo"].degrees == pytest.approx(200.0, abs=5.0)
    assert shown[2] == f"Ida: {known['Ida'].degrees:.0f} degrees, spread 8"
    assert microphone.closed == 2


def test_seats_are_listed_and_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for player in ("Ida", "Jo"):
        Seats(tmp_path / "voices").keep(player, SeatDirection(90.0, 9.0))
    shown = learned(None, tmp_path, monkeypatch, "--forget", "Ida")
    assert shown == "Jo: 90 degrees, spread 9\n"


def test_no_array_no_microphone_and_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for microphone in (None, NamesOnly([40.0], array=False)):
        with pytest.raises(Unavailable, match="is no array"):
            learned(microphone, tmp_path, monkeypatch, "Ida")
    with pytest.raises(Unavailable, match="did not come from one direction"):
        learned(NamesOnly([]), tmp_path, monkeypatch, "Ida")
    assert TRIES > 1
    assert Seats(tmp_path / "voices").known() == {}
