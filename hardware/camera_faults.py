"""Why a camera cannot be opened: it is not there, another program has it, or the library's own words.

picamera2 says RuntimeError to everything and keeps the reason in the error's causes. OpenCV says nothing at
all, so the kernel is asked: a device that another program streams from refuses its buffers (EBUSY;
Video4Linux API, ioctl VIDIOC_REQBUFS).
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
"""The kind of the buffers and where they lie, of `struct v4l2_requestbuffers`."""
BUSY = ("acquire", "busy")
MISSING = "found"
"""What libcamera's and picamera2's words for either contain: failed to acquire, cameras not found."""


def of_the_ribbon(number: int, error: BaseException) -> Unavailable:
    """What picamera2's error, which may have causes, says about the Pi's camera `number`."""
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__
    words = " / ".join(dict.fromkeys(str(one) or type(one).__name__ for one in causes))
    said = words.lower()
    if any(word in said for word in BUSY):
        return Unavailable(f"another program has the camera ({words}): close that one")
    if MISSING in said or isinstance(causes[-1], IndexError):
        return no_ribbon(number)
    return Unavailable(f"the Pi's camera {number} cannot be opened ({words}): try `rpicam-hello`")


def no_ribbon(number: int) -> Unavailable:
    """There is no camera on the ribbon."""
    return Unavailable(f"there is no Pi camera {number}: check the ribbon with `rpicam-hello --list`")


def of_the_webcam(number: int, ask: Callable[[str], None] | None = None) -> Unavailable:
    """Why OpenCV could not open the webcam `number`.

    Args:
        ask: opens the device as Video4Linux does, raises OSError if it may not (tests give their own).
    """
    missing = Unavailable(f"there is no webcam {number}: plug one in, or set camera.device")
    if ask is None and not sys.platform.startswith("linux"):
        return missing
    device = f"/dev/video{number}"
    try:
        (ask or _ask)(device)
    except OSError as error:
        if error.errno == errno.EBUSY:
            return Unavailable(f"another program has webcam {number}: close that one")
        if error.errno in (errno.EACCES, errno.EPERM):
            return Unavailable(f"{device} may not be opened: add your user to the group video, log in again")
        if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            return missing
        why = error.strerror
        return Unavailable(f"webcam {number} cannot be opened ({why}): set another one in camera.device")
    return Unavailable(
        f"webcam {number} is there, but OpenCV cannot use it: set another one in camera.device"
    )


def _ask(device: str) -> None:
    """Opens the device and asks for no buffers at all, which only another program's streaming forbids."""
    import fcntl

    opened = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    try:
        fcntl.ioctl(opened, VIDIOC_REQBUFS, bytearray(struct.pack("5I", 0, CAPTURE, MMAP, 0, 0)))
    finally:
        os.close(opened)
