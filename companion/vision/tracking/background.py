"""What differs from the table as it last lay at rest: a small picture, cells, blobs.

Pictures are shrunk to 640 pixels, brought to the light and the place of the background and compared with it
and with the picture before, in cells of 4 x 4 pixels. Neighbouring cells that differ are a blob: a card that
came, a hand, the bare table where a card was. A blob that reaches the picture's edge counts as an arm and
never becomes background, however long it rests, unless it is the ghost of an arm that has gone:
then its outline stands out in the background and not in the picture (Cucchiara et al., "Detecting moving
objects, ghosts, and shadows in video streams", 2003). A lamp or the camera's exposure multiplies the whole
picture, and is taken out (companion.vision.image.exposure); a bump of the camera moves it, and a lens that
searches its focus enlarges and blurs it (companion.vision.tracking.alignment).
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image import masks
from companion.vision.image.exposure import CLIPPED, LightEstimate
from companion.vision.image.limits import camera_limits
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.tracking.alignment import Aligned, Alignment
from companion.vision.tracking.camera_view import AT_REST, warped
from companion.vision.tracking.change import (
    CELL,
    Blob,
    Change,
    cells_of,
    grey,
    reaches_edge,
)
from companion.vision.tracking.limits import seconds, shares, sizes

WIDTH = 640
"""Pixels of the small picture's longer side."""


