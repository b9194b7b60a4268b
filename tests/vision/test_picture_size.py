"""The size that a file states is the size of the picture in it; one that is too large is never unpacked."""

import zlib

import cv2
import numpy as np
import pytest

from companion.core.errors import Unreadable
from companion.vision.image.picture import decode, stated_size

WAYS = {
    "png": (".png", []),
    "jpeg": (".jpg", []),
    "progressive jpeg": (".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
    "webp": (".webp", [cv2.IMWRITE_WEBP_QUALITY, 80]),
    "lossless webp": (".webp", [cv2.IMWRITE_WEBP_QUALITY, 101]),
}
EXIF = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", [(33, 47), (640, 480), (1025, 300)])
def test_the_size_that_is_stated_is_the_size(way: str, size: tuple[int, int], channels: int) -> None:
    suffix, options = WAYS[way]
    width, height = size
    picture = np.random.default_rng(3).integers(0, 256, (height, width, channels), np.uint8)
    written, coded = cv2.imencode(suffix, picture, options)
    assert written
    assert stated_size(coded.tobytes()) == size


def test_the_frame_is_found_behind_what_a_camera_writes_before_it() -> None:
    _, coded = cv2.imencode(".jpg", np.zeros((40, 60, 3), np.uint8))
    data = coded.tobytes()
    block = b"\xff\xe1" + (len(EXIF) + 2).to_bytes(2, "big") + EXIF
    assert stated_size(data[:2] + block + b"\xff" + data[2:]) == (60, 40)
    assert decode(data[:2] + block + data[2:]).shape == (60, 40, 3)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPnone" + b"\0" * 20]
)
def test_what_states_no_size_is_left_to_the_decoder(data: bytes) -> None:
    assert stated_size(data) is None
    with pytest.raises(Unreadable):
        decode(data)


def test_a_small_file_that_holds_a_gigabyte_is_refused_before_it_is_unpacked() -> None:
    """Its header states more than there is: unpacking it would end in another complaint."""
    _, coded = cv2.imencode(".png", np.zeros((40, 40), np.uint8))
    data = bytearray(coded.tobytes())
    data[16:24] = (30_000).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    with pytest.raises(Unreadable, match="30000 x 30000 pixels are too many; send a smaller picture"):
        decode(bytes(data))
