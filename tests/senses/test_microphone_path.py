"""The path of a block of an array: its microphones reach who uses them, and all stop when it is unplugged."""

from pathlib import Path

import numpy as np
from array_sounds import RADIUS_M, RATE, as_samples, at_array, voice_like

from companion.core.config import Config
from companion.core.observations import SourceChanged
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder
from hardware.streams import ArraySound, Block

BLOCK = 960


class Clock:
    now = 10.0

    def __call__(self) -> float:
        return self.now


def test_the_service_learns_a_seat_from_the_blocks_of_an_array(tmp_path: Path) -> None:
    clock, rng = Clock(), np.random.default_rng(31)
    app = App(Config(), DataFolder(tmp_path), clock=clock, inputs=Inputs())
    training = app.host.seat_training
    quiet = np.zeros((RATE, 4))
    whole = np.concatenate([quiet, at_array(voice_like(rng, 0.6), 210.0), quiet])
    sound = as_samples(whole + rng.normal(0, 15, whole.shape))

    def give(microphones: bool) -> None:
        for at in range(0, len(sound) - BLOCK + 1, BLOCK):
            piece = sound[at : at + BLOCK]
            array = ArraySound(piece, RADIUS_M) if microphones else None
            app.block(Block(piece[:, 0].copy(), clock.now, RATE, array=array))
            clock.now += BLOCK / RATE

    give(microphones=False)
    assert not training.state().array
    app.block(Block(sound[:BLOCK, 0], clock.now, RATE, array=ArraySound(sound[:BLOCK], RADIUS_M)))
    assert training.state().array
    training.begin("Ida")
    give(microphones=True)
    known = training.state().known
    assert [one.player for one in known] == ["Ida"]
    assert abs(known[0].degrees - 210.0) < 5.0
    app.source_changed(SourceChanged(clock.now, "microphone", False))
    assert not training.state().array
