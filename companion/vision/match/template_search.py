"""Finds where a card may be in a webcam's soft picture if neither outlines nor features show it: tries all
places.

A soft card held by fingers has no closed outline and hardly a feature. But it is large, so a picture in which
it is eight pixels wide still shows its colours and masses of light and dark. In that picture, turned and
shrunk step by step, every window is compared with all looks of the deck at once (normalised correlation;
Lewis, "Fast normalized cross-correlation", 1995), in the space that the looks span (principal components;
Turk and Pentland, "Eigenfaces for recognition", 1991). Which card it is, others decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Bytes, Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.descriptor import colours_of, light_of
from companion.vision.match.suppression import same_place

WIDTH, HEIGHT = 8, 12
"""Pixels of a card in the picture that is searched."""
OVERSAMPLING = 2
"""Times finer that the light is normalised, before the picture is turned."""
COMPONENTS = 40
"""Dimensions in which looks are compared."""
LEAST_SHARE, MOST_SHARE, WIDTH_STEP = 0.13, 0.44, 1.22
"""Widths of cards searched for, as shares of the picture's longer side, and from one to the next."""
TURNS = 12
"""Turns tried in half a circle."""
NORM_OFFSET = 0.7
"""What is added to the length of a window's vector: plain windows correlate with nothing."""
LEAST_CORRELATION = 0.25
"""Correlation from which on a window is a place; cards whose half is seen reach 0.3, whole ones 0.45."""
SAME_PLACE = 0.2
"""Card widths up to which two places are the same."""


@dataclass(frozen=True)
class TemplateHit:
    """Where a card may be: the correlation (-1 to 1), the look that reaches it and the quad of its card."""

    fit: float
    look: int
    quad: Floats


class TemplateSearch:
    """The looks of one deck, ready to be searched for everywhere in a picture."""

    def __init__(self, looks: Bytes) -> None:
        """`looks` are descriptors (n, VALUES)."""
        size = (WIDTH, HEIGHT)
        small = np.stack(
            [
                [cv2.resize(plane, size, interpolation=cv2.INTER_AREA) for plane in _look_planes(look)]
                for look in looks
            ]
        )
        vectors = np.concatenate([small, small[..., ::-1, ::-1]])
        vectors = vectors - vectors.mean(axis=(2, 3), keepdims=True)
        flat = vectors.reshape(len(vectors), -1)
        flat = flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6)
        _, _, axes = np.linalg.svd(flat, full_matrices=False)
        self._axes = np.ascontiguousarray(axes[:COMPONENTS].T)
        self._looks = np.ascontiguousarray(self._axes.T @ flat.T)
        self._count = len(looks)

    def find(self, image: Image, most: int) -> list[TemplateHit]:
        """The places in the picture that look most like a card, whichever it is; best first."""
        longest = max(image.shape[:2])
        found: list[TemplateHit] = []
        width = LEAST_SHARE * longest
        while width < MOST_SHARE * longest:
            planes = _picture_planes(image, width)
            for turn in range(TURNS):
                found.extend(self._turned(planes, math.pi * turn / TURNS, width / WIDTH, image.shape))
            width *= WIDTH_STEP
        kept: list[TemplateHit] = []
        for place in sorted(found, key=lambda place: -place.fit):
            if not any(same_place(place.quad, other.quad, SAME_PLACE) for other in kept):
                kept.append(place)
                if len(kept) == most:
                    break
        return kept

    def _turned(
        self, planes: Floats, angle: float, scale: float, shape: tuple[int, ...]
    ) -> list[TemplateHit]:
        """The places at which cards of one width lie turned by that angle; `scale` is that of the picture
        (shape) against the one that is searched."""
        cos, sin = math.cos(angle), math.sin(angle)
        turn = np.array([[cos, -sin], [sin, cos]])
        centre = np.array([shape[1], shape[0]]) / 2 / scale
        room = np.abs(turn.T) @ (2 * centre) + WIDTH
        across, down = math.ceil(room[0]), math.ceil(room[1])
        half = np.array([across, down]) / 2
        matrix = np.hstack(
            [turn * OVERSAMPLING, (OVERSAMPLING * (centre - turn @ (half - 0.5)) - 0.5)[:, None]]
        )
        canvas = cv2.warpAffine(planes, matrix, (across, down), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        windows = np.lib.stride_tricks.sliding_window_view(canvas, (HEIGHT, WIDTH), axis=(0, 1))
        rows, columns = windows.shape[:2]
        y, x = np.divmod(np.arange(rows * columns), columns)
        centres = np.stack([x + WIDTH / 2, y + HEIGHT / 2], axis=1) - half
        inside = np.flatnonzero((np.abs(centres @ turn.T) < centre).all(axis=1))
        if not len(inside):
            return []
        chosen = windows[y[inside], x[inside]].reshape(len(inside), 3, -1)
        flat = chosen.reshape(len(inside), -1)
        length = np.sqrt(
            np.maximum(
                (flat * flat).sum(axis=1) - chosen.shape[2] * (chosen.mean(axis=2) ** 2).sum(axis=1), 0.0
            )
        )
        fits = (flat @ self._axes @ self._looks) / (length + NORM_OFFSET)[:, None]
        best = fits.argmax(axis=1)
        grid = np.full(rows * columns, -1.0, np.float32)
        grid[inside] = fits[np.arange(len(inside)), best]
        field = grid.reshape(rows, columns)
        peaks = np.flatnonzero(
            ((field == cv2.dilate(field, np.ones((3, 3)))) & (field > LEAST_CORRELATION)).ravel()
        )
        which = np.searchsorted(inside, peaks)
        found = []
        for at, entry in zip(peaks, best[which], strict=True):
            corners = geometry.UNIT * (WIDTH, HEIGHT) + (at % columns, at // columns) - half
            quad = np.asarray((corners @ turn.T + centre) * scale - 0.5, np.float32)
            over = entry >= self._count
            look = int(entry) % self._count
            found.append(
                TemplateHit(float(grid[at]), look, geometry.rotated_half_turn(quad) if over else quad)
            )
        return found


def _look_planes(look: Bytes) -> tuple[Floats, Floats, Floats]:
    """The light and both colour ratios that a descriptor holds."""
    colour = colours_of(look)
    one, two = (np.ascontiguousarray(colour[..., i]) for i in (0, 1))
    return light_of(look), one, two


def _picture_planes(image: Image, width: float) -> Floats:
    """Normalised light and both colour ratios (h, w, 3) of a picture shrunk so that a card of that width is
    OVERSAMPLING times WIDTH pixels wide."""
    scale = OVERSAMPLING * WIDTH / width
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    balanced = small * descriptor.white_balance(small)
    grey = np.asarray(balanced @ descriptor.GREY_WEIGHTS, np.float32)
    radius = descriptor.NORMALISING_RADIUS * OVERSAMPLING * WIDTH / descriptor.WIDTH
    mean = cv2.GaussianBlur(grey, (0, 0), radius)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur(grey * grey, (0, 0), radius) - mean * mean, 0.0))
    light = (grey - mean) / (spread + descriptor.SPREAD_FLOOR) * 0.5
    scaled = 1.8 / (balanced.sum(axis=-1) + 60.0)
    red, blue = ((balanced[..., i] - balanced[..., 1]) * scaled for i in (2, 0))
    return np.asarray(np.clip(np.stack([light, red, blue], axis=-1), -1.0, 1.0), np.float32)
