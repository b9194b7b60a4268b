"""Controls of a Video4Linux camera that OpenCV has no name for, set through the kernel's own interface.

Another program, or this one, may stream from the device meanwhile. Numbers: linux/v4l2-controls.h.
"""

from __future__ import annotations

import os
import struct
import sys

POWER_LINE_FREQUENCY = 0x00980918
"""V4L2_CID_POWER_LINE_FREQUENCY; its values: 0 off, 1 is 50 Hz, 2 is 60 Hz."""
MAINS = {50: 1, 60: 2}
VIDIOC_S_CTRL = 0xC008561C


def set_mains(device: str, mains_hz: int) -> bool:
    """Lets the camera expose so that lamps on a supply of `mains_hz` (50 or 60) do not flicker.

    Returns whether the camera has that control.
    """
    if mains_hz not in MAINS or not sys.platform.startswith("linux"):
        return False
    return set_control(device, POWER_LINE_FREQUENCY, MAINS[mains_hz])


def set_control(device: str, control: int, value: int) -> bool:
    """Sets a control; False: the camera does not have it, or refuses the value."""
    import fcntl

    try:
        opened = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.ioctl(opened, VIDIOC_S_CTRL, bytearray(struct.pack("Ii", control, value)))
    except OSError:
        return False
    finally:
        os.close(opened)
    return True
