"""Camera pictures of cards on a table, with the true label and place of each card.

A scene keeps what does not change (table top, light, lens, noise), so that an evening of pictures costs
little more than pasting the cards that moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art.draw.raster import Pixels
from companion.art.scene import prints
from companion.art.scene.camera import (
    Matrix,
    Points,
    View,
    apply,
    homography,
    lens_maps,
    project,
    quad_to_quad,
)
from companion.art.scene.layouts import Placed
from companion.art.scene.light import Conditions, developed, gain_map, glare_map, noise_bank
from companion.art.scene.tables import table

SIZES = (44, 66, 88, 120, 160, 220, 300, 400, prints.FULL)
"""Heights in pixels that a print is kept in; the next larger one is warped, so fine patterns stay calm."""
TABLE_PIXELS = 3e6
TABLE_GLOSS = 0.25
"""How much of the glare that burns out a card shows on the table."""


@dataclass(frozen=True)
class Truth:
    """What is really there.

    `corners`: in pixels of the picture, clockwise from the card's own top left. `visible`: the part of its
    face, 0 to 1, that the camera sees: neither covered nor outside the picture.
    """

    label: str
    copy: int
    corners: Points
    visible: float


@dataclass(frozen=True)
class RenderedPicture:
    """A rendered picture (BGR, 0-255) and the truth about its cards that lie face up, lowest first."""

    image: Pixels
    truth: tuple[Truth, ...]


@dataclass(frozen=True)
class _Patch:
    """A warped card: pixels, coverage and shadow (0 to 1) in a window of the picture."""

    left: int
    top: int
    colour: NDArray[np.float32]
    cover: NDArray[np.float32]
    shade: NDArray[np.float32]


class Scene:
    """One table under one lamp and one camera; `render` takes pictures of what lies on it.

    `rng` decides everything that is random; two scenes made from equal generators give equal pictures for
    equal calls in equal order.
    """

    def __init__(
        self, game: prints.Printed, view: View, conditions: Conditions, rng: np.random.Generator
    ) -> None:
        self.game, self.view, self.conditions = game, view, conditions
        self._seed = int(rng.integers(2**31))
        self._matrix = homography(view)
        self._lens = lens_maps(view)
        self._sun = rng.uniform(-1, 1, 2)
        self._table = self._table_top(rng)
        self._gain = gain_map(view.width, view.height, conditions, rng)
        self._glare = glare_map(view.width, view.height, conditions.glare, rng)
        self._bank = noise_bank(view.width, view.height, rng)
        self._rng = rng
        self._patch = lru_cache(maxsize=256)(self._warped)

    @property
    def gain(self) -> NDArray[np.float32]:
        """The light on every pixel, height x width x 3."""
        return self._gain

    def render(self, cards: Sequence[Placed]) -> RenderedPicture:
        """A picture of the cards, painted in order: a later card lies on an earlier one."""
        image = self.develop(self.lit(cards), self._rng)
        return RenderedPicture(image, self.truth(cards))

    def lit(self, cards: Sequence[Placed]) -> Pixels:
        """Table and cards under the lamp, before lens blur, noise and compression."""
        picture: NDArray[Any] = self._table.copy()
        gloss = np.full(picture.shape[:2], TABLE_GLOSS, np.float32)
        for card in cards:
            patch = self._patch(card)
            if patch is not None:
                _paste(picture, gloss, patch)
        if self._lens is not None:
            picture = np.asarray(
                cv2.remap(picture, *self._lens, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            )
        picture = cv2.multiply(picture, self._gain, dtype=cv2.CV_8U)
        if self._glare is not None:
            if self._lens is not None:
                gloss = np.asarray(cv2.remap(gloss, *self._lens, cv2.INTER_LINEAR), np.float32)
            shine = cv2.merge([self._glare * gloss] * 3)
            picture = cv2.add(picture, shine, dtype=cv2.CV_8U)
        return np.asarray(picture, np.uint8)

    def develop(self, lit: Pixels, rng: np.random.Generator) -> Pixels:
        """Lens blur, sensor noise and compression."""
        return developed(lit, self.conditions, self._bank, rng)

    def truth(self, cards: Sequence[Placed], hidden: NDArray[np.uint8] | None = None) -> tuple[Truth, ...]:
        """Corners and visible part of every face-up card; over 127 in `hidden` = under a hand."""
        half = np.zeros((self.view.height // 2, self.view.width // 2), np.uint16)
        quads = [project(self.view, card.corners()) for card in cards]
        for index, quad in enumerate(quads):
            cv2.fillPoly(half, [np.round((quad - 0.5) * 8).astype(np.int32)], index + 1, shift=4)
        if hidden is not None:
            half[cv2.resize(hidden, half.shape[::-1], interpolation=cv2.INTER_NEAREST) > 127] = 0
        counts = np.bincount(half.ravel(), minlength=len(cards) + 1)
        return tuple(
            Truth(card.label, card.copy, quad, _share(counts[index + 1], quad))
            for index, (card, quad) in enumerate(zip(cards, quads, strict=True))
            if card.shown
        )

    def card_print(self, card: Placed, height: int) -> Pixels:
        """The card's own print, in the next kept size of at least `height` pixels."""
        size = next((size for size in SIZES if size >= height), SIZES[-1])
        return _print(self.game, card.label, card.shown, card.copy, self.conditions.worn, self._seed, size)

    def _warped(self, card: Placed) -> _Patch | None:
        quad = apply(self._matrix, card.corners())
        return self.patch(card, quad)

    def patch(self, card: Placed, quad: Points, lift: float = 0.0) -> _Patch | None:
        """The card drawn into the four corners of `quad`; `lift` (0 to 1) moves its shadow away."""
        pad = round(4 + 30 * lift)
        width, height = self.view.width, self.view.height
        left, top = np.maximum(np.floor(quad.min(0)).astype(int) - pad, 0)
        right, bottom = np.minimum(np.ceil(quad.max(0)).astype(int) + pad, (width, height))
        if right <= left or bottom <= top:
            return None
        sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
        texture = self.card_print(card, int(max(sides[1], sides[3])))
        size = (int(right - left), int(bottom - top))
        tall, wide = texture.shape[:2]
        face = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], float) - 0.5
        matrix = quad_to_quad(face, quad - (left, top) - 0.5)
        colour = cv2.warpPerspective(
            texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        cover = cv2.warpPerspective(prints.mask(self.game, tall), matrix, size, flags=cv2.INTER_LINEAR)
        scale = float(sides[1]) / card.size[1]
        reach = self._sun * scale * (0.9 + 14 * lift)
        slide = np.array([[1, 0, reach[0]], [0, 1, reach[1]]], np.float32)
        shade = cv2.GaussianBlur(cv2.warpAffine(cover, slide, size), (0, 0), 0.5 + scale * (0.5 + 5 * lift))
        return _Patch(
            int(left),
            int(top),
            colour.astype(np.float32),
            np.asarray(cover / 255, np.float32)[..., None],
            np.asarray(shade / 255, np.float32)[..., None],
        )

    def _table_top(self, rng: np.random.Generator) -> Pixels:
        view = self.view
        frame = np.array([[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]], float)
        seen = apply(np.asarray(np.linalg.inv(self._matrix), float), frame)
        low, high = seen.min(0) - 20, seen.max(0) + 20
        size = np.minimum(high - low, 6000)
        density = min(1.2 * view.scale, float(np.sqrt(TABLE_PIXELS / size.prod())))
        width, height = (int(value) for value in np.ceil(size * density))
        top = table(self.conditions.table, width, height, density, rng)
        to_mm = np.array([[1 / density, 0, low[0]], [0, 1 / density, low[1]], [0, 0, 1]])
        whole: Matrix = self._matrix @ to_mm
        warped = cv2.warpPerspective(
            top, whole, (view.width, view.height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        return np.asarray(warped, np.uint8)


def blend(picture: NDArray[Any], patch: _Patch, light: float | NDArray[np.float32] = 1.0) -> None:
    """Shadow and card into the window of the picture, in place."""
    height, width = patch.cover.shape[:2]
    window = picture[patch.top : patch.top + height, patch.left : patch.left + width]
    ground = window * (1 - 0.38 * patch.shade)
    window[:] = np.clip(ground + (patch.colour * light - ground) * patch.cover, 0, 255).astype(np.uint8)


def _paste(picture: NDArray[Any], gloss: NDArray[np.float32], patch: _Patch) -> None:
    blend(picture, patch)
    height, width = patch.cover.shape[:2]
    window = gloss[patch.top : patch.top + height, patch.left : patch.left + width]
    np.maximum(window, patch.cover[..., 0], out=window)


def _share(pixels: int, quad: Points) -> float:
    area = cv2.contourArea(quad.astype(np.float32)) / 4
    return min(1.0, float(pixels) / area) if area > 0 else 0.0


@lru_cache(maxsize=256)
def _print(
    game: prints.Printed, label: str, shown: bool, copy: int, worn: float, seed: int, height: int
) -> Pixels:
    picture = prints.printed(game, label, shown, copy, worn, seed)
    if height == picture.shape[0]:
        return picture
    width = round(picture.shape[1] * height / picture.shape[0])
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