class Background:
    """The table as it last lay at rest, and what differs from it."""

    def __init__(self) -> None:
        self._ground: Floats
        self._size: tuple[int, ...] = ()
        self._flat: Bytes
        self._before: Bytes
        self._picture: Bytes
        self._light = LightEstimate()
        self._base = np.ones(3, np.float32)
        self._moved: Floats
        self._since: Floats
        self._adapted = 0.0
        self._alignment = Alignment(self.compare)
        self._aligned: Aligned
        self._latest = -np.inf
        self.scale = 1.0
        """Pixels of the small picture for a pixel of the camera's."""

    @property
    def gain(self) -> Floats:
        """Light of the latest picture against that of the first one, for blue, green and red."""
        return np.asarray(self._base * self._light.gain, np.float32)

    @property
    def light(self) -> float:
        """Brightness of the background against the first picture's."""
        return float(cv2.cvtColor(self._base[None, None], cv2.COLOR_BGR2GRAY)[0, 0])

    # --- one picture --------------------------------------------------------------------------------------

    def feed(self, image: Image, t: float) -> Change:
        """Compares the picture taken at `t` with the background. The first picture becomes the background,
        and so does one of another size, or one from before the latest."""
        picture = self._shrunk(image)
        before, self._latest = self._latest, t
        if t < before or self._size != image.shape:
            self._size = image.shape
            return self._restarted(picture, t)
        self._picture = picture
        self._light.measure(picture, self._flat, t)
        lit = self._relit(picture)
        seen = self._aligned = Aligned(lit, *self.compare(lit, self._flat))
        if seen.changed.any():
            seen = self._aligned = self._alignment.align(self._flat, seen, self._light.threshold)
        else:
            self._alignment.forget()
        change, moving = self._changed(seen, t)
        if change.motion is not None:
            self._follow(change.motion, change)
        if any(b.edge and b.cells.mean() > shares().cut and b.still > seconds().still for b in change.blobs):
            return self._restarted(picture, t)
        self._adapt(change, seen.changed | moving)
        return change

    def _changed(self, seen: Aligned, t: float) -> tuple[Change, Array]:
        """The blobs of what is seen, and the cells that move."""
        _, moving = self.compare(seen.picture, self._before)
        self._before = seen.picture
        moving = masks.grown(moving)
        self._moved[moving] = t
        self._since[~seen.changed] = np.inf
        self._since[seen.changed & np.isinf(self._since)] = t
        steady = self._alignment.steady(self._flat, seen, t)
        blobs = self._blobs(seen.changed, t)
        moves = seen.view != AT_REST or bool(seen.changed.mean() > shares().cut)
        return Change(t, seen.picture, seen.differs, blobs, steady, camera_moves=moves), moving

    def is_late(self, t: float) -> bool:
        """Whether the picture of `t` is passed over: a later one came, and time has not jumped back."""
        return self._latest - seconds().hold < t <= self._latest

    def moved_at(self, cells: Array) -> float:
        """When something moved last in some of the cells (the whole grid, bool)."""
        return float(self._moved[cells].max(initial=-np.inf))

    def _shrunk(self, image: Image) -> Bytes:
        self.scale = min(1.0, WIDTH / max(image.shape[:2]))
        size = (round(image.shape[1] * self.scale), round(image.shape[0] * self.scale))
        while max(image.shape[:2]) >= 2 * WIDTH:  # exactly by half is by far the fastest
            wide, tall = image.shape[1] // 2, image.shape[0] // 2
            even = image[: 2 * tall, : 2 * wide]
            image = np.asarray(cv2.resize(even, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
        small = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)

    def _restarted(self, picture: Bytes, t: float) -> Change:
        """The picture becomes the background."""
        rows, columns = -(-picture.shape[0] // CELL), -(-picture.shape[1] // CELL)
        self._ground = picture.astype(np.float32)
        self._flat = picture
        self._before = picture
        self._light = LightEstimate(noise=self._light.noise)
        self._moved = np.full((rows, columns), t)
        self._since = np.full((rows, columns), np.inf)
        self._adapted = t
        self._alignment.forget()
        return Change(t, picture, np.zeros(picture.shape[:2], bool), (), cut=True)

    def _relit(self, picture: Bytes) -> Bytes:
        """The picture in the background's light; what is burnt out, in either, may have been brighter."""
        if np.abs(self._light.gain - 1.0).max() < camera_limits().light.negligible:
            return picture
        levels = np.arange(256, dtype=np.float32)[:, None] / self._light.gain
        table = np.clip(np.rint(levels), 0, 255).astype(np.uint8).reshape(1, 256, 3)
        lit = np.asarray(cv2.LUT(picture, table), np.uint8)
        bounds = ((picture >= CLIPPED, np.maximum), (self._burnt(), np.minimum))
        for burnt, bound in bounds:
            if burnt.any():
                lit = np.where(burnt, bound(lit, self._flat), lit)
        return lit

    def _burnt(self) -> Array:
        """Where the background may have been brighter than its level says: where it is burnt out, and two
        pixels round that, because pictures are shrunk and smoothed after they were burnt out."""
        return masks.grown(self._flat >= CLIPPED, 2)

    def compare(self, one: Bytes, other: Bytes) -> tuple[Array, Array]:
        """Pixels and cells that differ between two small pictures in the same light."""
        _, over = cv2.threshold(cv2.absdiff(one, other), self._light.threshold, 255, cv2.THRESH_BINARY)
        if cv2.countNonZero(over.reshape(len(over), -1)) < sizes().fewest_cells:
            return np.zeros(over.shape[:2], bool), np.zeros(self._since.shape, bool)
        blue, green, red = cv2.split(over)
        differs = cv2.bitwise_or(cv2.bitwise_or(blue, green), red) > 0
        return differs, cells_of(differs, self._since.shape)

    # --- blobs --------------------------------------------------------------------------------------------

    def _blobs(self, changed: Array, t: float) -> tuple[Blob, ...]:
        joined = masks.grown(changed).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
        found = []
        for index in range(1, count):
            left, top, wide, tall, _ = (int(v) for v in stats[index])
            box = (slice(top, top + tall), slice(left, left + wide))
            mine = (labels[box] == index) & changed[box]
            if mine.sum() < sizes().fewest_cells:
                continue
            cells = np.zeros(changed.shape, bool)
            cells[box] = mine
            still = t - float(self._moved[box][labels[box] == index].max())
            since = float(self._since[box][mine].min())
            found.append(Blob(cells, box, reaches_edge(cells), still, since))
        return tuple(found)

    def is_ghost(self, blob: Blob, change: Change) -> bool:
        """Whether the blob stands out against what is round it in the background, and less in the picture.

        Compared are mean colours on both sides of the outline, cell by cell. They are means over more than
        the checks of a cloth, whose lines would drown a hand's outline.
        """
        inside = masks.without_gaps(blob.cells)
        outline = masks.grown(inside) & masks.grown(~inside)
        outline[:2], outline[-2:], outline[:, :2], outline[:, -2:] = False, False, False, False
        if not outline.any():
            return False
        now, was = (_contrast(one, inside)[outline] for one in (change.picture, self._flat))
        # Every cell has one vote: what is very bright or dark must not outweigh the rest of the outline.
        return bool(np.count_nonzero(now > was) <= np.count_nonzero(was > now))

    def is_soft(self, blob: Blob, change: Change) -> bool:
        """Whether only light differs, a shadow or a reflection without any sharp line, so no card: hardly any
        cell differs once the brightness round each pixel is made equal."""
        rows, columns = (slice(part.start * CELL, part.stop * CELL) for part in blob.box)
        now, was = (one[rows, columns].astype(np.float32) for one in (change.picture, self._flat))
        around = (sizes().shadow, sizes().shadow)
        share = (cv2.blur(now, around) + 4.0) / (cv2.blur(was, around) + 4.0)
        off = np.abs(now - was * share).max(axis=2) > self._light.threshold
        mine = blob.cells[blob.box]
        return bool(np.count_nonzero(mine & cells_of(off, mine.shape)) < sizes().fewest_cells)

    # --- the background -----------------------------------------------------------------------------------

    def absorb(self, cells: Array, change: Change) -> None:
        """What the picture shows in these cells is the table at rest from now on."""
        grown = masks.grown(cells)
        self._since[grown] = np.inf
        here = masks.resized(grown, change.differs.shape)
        self._ground[here] = change.picture[here]
        self._flat = self._flat.copy()
        self._flat[here] = change.picture[here]

    @property
    def grey(self) -> Bytes:
        """The background without its colours."""
        return grey(self._flat)

    def _adapt(self, change: Change, busy: Array) -> None:
        """Follows slow changes where nothing happens, and a lamp once it has stayed for a while."""
        if change.t - self._adapted < seconds().still:
            return
        self._adapted = change.t
        if self._light.has_changed and change.t - self._light.since > seconds().still:
            self._rebase()
        elif self._aligned.view == AT_REST:
            calm = ~masks.resized(masks.grown(busy, 2), change.differs.shape)
            cv2.accumulateWeighted(change.picture, self._ground, 0.12, calm.astype(np.uint8))
        self._flat = np.asarray(cv2.convertScaleAbs(self._ground), np.uint8)

    def _rebase(self) -> None:
        """The light has changed for good: background and latest picture are taken to the new one.

        What was burnt out in the background may have been brighter than its level says. There the latest
        picture, where it is brighter, is the background from now on: otherwise the print on a card that was
        burnt out would look like a change as soon as the light goes down."""
        burnt = self._burnt()
        ground = np.clip(self._ground * self._light.gain, 0, 255)
        before = np.clip(self._before * self._light.gain, 0, 255).astype(np.uint8)
        if self._aligned.view == AT_REST:
            ground[burnt] = np.maximum(ground, self._picture)[burnt]
            before[burnt] = np.maximum(before, self._picture)[burnt]
        self._ground, self._before = np.asarray(ground, np.float32), before
        self._base = self.gain
        self._light.rebase()

    def _follow(self, motion: Floats, change: Change) -> None:
        """Moves the background along with the camera, and makes it as sharp as the picture."""
        soft, _ = self._aligned.view.compared(self._ground, self._ground)
        ground = warped(soft, motion)
        other = masks.resized(masks.grown(change.cells(change.blobs)), ground.shape).astype(np.uint8)
        table = warped(other, motion, cv2.INTER_NEAREST) == 0
        ground[table] = self._relit(self._picture)[table]
        self._ground = ground
        self._flat = np.asarray(np.clip(np.rint(ground), 0, 255), np.uint8)
        self._alignment.forget()


def _contrast(picture: Bytes, inside: Array) -> Floats:
    """How much colours differ, near each cell (rows, columns), between the cells `inside` and the others."""
    cells = cv2.resize(picture, inside.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    means = []
    for part in (inside.astype(np.float32), (~inside).astype(np.float32)):
        share = cv2.blur(part, (sizes().beside, sizes().beside))[..., None]
        means.append(cv2.blur(cells * part[..., None], (sizes().beside, sizes().beside)) / (share + 1e-6))
    return np.asarray(np.abs(means[0] - means[1]).max(axis=2), np.float32)
