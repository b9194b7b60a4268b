"""Small JPEGs of the camera's pictures, for pages and evidence."""

from __future__ import annotations

from typing import Any

from companion.core.errors import Unreadable

WIDEST = 960
"""Pixels of the width; wider pictures are scaled down."""
QUALITY = 80
"""JPEG quality, of 100."""


def small_jpeg(image: Any) -> bytes:
    """The JPEG of a picture (height x width x 3, blue green red), at most WIDEST pixels wide.

    Raises:
        Unreadable: the picture is empty.
    """
    import cv2

    width = image.shape[1]
    if width > WIDEST:
        # INTER_AREA takes four times as long and looks no better unless the picture is more than halved.
        how = cv2.INTER_AREA if width >= 2 * WIDEST else cv2.INTER_LINEAR
        image = cv2.resize(image, None, fx=WIDEST / width, fy=WIDEST / width, interpolation=how)
    good, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not good:
        raise Unreadable("picture.cannot_store")
    return bytes(jpeg.tobytes())
