"""How bright the room is against the table as it was learnt, and how noisy the camera.

A lamp or the camera's exposure multiplies the whole picture. The median ratio of pixels that can be compared
tells by how much, for each colour; what is left between the two pictures then is noise, which tells from
which difference on a pixel has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.vision.image.limits import camera_limits
from companion.vision.image.picture import Bytes, Floats

SAMPLE_STEP = (24, 6)
"""Every so manieth row, and pixel in it, is enough to measure the light."""
CLIPPED = 250
"""Level from which a pixel may have been brighter."""


@dataclass
class LightEstimate:
    """Gain of each channel against the background and the noise of the camera, followed over time."""

    gain: Floats = field(default_factory=lambda: np.ones(3, np.float32))
    since: float = 0.0
    noise: float = 3.0
    _latest: Floats = field(default_factory=lambda: np.ones(3, np.float32))

    @property
    def threshold(self) -> float:
        """Levels from which on a pixel differs."""
        limits = camera_limits().light
        return float(
            np.clip(5.0 * self.noise * float(max(1.0, 1.0 / self.gain.min())), limits.least, limits.most)
        )

    def measure(self, picture: Bytes, ground: Bytes, t: float) -> None:
        """Median ratio of the pixels that can be compared, taken twice so that hands do not bend it."""
        now, was = _sample(picture), _sample(ground)
        good = ((was > 24) & (was < CLIPPED) & (now < CLIPPED)).all(axis=0)
        if np.count_nonzero(good) < 0.1 * good.size:
            # Of what was or is burnt out only a bound is known; a lamp over a white table leaves no more.
            good = ((was > 24) & ((was < CLIPPED) | (now < CLIPPED))).all(axis=0)
            if np.count_nonzero(good) < 0.6 * good.size:
                return
        now, was = now[:, good], was[:, good]
        off = now - was * self.gain[:, None]
        if np.abs(_median(off) / was.mean(axis=1)).max() > 0.5 * camera_limits().light.negligible:
            self.gain = _channel_gains(now, was)
            if np.abs(self.gain / self._latest - 1.0).max() > 0.015:
                self.since = t
            self._latest = self.gain
            off = now - was * self.gain[:, None]
        spread = _median(np.abs(off).reshape(1, -1))[0] / float(self.gain.mean())
        self.noise += 0.1 * (1.48 * float(spread) - self.noise)

    def rebase(self) -> None:
        """The background has been taken to this light."""
        self._latest = self._latest / self.gain
        self.gain = np.ones(3, np.float32)

    @property
    def has_changed(self) -> bool:
        """Whether the background should follow."""
        return bool(np.abs(self.gain - 1.0).max() > 0.03)


def _sample(picture: Bytes) -> Floats:
    """Some pixels of the picture (3, n), everywhere the same ones."""
    some = picture[6 :: SAMPLE_STEP[0], 2 :: SAMPLE_STEP[1]].reshape(-1, 3)
    return np.ascontiguousarray(some.T, np.float32)


def _median(values: Floats) -> Floats:
    """The middle value of each row."""
    centre = values.shape[1] // 2
    return np.asarray(np.partition(values, centre, axis=1)[:, centre], np.float32)


def _channel_gains(now: Floats, was: Floats) -> Floats:
    """How much brighter each channel has become (3,)."""
    ratio = now / was
    rough = _median(ratio)[:, None]
    near = (np.abs(ratio / np.maximum(rough, 1e-3) - 1.0) < 0.15).all(axis=0)
    gain = _median(ratio[:, near]) if np.count_nonzero(near) > 50 else rough[:, 0]
    return np.asarray(np.clip(gain, 0.2, 5.0), np.float32)
