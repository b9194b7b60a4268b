"""Sources without a device: they keep to the clock, and bad recordings are named."""

import wave
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.errors import Unreadable
from hardware.simulated import (
    SimulatedCamera,
    SimulatedMicrophone,
    folder_pictures,
    video_pictures,
    waiting,
    wav_blocks,
)


class FakeTime:
    """A clock that runs `rate` times as fast as its sleep."""

    def __init__(self, rate: float = 1.0) -> None:
        self.now = 50.0
        self.rate = rate
        self.slept = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.now += seconds * self.rate


def picture(level: int) -> np.ndarray:
    return np.full((24, 32, 3), level, np.uint8)


def write_wav(path: Path, samples: np.ndarray, rate: int = 16_000, channels: int = 1) -> Path:
    with wave.open(str(path), "wb") as recording:
        recording.setnchannels(channels)
        recording.setsampwidth(2)
        recording.setframerate(rate)
        recording.writeframes(samples.astype("<i2").tobytes())
    return path


def test_pictures_come_at_their_time() -> None:
    time = FakeTime()
    camera = SimulatedCamera(
        [(0.0, picture(1)), (0.5, picture(2)), (2.0, picture(3))], 50.0, waiting(time, time.sleep)
    )
    assert [(frame.t, frame.image[0, 0, 0]) for frame in camera] == [(50.0, 1), (50.5, 2), (52.0, 3)]
    assert time.slept == pytest.approx(2.0)


def test_a_faster_clock_plays_faster() -> None:
    time = FakeTime(rate=20.0)
    blocks = [np.zeros(320, np.int16)] * 100
    microphone = SimulatedMicrophone(blocks, 50.0, waiting(time, time.sleep, rate=20.0))
    found = list(microphone)
    assert [round(block.t - 50.0, 6) for block in found[:3]] == [0.0, 0.02, 0.04]
    assert time.slept == pytest.approx(2.0 / 20.0)


def test_sound_is_given_when_it_has_sounded_not_before() -> None:
    time = FakeTime()
    microphone = SimulatedMicrophone([np.zeros(1600, np.int16)], 50.0, waiting(time, time.sleep))
    block = next(iter(microphone))
    assert (block.t, time.now) == (50.0, pytest.approx(50.1))


def test_a_closed_source_gives_nothing_more() -> None:
    time = FakeTime()
    camera = SimulatedCamera(((i, picture(i)) for i in range(5)), 50.0, waiting(time, time.sleep))
    seen = []
    for frame in camera:
        seen.append(frame.t)
        camera.close()
    assert seen == [50.0]


def test_a_wav_comes_in_blocks_of_sixty_milliseconds(tmp_path: Path) -> None:
    samples = np.arange(2000, dtype=np.int16)
    blocks = list(wav_blocks(write_wav(tmp_path / "a.wav", samples)))
    assert [len(block) for block in blocks] == [960, 960, 80]
    assert np.array_equal(np.concatenate(blocks), samples)


@pytest.mark.parametrize(("rate", "channels"), [(8_000, 1), (16_000, 2)])
def test_a_wav_of_another_shape_is_named(tmp_path: Path, rate: int, channels: int) -> None:
    path = write_wav(tmp_path / "b.wav", np.zeros(800), rate, channels)
    with pytest.raises(Unreadable, match=r"b\.wav: one channel of 16 bits at 16000 Hz"):
        list(wav_blocks(path))


def test_what_is_no_wav_is_named(tmp_path: Path) -> None:
    (tmp_path / "c.wav").write_bytes(b"not a wav")
    with pytest.raises(Unreadable, match=r"c\.wav cannot be read as a WAV"):
        list(wav_blocks(tmp_path / "c.wav"))


def test_a_folder_of_pictures_in_the_order_of_names(tmp_path: Path) -> None:
    for level in (200, 10):
        cv2.imwrite(str(tmp_path / f"{level:03d}.png"), picture(level))
    assert [(t, int(image[0, 0, 0])) for t, image in folder_pictures(tmp_path, fps=4)] == [
        (0.0, 10),
        (0.25, 200),
    ]
    (tmp_path / "999.png").write_bytes(b"broken")
    with pytest.raises(Unreadable, match=r"999\.png cannot be read"):
        list(folder_pictures(tmp_path, fps=4))


def test_an_empty_folder_and_a_broken_video_are_named(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no picture"):
        list(folder_pictures(tmp_path, fps=4))
    (tmp_path / "v.avi").write_bytes(b"broken")
    with pytest.raises(Unreadable, match=r"v\.avi cannot be read as a video"):
        list(video_pictures(tmp_path / "v.avi"))


def test_a_video_gives_its_pictures_with_their_time(tmp_path: Path) -> None:
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, (32, 24))
    for level in (0, 100, 200):
        writer.write(picture(level))
    writer.release()
    found = list(video_pictures(path))
    assert [round(t, 3) for t, _ in found] == [0.0, 0.1, 0.2]
    assert [
        abs(int(image.mean()) - level) < 8 for (_, image), level in zip(found, (0, 100, 200), strict=True)
    ]


def test_a_video_rests_as_a_camera_does(tmp_path: Path) -> None:
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 30.0, (32, 24))
    for _ in range(12):
        writer.write(picture(100))
    writer.release()
    assert [round(30 * t) for t, _ in video_pictures(path, lambda: True)] == [0, 3, 6, 9]
    assert len(list(video_pictures(path, lambda: False))) == 12
