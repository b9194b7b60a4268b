"""Why a camera cannot be opened: it is missing, another program uses it, or the library's own text.

picamera2 always raises RuntimeError and keeps the reason in the error's causes. OpenCV gives no reason, so
the kernel is asked: a device that another program streams from refuses to give buffers (EBUSY; Video4Linux
API, ioctl VIDIOC_REQBUFS).
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Callable

from companion.core.errors import Unavailable

VIDIOC_REQBUFS = 0xC0145608
CAPTURE, MMAP = 1, 1
"""`type` and `memory` of `struct v4l2_requestbuffers`."""
BUSY = ("acquire", "busy")
MISSING = "found"
"""Parts of the error texts of libcamera and picamera2: "failed to acquire", "cameras not found"."""


def of_the_ribbon(number: int, error: BaseException) -> Unavailable:
    """The error for the Pi's camera `number`, made from picamera2's error and its causes."""
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__
    words = " / ".join(dict.fromkeys(str(one) or type(one).__name__ for one in causes))
    said = words.lower()
    if any(word in said for word in BUSY):
        return Unavailable("camera.ribbon_busy", why=words)
    if MISSING in said or isinstance(causes[-1], IndexError):
        return no_ribbon(number)
    return Unavailable("camera.ribbon_fails", number=number, why=words)


def no_ribbon(number: int) -> Unavailable:
    """The error for a Pi without a camera on the ribbon cable."""
    return Unavailable("camera.no_ribbon", number=number)


def of_the_webcam(number: int, ask: Callable[[str], None] | None = None) -> Unavailable:
    """Why OpenCV could not open the webcam `number`.

    Args:
        ask: opens the device through Video4Linux; raises OSError if it cannot. Tests replace it.
    """
    missing = Unavailable("camera.no_webcam", number=number)
    if ask is None and not sys.platform.startswith("linux"):
        return missing
    device = f"/dev/video{number}"
    try:
        (ask or _ask)(device)
    except OSError as error:
        if error.errno == errno.EBUSY:
            return Unavailable("camera.webcam_busy", number=number)
        if error.errno in (errno.EACCES, errno.EPERM):
            return Unavailable("camera.forbidden", device=device)
        if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            return missing
        why = error.strerror
        return Unavailable("camera.webcam_fails", number=number, why=why)
    return Unavailable("camera.webcam_unusable", number=number)


def _ask(device: str) -> None:
    """Opens the device and requests zero buffers, which fails only if another program streams from it."""
    import fcntl

    opened = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    try:
        fcntl.ioctl(opened, VIDIOC_REQBUFS, bytearray(struct.pack("5I", 0, CAPTURE, MMAP, 0, 0)))
    finally:
        os.close(opened)
