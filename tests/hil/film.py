"""What the virtual machine's cameras see: writes pictures into a loopback device at a steady pace.

python film.py FILE FPS [NUMBER FORMAT STAYS]     640 x 480 (v4l2-ctl would write unpaced)

NUMBER is that of /dev/video (default: 50). FORMAT is YU12 (planar YUV 4:2:0, the default), YUYV or MJPG; a
file of MJPG is one picture. The film is played over and over; with STAYS its first and last STAYS pictures
are repeated BEFORE and AFTER times, so that a slow program sees what lies there before and afterwards.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import time
from pathlib import Path

WIDTH, HEIGHT = 640, 480
BYTES = {"YU12": WIDTH * HEIGHT * 3 // 2, "YUYV": WIDTH * HEIGHT * 2}
"""Of a picture; MJPG: of the whole file."""
LINE = {"YU12": WIDTH, "YUYV": 2 * WIDTH}
BEFORE, AFTER = 10, 30
VIDIOC_S_FMT = 0xC0D05605
OUTPUT, NO_FIELDS, SRGB = 2, 1, 8


def main(file: str, fps: float, number: int = 50, kind: str = "YU12", stays: int = 0) -> None:
    """Plays the film until it is killed."""
    film = Path(file).read_bytes()
    size = BYTES.get(kind, len(film))
    frames = [film[at : at + size] for at in range(0, len(film), size)]
    device = os.open(f"/dev/video{number}", os.O_RDWR)
    code = int.from_bytes(kind.encode(), "little")
    picture = struct.pack("8I", WIDTH, HEIGHT, code, NO_FIELDS, LINE.get(kind, 0), size, SRGB, 0)
    fcntl.ioctl(device, VIDIOC_S_FMT, bytearray(struct.pack("2I", OUTPUT, 0) + picture.ljust(200, b"\0")))
    if stays:
        frames = frames[:stays] * BEFORE + frames + frames[-stays:] * AFTER
    due, frame = time.monotonic(), 0
    while True:
        os.write(device, frames[frame % len(frames)])
        frame += 1
        due = max(due + 1.0 / fps, time.monotonic() - 1.0)
        time.sleep(max(0.0, due - time.monotonic()))


if __name__ == "__main__":
    main(
        sys.argv[1],
        float(sys.argv[2]),
        *(int(one) for one in sys.argv[3:4]),
        *sys.argv[4:5],
        *(int(one) for one in sys.argv[5:6]),
    )
