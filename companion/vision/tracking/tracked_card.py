"""A card on the table: where it lies, and how it looked when it lay free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.observations import Sighting
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.tracking.limits import distances, shares, sizes


@dataclass(frozen=True, eq=False)
class LitImage:
    """A picture of the camera, and its light against that of the first one, for blue, green and red."""

    image: Image
    gain: Floats


def corners_of(sighting: Sighting) -> Floats:
    """The corners of a sighting as an array."""
    return np.array(sighting.corners, np.float32)


def turned(sighting: Sighting) -> Sighting:
    """The sighting of a card as if the card had been read the other way up."""
    a, b, c, d = sighting.corners
    return Sighting(sighting.label, sighting.confidence, (c, d, a, b))


def card_height(quad: Floats) -> float:
    """Mean length of the long sides."""
    return float(geometry.sides(quad)[[1, 3]].mean())


def corner_distance(one: Floats, other: Floats) -> float:
    """Mean distance of equal corners, in heights of a card."""
    return float(np.linalg.norm(one - other, axis=1).mean()) / max(card_height(other), 1.0)


def quad_mask(
    quads: Iterable[Floats], shape: tuple[int, ...], scale: float = 1.0, grow: float = 0.0
) -> Array:
    """True inside any of the quads, on a raster of this shape of `scale` times the picture's size; each is
    grown by `grow` of its size first."""
    drawn = np.zeros(shape[:2], np.uint8)
    for quad in quads:
        grown = geometry.to_resized(geometry.grown(quad, 1.0 + grow), scale)
        cv2.fillConvexPoly(drawn, np.round(grown * 16).astype(np.int32), 1, shift=4)
    return drawn > 0


def share_in(part: Array, whole: Array) -> float:
    """How much of the mask `whole` lies in `part`."""
    total = int(np.count_nonzero(whole))
    return float(np.count_nonzero(part & whole)) / total if total else 0.0


def push_between(before: Floats, after: Floats) -> Floats:
    """The turn and shift (2 x 3) that takes a card's corners from one place to another."""
    turn, _ = cv2.estimateAffinePartial2D(before, after)
    return np.asarray(turn, np.float32)


