"""Pictures from files and bytes, with one clear error where there is none.

A picture is a BGR uint8 array of shape (height, width, 3). What a camera wrote into the file about its
orientation is obeyed, so that pixels are those which any viewer shows. What is transparent lies on white.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.errors import Unreadable

Image = npt.NDArray[np.uint8]
"""BGR, uint8, shape (height, width, 3)."""

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]

SMALLEST_SIDE = 32
"""Pixels. Below this no card could be distinguished from another."""
FINER = 1.5
"""How much finer a picture is kept than one that is taken from it at another place or from another view."""
LONGEST = 2400
"""Longer side of the picture in which cards are looked for; a larger one is shrunk."""
LARGEST_SIDE = 20_000
MOST_PIXELS = 120_000_000
"""More than a phone sends; unpacked it takes three bytes for each."""
PNG = b"\x89PNG\r\n\x1a\n"
"""How such a file begins (W3C PNG, 5.2)."""
SUFFIXES = (".png", ".jpg", ".jpeg")
FORMATS = ("JPEG", "PNG", "WEBP")
"""What OpenCV and Pillow both read."""


def load_picture(path: Path) -> Image:
    """The picture in a file. Raises Unreadable, naming the file, if there is none."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise Unreadable("picture.missing", path=path) from None
    except IsADirectoryError:
        raise Unreadable("picture.folder", path=path) from None
    except OSError as error:
        raise Unreadable("picture.unreadable", path=path, why=error.strerror) from error
    return decode(data, str(path))


def decode(data: bytes, name: str = "picture") -> Image:
    """The picture in the bytes of a JPEG or PNG file. Raises Unreadable, naming `name`, if there is none."""
    if not data:
        raise Unreadable("picture.empty", name=name)
    width, height = stated_size(data) or (0, 0)
    if width * height > MOST_PIXELS:
        raise Unreadable("picture.too_large", name=name, width=width, height=height)
    if data[:8] == PNG and b"IEND" not in data:
        # The decoder would complain by itself, past this program.
        raise Unreadable("picture.incomplete", name=name)
    coded = np.frombuffer(data, np.uint8)
    try:
        image = cv2.imdecode(coded, cv2.IMREAD_COLOR)
        layers = cv2.imdecode(coded, cv2.IMREAD_UNCHANGED) if _has_transparency(data) else None
        if image is not None and layers is not None:
            image = _on_white(layers, image)
    except cv2.error:
        image = None
    if image is None:
        raise Unreadable("picture.no_picture", name=name)
    return validated(np.asarray(image, np.uint8), name)


def stated_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels that the header of a file states, before anything is unpacked: a file of a
    megabyte can hold a gigabyte of one colour. None: it is no picture of FORMATS, or its header is damaged.

    Pillow reads the header as its decoder would. Pictures from strangers are looked at in a process of
    their own (companion.vision.image.decoder), because a header alone can make a decoder take memory.
    """
    from PIL import Image as Pillow
    from PIL import UnidentifiedImageError

    Pillow.MAX_IMAGE_PIXELS = None  # the caller has a limit of its own
    try:
        with Pillow.open(io.BytesIO(data), formats=FORMATS) as picture:
            width, height = picture.size
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, OverflowError):
        return None
    return width, height


def _has_transparency(data: bytes) -> bool:
    """True for a PNG file whose header says that it has an alpha channel or a transparent colour."""
    return data[:8] == PNG and (data[25:26] in (b"\x04", b"\x06") or b"tRNS" in data[:4096])


def _on_white(layers: Array, flat: Array) -> Array:
    """The picture laid on white paper; `flat`, the same without its transparency, if it has none."""
    if layers.ndim != 3 or layers.shape[2] != 4 or layers.shape[:2] != flat.shape[:2]:
        return flat
    most = float(np.iinfo(layers.dtype).max)
    share = layers[..., 3:].astype(np.float32) / most
    colours = layers[..., :3].astype(np.float32) * (255.0 / most)
    return np.asarray(np.round(colours * share + 255.0 * (1.0 - share)), np.uint8)


def validated(image: Image, name: str = "picture") -> Image:
    """The image itself if it can be worked on; raises Unreadable otherwise."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise Unreadable("picture.colours", name=name)
    height, width = image.shape[:2]
    if min(height, width) < SMALLEST_SIDE:
        raise Unreadable("picture.too_small", name=name, width=width, height=height)
    if max(height, width) > LARGEST_SIDE:
        raise Unreadable("picture.too_large", name=name, width=width, height=height)
    return image


def shrunk(image: Image, longest: int) -> tuple[Image, float]:
    """The image with its longer side at most `longest` pixels, and the scale (small = scale x large)."""
    scale = longest / max(image.shape[:2])
    return (image, 1.0) if scale >= 1.0 else (shrunk_by(image, scale), scale)


def shrunk_by(image: Image, scale: float) -> Image:
    """The image made smaller."""
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def cut_around(image: Image, quad: Floats, margin: float) -> tuple[Image, Array]:
    """The part of a picture round a quad (4, 2), wider on each side by a share of its width and height, and
    where in the picture (x, y) it begins. At least one pixel."""
    room = margin * np.ptp(quad, axis=0)
    last = np.array([image.shape[1], image.shape[0]]) - 1
    x0, y0 = np.clip(np.floor(quad.min(axis=0) - room), 0, last).astype(int).tolist()
    x1, y1 = np.clip(np.ceil(quad.max(axis=0) + room), (x0, y0), last).astype(int).tolist()
    return np.ascontiguousarray(image[y0 : y1 + 1, x0 : x1 + 1]), np.array([x0, y0], float)
