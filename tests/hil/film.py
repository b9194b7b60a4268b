"""What the virtual machine's camera sees: writes raw pictures into the loopback device at a steady pace.

python film.py FILE [FPS]     planar YUV 4:2:0, 640 x 480, over and over (v4l2-ctl would write unpaced)
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import time
from pathlib import Path

DEVICE = "/dev/video50"
WIDTH, HEIGHT = 640, 480
SIZE = WIDTH * HEIGHT * 3 // 2
VIDIOC_S_FMT = 0xC0D05605
OUTPUT, NO_FIELDS, SRGB = 2, 1, 8


def main(file: str, fps: float) -> None:
    """Plays the film until it is killed."""
    film = Path(file).read_bytes()
    frames = [film[at : at + SIZE] for at in range(0, len(film), SIZE)]
    device = os.open(DEVICE, os.O_RDWR)
    yuv = int.from_bytes(b"YU12", "little")
    picture = struct.pack("8I", WIDTH, HEIGHT, yuv, NO_FIELDS, WIDTH, SIZE, SRGB, 0)
    fcntl.ioctl(device, VIDIOC_S_FMT, bytearray(struct.pack("2I", OUTPUT, 0) + picture.ljust(200, b"\0")))
    due, number = time.monotonic(), 0
    while True:
        os.write(device, frames[number % len(frames)])
        number += 1
        due = max(due + 1.0 / fps, time.monotonic() - 1.0)
        time.sleep(max(0.0, due - time.monotonic()))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10.0)