def _patch_bounds(quad: Floats) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the picture that is kept of a card."""
    left, top = (max(0, int(v)) for v in np.floor(quad.min(axis=0)))
    right, bottom = (int(v) for v in np.ceil(quad.max(axis=0)))
    return left, top, right, bottom


def covered_share(quad: Floats, others: Sequence[Floats]) -> float:
    """Share of the quad under the others, counted on a raster of 50 x 50 that the quad fills."""
    low, scale = quad.min(axis=0), 48.0 / max(float(np.ptp(quad, axis=0).max()), 1.0)
    own, over = (quad_mask(((one - low) * scale for one in some), (50, 50)) for some in ([quad], others))
    return share_in(over, own)


@dataclass(eq=False)
class TrackedCard:
    """A card on the table. `patch` is the camera's picture of it when it lay free, `origin` the top left
    corner of the patch in that picture, and `gain` the light of that picture (see LitImage).

    `held`: seen while a hand was still on it; its pose is not certain.
    """

    sighting: Sighting
    patch: Image
    origin: tuple[int, int]
    gain: Floats
    held: bool = False

    @staticmethod
    def of(sighting: Sighting, picture: LitImage, held: bool = False) -> TrackedCard:
        """The card of a sighting in a picture, perhaps with a hand still on it."""
        left, top, right, bottom = _patch_bounds(corners_of(sighting))
        patch = picture.image[top:bottom, left:right].copy()
        return TrackedCard(sighting, patch, (left, top), picture.gain.copy(), held)

    @property
    def quad(self) -> Floats:
        """Its corners."""
        return corners_of(self.sighting)

    def renew(self, sighting: Sighting, picture: LitImage) -> None:
        """The card lies free as the sighting shows it: its place and picture are taken anew."""
        new = TrackedCard.of(sighting, picture)
        self.sighting, self.patch, self.origin = new.sighting, new.patch, new.origin
        self.gain, self.held = new.gain, False

    def moved(self, motion: Floats) -> TrackedCard:
        """The card and its picture after a motion (2 x 3, in pixels of the camera)."""
        corners = geometry.corner_points(geometry.transform(self.quad, motion))
        sighting = Sighting(self.sighting.label, self.sighting.confidence, corners)
        left, top, right, bottom = _patch_bounds(corners_of(sighting))
        inside = motion.copy()
        inside[:, 2] += motion[:, :2] @ np.array(self.origin, np.float32) - (left, top)
        size = (right - left, bottom - top)
        patch = cv2.warpAffine(self.patch, inside, size, borderMode=cv2.BORDER_REPLICATE)
        return replace(self, sighting=sighting, patch=np.asarray(patch, np.uint8), origin=(left, top))

    # --- compared with a picture --------------------------------------------------------------------------

    def fits_better_where_it_was(self, quad: Floats, picture: LitImage) -> bool:
        """Whether the picture shows the card where it lay rather than at `quad`, where a sighting puts it.

        The corners of a sighting are off by some pixels in bad light; a card that has not moved still has the
        same pixels."""
        here, there = (
            card._differences(card._left_free(()), picture)
            for card in (self, self.moved(push_between(self.quad, quad)))
        )
        return there is None or (here is not None and bool(here.mean() <= there.mean()))

    def is_unchanged(self, over: Sequence[Floats], picture: LitImage) -> bool | None:
        """Whether the part of the card that the quads `over` it leave free looks as it did when the card lay
        free; None if they leave too little."""
        off = self._differences(self._left_free(over), picture)
        if off is None:
            return None
        # A card that lies above casts a soft shadow: compared is the median, not every pixel. But a white
        # border that looks like the table must not outweigh the print that has gone.
        if self.held:
            return bool(np.mean(off < sizes().same_levels) > shares().telling)
        return bool(
            np.median(off) < sizes().same_levels and np.mean(off > 2 * sizes().same_levels) < shares().telling
        )

    def lies_under(self, quad: Floats, other: Floats, picture: LitImage) -> bool:
        """Whether another card hides the card, which is seen at `quad`: where both lie it looks otherwise. A
        card that was first seen under a hand tells nothing."""
        here = self.moved(push_between(self.quad, quad))
        off = here._differences(here._left_free(()) & ~here._left_free([other]), picture)
        return off is not None and not self.held and bool(np.median(off) >= sizes().same_levels)

    def nudged(self, over: Sequence[Floats], picture: LitImage) -> TrackedCard | None:
        """The card at the place near its own where the part that the quads `over` it leave free looks most as
        it did. None if it looks otherwise even there, or if they leave too little.

        A bump of the camera, or a hand, moves a pile that is mostly covered by little (`nudge`). A card of
        which more is seen is also found if a hand pushed it farther before the next one was laid on it.
        """
        free = self._left_free(over)
        if free.sum() < sizes().fewest:
            return None
        reach = (
            distances().nudge
            if free.sum() < shares().least_seen * self._left_free(()).sum()
            else distances().inexact
        )
        pixels = max(1, round(reach * card_height(self.quad)))
        near = self._shown_in(picture.image, pixels)
        if near is None:
            return None
        lit = np.asarray(near * (self.gain / picture.gain), np.float32)
        mask = np.repeat(free[..., None], 3, axis=2).astype(np.float32)
        off = cv2.matchTemplate(lit, self.patch.astype(np.float32), cv2.TM_SQDIFF, mask=mask)
        down, right = np.unravel_index(int(off.argmin()), off.shape)
        moved = self.moved(np.array([[1, 0, int(right) - pixels], [0, 1, int(down) - pixels]], np.float32))
        return moved if moved.is_unchanged(over, picture) else None

    def _differences(self, where: Array, picture: LitImage) -> Floats | None:
        """By how many levels the picture differs from the card's patch, in the same light, at each pixel
        `where`; None if these are too few, or not all in the picture."""
        now = self._shown_in(picture.image)
        if now is None or where.sum() < sizes().fewest:
            return None
        # smoothed: a patch that was moved has less noise than one that was not
        seen, was = (cv2.blur(one, (3, 3))[where] for one in (now, self.patch))
        return np.asarray(np.abs(seen / picture.gain - was / self.gain).max(axis=1))

    def _shown_in(self, image: Image, margin: int = 0) -> Image | None:
        """What a picture shows at the card's patch and `margin` pixels round it; None outside the picture."""
        left, top = (at - margin for at in self.origin)
        rows, columns = (size + 2 * margin for size in self.patch.shape[:2])
        now = image[max(0, top) : top + rows, max(0, left) : left + columns]
        return now if now.shape[:2] == (rows, columns) else None

    def _left_free(self, over: Sequence[Floats]) -> Array:
        """The pixels of the card's patch that show the card and that the quads `over` it leave free."""
        grow = 2 * sizes().edge / max(card_height(self.quad), 1.0)
        rest = quad_mask([self.quad - self.origin], self.patch.shape, grow=-grow)
        rest &= ~quad_mask((quad - self.origin for quad in over), self.patch.shape, grow=grow)
        return rest
