"""Pictures from strangers are decoded in a process of its own, one at a time, with limits."""

import os
import threading
import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from bench.hostile.pictures import png_bomb
from companion.core.errors import Unavailable, Unreadable
from companion.vision.image import decoder as decoder_module
from companion.vision.image.decoder import PictureDecoder
from companion.vision.image.decoder_process import LONGEST
from companion.vision.image.picture import decode


@pytest.fixture(scope="module")
def decoder() -> Iterator[PictureDecoder]:
    made = PictureDecoder()
    yield made
    made.close()


def encoded(suffix: str, image: np.ndarray) -> bytes:
    done, coded = cv2.imencode(suffix, image)
    assert done
    return coded.tobytes()


def memory_mb() -> float:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
def test_it_gives_the_pixels_that_decoding_here_would_give(decoder: PictureDecoder, suffix: str) -> None:
    data = encoded(suffix, np.random.default_rng(1).integers(0, 256, (120, 200, 3), np.uint8))
    with decoder.decoded(data) as image:
        assert np.array_equal(image, decode(data))


def test_a_long_picture_is_made_smaller(decoder: PictureDecoder) -> None:
    with decoder.decoded(encoded(".jpg", np.zeros((100, 6000, 3), np.uint8))) as image:
        assert image.shape[1] == LONGEST


@pytest.mark.parametrize(
    "data", [b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n" + b"x" * 40, b"RIFF\0\0\0\0WEBPVP8X", b"x"]
)
def test_what_is_no_picture_is_refused_and_the_next_one_is_read(decoder: PictureDecoder, data: bytes) -> None:
    with pytest.raises(Unreadable), decoder.decoded(data):
        pass
    with decoder.decoded(encoded(".png", np.zeros((40, 40, 3), np.uint8))) as image:
        assert image.shape == (40, 40, 3)


def test_a_bomb_costs_this_process_nothing(decoder: PictureDecoder) -> None:
    before = memory_mb()
    with pytest.raises(Unreadable, match="pixels are too many"), decoder.decoded(png_bomb(9000)):
        pass
    assert memory_mb() - before < 30


def test_a_stray_byte_hides_no_size(decoder: PictureDecoder) -> None:
    """Before a marker of a JPEG any byte may stand that the decoder skips."""
    data = encoded(".jpg", np.zeros((60, 80, 3), np.uint8))
    at = data.index(b"\xff\xc0")
    hidden = bytearray(data[:at] + b"\x00" + data[at:])
    hidden[at + 6 : at + 10] = (30_000).to_bytes(2, "big") * 2
    with pytest.raises(Unreadable, match=r"too many|no picture"), decoder.decoded(bytes(hidden)):
        pass


def test_whoever_comes_meanwhile_is_told(decoder: PictureDecoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoder_module, "WAIT_S", 0.1)
    data = encoded(".png", np.zeros((40, 40, 3), np.uint8))
    inside, leave = threading.Event(), threading.Event()

    def reads() -> None:
        with decoder.decoded(data):
            inside.set()
            leave.wait(10)

    first = threading.Thread(target=reads)
    first.start()
    assert inside.wait(30)
    with pytest.raises(Unavailable, match="another picture is being read"), decoder.decoded(data):
        pass
    leave.set()
    first.join()


def test_a_picture_that_takes_too_long_ends_the_process_only(
    decoder: PictureDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = encoded(".png", np.zeros((40, 40, 3), np.uint8))
    with decoder.decoded(data):
        pass
    assert decoder._process is not None
    os.kill(decoder._process.pid, 19)  # SIGSTOP: it will never answer
    monkeypatch.setattr(decoder_module, "ANSWER_S", 0.3)
    began = time.monotonic()
    with pytest.raises(Unreadable, match="too much memory or time"), decoder.decoded(data):
        pass
    assert time.monotonic() - began < 5.0
    monkeypatch.setattr(decoder_module, "ANSWER_S", 20.0)
    with decoder.decoded(data) as image:
        assert image.shape == (40, 40, 3)


def test_a_picture_that_takes_too_much_memory_is_refused(decoder: PictureDecoder) -> None:
    """Transparency takes eight times the memory of the pixels: too much here."""
    layers = np.full((7000, 7000, 4), 200, np.uint8)
    layers[0, 0, 3] = 0
    with pytest.raises(Unreadable, match="too much memory or time"), decoder.decoded(encoded(".png", layers)):
        pass
    with decoder.decoded(encoded(".png", np.zeros((40, 40, 3), np.uint8))) as image:
        assert image.shape == (40, 40, 3)
