"""Where something has changed for good: hands come and go, lamps and shadows pass, what stays is reported.

Works on a small grey picture. A region is reported when it differs from the last settled picture, does not
touch the picture's edge (what touches it is an arm) and has not moved for `SETTLE` seconds. It is dated back
to the first picture in which most of it already looked as it does now, so that a card counts from when it came
down and not from when the hand had left.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.picture import Array, Bytes, Floats, Image

SIDE = 320
"""Longer side of the small picture in pixels."""
SETTLE = 0.3
"""Seconds without motion after which a region counts as settled."""
MEMORY = 2.5
"""Seconds of small pictures kept for dating back."""
RESTING = 2.0
"""Seconds after which something still at the edge (a resting arm) no longer holds up the watermark."""
MOVED = 9.0
"""Grey levels by which a pixel must change from picture to picture to count as moving."""
CHANGED = 14.0
"""Grey levels by which a pixel must differ from the settled picture to count as changed."""
SMALLEST = 0.0012
"""Share of the picture below which a change is none."""
LIKENESS = 0.75
"""Correlation of a region with what lay there before above which only the light has changed."""


@dataclass(frozen=True)
class Region:
    """A settled change: bounding box (x, y, width, height) in shares of the picture, since when it looks so, and
    its mask on the small picture."""

    box: tuple[float, float, float, float]
    since: float
    mask: Bytes


@dataclass(frozen=True)
class Look:
    """What one picture brought: settled regions, and the time before which everything has been reported."""

    regions: tuple[Region, ...]
    watermark: float


class Motion:
    """Finds settled changes in a stream of pictures. Times are seconds and must not run backwards."""

    def __init__(self) -> None:
        self._settled: Floats | None = None
        self._last: Floats | None = None
        self._moving_since: Floats | None = None
        self._changed_since: float | None = None
        self._past: deque[tuple[float, Bytes]] = deque()

    def look(self, image: Image, t: float) -> Look:
        """Takes the next picture."""
        small = _small(image)
        if self._settled is None or self._last is None or self._moving_since is None:
            return self._begin(small, t)
        if self._last.shape != small.shape:
            return self._begin(small, t)
        self._remember(small, t)
        moving = np.abs(_matched(small, self._last) - self._last) > MOVED
        moving = cv2.dilate(moving.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        self._moving_since[moving] = t
        self._last = small
        level = _matched(small, self._settled)
        changed = _cleaned(np.abs(level - self._settled) > CHANGED)
        regions = self._regions(small, changed, t)
        self._follow(small, changed)
        return Look(tuple(regions), self._watermark(changed, t))

    def accept(self, region: Region) -> None:
        """Takes what a region shows now as settled."""
        if self._settled is None or self._last is None:
            return
        mask = cv2.dilate(region.mask, np.ones((9, 9), np.uint8)) > 0
        self._settled[mask] = self._last[mask]

    def _begin(self, small: Floats, t: float) -> Look:
        self._settled = small.copy()
        self._last = small
        self._moving_since = np.full(small.shape, t, np.float32).astype(np.float64)  # type: ignore[assignment]
        self._past.clear()
        self._remember(small, t)
        return Look((), t)

    def _remember(self, small: Floats, t: float) -> None:
        self._past.append((t, small.astype(np.uint8)))
        while self._past and self._past[0][0] < t - MEMORY:
            self._past.popleft()

    def _regions(self, small: Floats, changed: Bytes, t: float) -> list[Region]:
        assert self._moving_since is not None
        assert self._settled is not None
        count, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        height, width = changed.shape
        found = []
        for i in range(1, count):
            x, y, w, h, size = (int(v) for v in stats[i])
            if size < SMALLEST * changed.size:
                continue
            if x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1:
                continue
            pad = 4
            near = (slice(max(0, y - pad), y + h + pad), slice(max(0, x - pad), x + w + pad))
            if float(self._moving_since[near].max()) > t - SETTLE:
                continue
            mask = (labels == i).astype(np.uint8)
            box = (x / width, y / height, w / width, h / height)
            region = Region(box, self._dated(small, mask, t), mask)
            if _alike(small, self._settled, mask):
                self.accept(region)
                continue
            found.append(region)
        return found

    def _dated(self, small: Floats, mask: Bytes, t: float) -> float:
        """The first of the last pictures since which most of the region has looked as it does now."""
        inside = mask > 0
        now = small[inside]
        since = t
        for then, picture in reversed(self._past):
            before = picture[inside].astype(np.float32)
            shift = float(np.median(now - before))
            shift = max(-25.0, min(25.0, shift))
            if float((np.abs(before + shift - now) < CHANGED).mean()) < 0.5:
                break
            since = then
        return since

    def _follow(self, small: Floats, changed: Bytes) -> None:
        """Let the settled picture follow slow changes of light where nothing has changed."""
        assert self._settled is not None
        calm = changed == 0
        self._settled[calm] += 0.05 * (small[calm] - self._settled[calm])

    def _watermark(self, changed: Bytes, t: float) -> float:
        if cv2.countNonZero(changed) < SMALLEST * changed.size:
            self._changed_since = None
            return t
        if self._changed_since is None:
            self._changed_since = t
        assert self._moving_since is not None
        if float(self._moving_since.max()) < t - RESTING:
            return t
        return max(self._changed_since, 0.0) if t - self._changed_since < 30.0 else t - 30.0


def _small(image: Image) -> Floats:
    scale = SIDE / max(image.shape[:2])
    size = (max(8, round(image.shape[1] * scale)), max(8, round(image.shape[0] * scale)))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.float32)


def _matched(small: Floats, other: Floats) -> Floats:
    """The picture at the exposure of another one: the gain that most of its pixels agree on."""
    ratio = (other[::2, ::2] + 8.0) / (small[::2, ::2] + 8.0)
    gain = float(np.median(ratio))
    return np.asarray((small + 8.0) * gain - 8.0, np.float32)


def _cleaned(mask: Array) -> Bytes:
    """Without specks, with the holes in a card's plain parts closed."""
    kernel = np.ones((3, 3), np.uint8)
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    return np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)


def _alike(small: Floats, settled: Floats, mask: Bytes) -> bool:
    """True if a region shows the same as before in another light: its fine structure correlates."""
    inside = cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0
    if inside.sum() < 40:
        return False
    a = (small - cv2.GaussianBlur(small, (0, 0), 4.0))[inside]
    b = (settled - cv2.GaussianBlur(settled, (0, 0), 4.0))[inside]
    strength = float(np.sqrt((a * a).mean() * (b * b).mean()))
    if min(float((a * a).mean()), float((b * b).mean())) < 2.0:
        return max(float((a * a).mean()), float((b * b).mean())) < 4.0
    return float((a * b).mean()) / strength > LIKENESS
