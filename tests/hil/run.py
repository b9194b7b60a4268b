"""`make hil`: the shipped unit on a Pi that is none (see vm.sh). Exit status 1 if a check fails.

sudo python tests/hil/run.py            the virtual machine
sudo python tests/hil/run.py CHECK...   only some of the checks (tests/hil/checks.py)
sudo python tests/hil/run.py boot       the same system in a container: systemd without devices, in seconds

HIL_OUT names a folder that is to keep the figures and the whole journal of the service.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import wave
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]

BEHIND_S = 3.0
"""Seconds of silence behind a call. When a player ends, the kernel's loopback card lets the recording end
read on in its ring where nothing has been written yet, until its timer comes: what was played half a second
ago is heard again, 28 ms of it and more on an emulated processor. Behind "one" that made "one six"."""


def main() -> int:
    """Prepares the share, boots, tells."""
    vm = str(HERE / "vm.sh")
    subprocess.run([vm, "build"], check=True)
    with tempfile.TemporaryDirectory(prefix="companion-hil-") as folder:
        share = Path(folder)
        program(share / "program")
        for file in (*HERE.glob("*.py"), HERE / "guest.sh", HERE / "container.sh", HERE / "config.toml"):
            shutil.copy(file, share / file.name)
        (share / "sound").mkdir()
        spoken(PROJECT / "models/demo/calls/ada/one.wav", share / "sound/one.wav")
        at_48_khz(share / "sound/one.wav", share / "sound/stereo48.wav")
        boot = sys.argv[1:] == ["boot"]
        if not boot:
            pictures(share / "pictures")
            if sys.argv[1:]:
                (share / "only").write_text(" ".join(sys.argv[1:]))
        done = subprocess.run([vm, "boot" if boot else "run", str(share)], check=False)
        if "HIL_OUT" in os.environ:
            shutil.copytree(share / "out", os.environ["HIL_OUT"], dirs_exist_ok=True)
        return done.returncode


def spoken(recording: Path, target: Path) -> None:
    """A call with silence behind it."""
    with wave.open(str(recording)) as source, wave.open(str(target), "wb") as longer:
        longer.setparams(source.getparams())
        longer.writeframes(source.readframes(source.getnframes()))
        longer.writeframes(bytes(source.getsampwidth() * round(BEHIND_S * source.getframerate())))


def at_48_khz(recording: Path, target: Path) -> None:
    """The same call, three seconds later, as a card gives it out that knows 48 kHz and two channels only."""
    import numpy as np
    import soxr

    with wave.open(str(recording)) as source:
        rate = source.getframerate()
        samples = np.frombuffer(source.readframes(source.getnframes()), "<i2")
    silence = np.zeros(3 * rate, np.int16)
    louder: Any = soxr.resample(np.concatenate([silence, samples, silence, silence]), rate, 48_000)
    with wave.open(str(target), "wb") as stereo:
        stereo.setnchannels(2)
        stereo.setsampwidth(2)
        stereo.setframerate(48_000)
        stereo.writeframes(np.repeat(louder[:, None], 2, axis=1).tobytes())


def program(folder: Path) -> None:
    """The packages of this checkout, as the installer would lay them."""
    ignore = shutil.ignore_patterns("__pycache__", "train", "*.pyc")
    for package in ("companion", "hardware", "web", "models", "systemd"):
        shutil.copytree(PROJECT / package, folder / package, ignore=ignore)


def pictures(folder: Path) -> None:
    """An empty table, and one on which a card of our own deck is laid by a hand and stays."""
    from scene import landing

    folder.mkdir()
    frames = landing()
    (folder / "empty.yuv").write_bytes(yuv(frames[:8]))
    (folder / "landing.yuv").write_bytes(yuv(frames))
    coloured(folder)


def coloured(folder: Path) -> None:
    """A picture whose left half is blue and whose right half is red, as USB cameras send it."""
    import cv2
    import numpy as np

    picture = np.zeros((480, 640, 3), np.uint8)
    picture[:, :320], picture[:, 320:] = (255, 0, 0), (0, 0, 255)
    (folder / "colours.jpg").write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    yuv = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV)
    packed = np.empty((480, 640, 2), np.uint8)
    packed[..., 0] = yuv[..., 0]
    packed[:, 0::2, 1], packed[:, 1::2, 1] = yuv[:, 0::2, 1], yuv[:, 0::2, 2]
    (folder / "colours.yuyv").write_bytes(packed.tobytes())


def yuv(frames: list[NDArray[Any]]) -> bytes:
    """Pictures as planar YUV 4:2:0, what v4l2-ctl writes."""
    import cv2

    return b"".join(cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).tobytes() for frame in frames)


if __name__ == "__main__":
    sys.exit(main())
