"""How large a picture is by its file's header, before anything is unpacked.

A file of a megabyte can hold a gigabyte of one colour.
"""

from __future__ import annotations

import io

FORMATS = ("JPEG", "PNG", "WEBP")
"""What OpenCV and Pillow both read."""


def stated_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels that the file states; None: it is no picture of FORMATS, or its header is
    damaged.

    Pillow reads the header as its decoder would. Pictures from strangers are looked at in a process of
    their own (companion.vision.image.decoder), because a header alone can make a decoder take memory.
    """
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # the caller has a limit of its own
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            width, height = picture.size
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, OverflowError):
        return None
    return width, height
