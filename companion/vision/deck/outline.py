"""Where the card lies in a picture of one card: the whole picture is a crop of it, or it lies on a table.

Which of both is decided for a folder as a whole: a frame printed on a card looks like a card on a plain
ground, and the card finder takes it for one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.vision.finder.outlines import separate_cards
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image, shrunk
from companion.vision.image.quads import edge_support, find_quads

SEEN_SIDE = 400
"""Longer side, in pixels, at which a picture is searched for a card on any ground."""
FILLED = (0.12, 0.55)
"""Share of the picture that such a card fills: 48 of 54 photographs that people took of one card on a table
have one, and at most one in five crops of each of 15 decks. Frames printed on crops fill more, signs less."""
ON_TABLE, SAMPLE = 0.7, 10
"""Share of pictures that show a card on a table, of about so many of a folder, from which all show one."""
SAME_ASPECT, SAME_SHAPE = 0.12, 0.1
"""Difference (a share) of the height / width of a card on a table, and of a crop, from that of the deck."""


def card_outline(image: Image, aspect: float, name: str) -> Floats:
    """Where the one card of a picture lies, if the shape of the deck's cards is known.

    Raises:
        Unreadable: it is neither a crop of a card nor a card on a table.
    """
    outline = _of_known_shape(image, _on_table(image), aspect)
    if outline is None:
        raise Unreadable("deck.no_card_shape", name=name)
    return outline


def card_outlines(images: Sequence[Image], names: Sequence[str]) -> list[Floats]:
    """Where the card lies in each picture of a folder: the whole picture (crops), or its outline on a table.

    Raises:
        Unreadable: most pictures show a card on a table, and some neither that nor a crop of it. All are
            named.
    """
    sample = range(0, len(images), max(1, len(images) // SAMPLE))
    found: dict[int, Floats | None] = {}
    for index in sample:
        found[index] = _on_table(images[index])
        crops = sum(quad is None for quad in found.values())
        if len(sample) - crops < ON_TABLE * len(sample):  # whatever the others show
            return [whole_quad(image) for image in images]
    quads = [found[i] if i in found else _on_table(image) for i, image in enumerate(images)]
    photographs = [(image.shape, quad) for image, quad in zip(images, quads, strict=True) if quad is not None]
    aspect = float(np.median([geometry.aspect_of(quad) for _, quad in photographs]))
    sizes = {shape for shape, _ in photographs}
    outlines = [
        _of_known_shape(image, quad, aspect, sizes) for image, quad in zip(images, quads, strict=True)
    ]
    without = [name for name, outline in zip(names, outlines, strict=True) if outline is None]
    if without:
        raise Unreadable("deck.no_card_found", files=tuple(without))
    return [outline for outline in outlines if outline is not None]


def _of_known_shape(
    image: Image, on_table: Floats | None, aspect: float, photographs: Collection[tuple[int, ...]] = ()
) -> Floats | None:
    """The outline on the table, or the whole picture, if it has the shape of the deck's cards. A picture as
    large as the photographs of tables is no crop."""
    if on_table is not None and abs(geometry.aspect_of(on_table) / aspect - 1.0) < SAME_ASPECT:
        return on_table
    is_crop = abs(image.shape[0] / image.shape[1] / aspect - 1.0) < SAME_SHAPE
    return whole_quad(image) if is_crop and image.shape not in photographs else None


def whole_quad(image: Image) -> Floats:
    """The corners of the whole picture."""
    height, width = image.shape[:2]
    return geometry.whole(width, height)


def _on_table(image: Image) -> Floats | None:
    """The outline of the one card that lies on a ground."""
    quad = _on_any_ground(image)
    quad = _on_plain_ground(image) if quad is None else quad
    return None if quad is None else _top_up(quad)


def _on_any_ground(image: Image) -> Floats | None:
    """The only outline of a whole card that the card finder sees, if it fills as much as one on a table."""
    small, scale = shrunk(image, SEEN_SIDE)
    found = [one.quad for one in separate_cards(small) if one.problem is None]
    if len(found) != 1:
        return None
    filled = geometry.area(found[0]) / (small.shape[0] * small.shape[1])
    return geometry.to_original(found[0], scale) if FILLED[0] < filled < FILLED[1] else None


def _on_plain_ground(image: Image) -> Floats | None:
    """The largest outline wholly inside the picture, if it is a drawn-through edge, everything round it is of
    one colour and it is not merely the frame printed on a card."""
    height, width = image.shape[:2]
    rim = 0.015 * min(height, width)
    inside = [
        quad
        for quad in find_quads(image)
        if quad.min() > rim
        and quad[:, 0].max() < width - 1 - rim
        and quad[:, 1].max() < height - 1 - rim
        and 0.05 <= geometry.area(quad) / (height * width) <= 0.9
    ]
    for quad in sorted(inside, key=geometry.area, reverse=True)[:4]:
        if _is_frame(quad, width, height) or not _plain_outside(image, quad):
            continue
        if edge_support(image, quad) > 0.85:
            return quad
    return None


def _is_frame(quad: Floats, width: int, height: int) -> bool:
    """True for an outline parallel and close to all four borders of a picture shaped like a card."""
    shape = height / width
    if not 1.2 <= shape <= 1.9:
        return False
    low, high = quad.min(axis=0), quad.max(axis=0)
    tilt = np.abs(np.sort(quad[:, 0])[1] - low[0]) + np.abs(np.sort(quad[:, 1])[1] - low[1])
    margins = np.array([low[0], low[1], width - 1 - high[0], height - 1 - high[1]]) / width
    return bool(tilt < 0.03 * width and margins.max() < 0.14)


def _plain_outside(image: Image, quad: Floats) -> bool:
    """True if the ground round the outline, a narrow rim excepted, is of one colour."""
    outside = np.full(image.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(outside, np.round(geometry.grown(quad, 1.06)).astype(np.int32), 0)
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 2.0), cv2.COLOR_BGR2LAB)
    ground = lab[outside > 0].astype(np.float32)
    if len(ground) < 0.03 * outside.size:
        return False
    away = np.abs(ground - np.median(ground, axis=0))
    return bool(np.percentile(away[:, 0], 97) < 40 and np.percentile(away[:, 1:], 97) < 16)


def _top_up(quad: Floats) -> Floats:
    """Of the two orientations the one whose top lies higher in the picture (further left, if it lies
    flat)."""
    top, bottom = quad[:2].mean(axis=0), quad[2:].mean(axis=0)
    wrong = (
        bottom[1] < top[1] - 1e-3
        if abs(bottom[1] - top[1]) > abs(bottom[0] - top[0]) * 0.2
        else bottom[0] < top[0]
    )
    return geometry.rotated_half_turn(quad) if wrong else quad
