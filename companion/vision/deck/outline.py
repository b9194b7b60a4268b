"""Where the card lies in a picture of one card: the whole picture is a crop of it, or it lies on a table.

Which of both is decided for a folder as a whole: a frame printed on a card looks like a card on a plain
ground, and the card finder takes it for one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from companion.core.errors import Unreadable
from companion.vision.finder.limits import enrolment_limits
from companion.vision.finder.outlines import separate_cards
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image, shrunk

SEEN_SIDE, SAMPLE = 400, 10
"""Longer side, in pixels, at which a picture is searched for a card on any ground, and about how many of a
folder are looked at first."""


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
    least = enrolment_limits().folders.on_table
    found: dict[int, Floats | None] = {}
    for index in sample:
        found[index] = _on_table(images[index])
        crops = sum(quad is None for quad in found.values())
        if len(sample) - crops < least * len(sample):  # whatever the others show
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
    same = enrolment_limits().folders.same_aspect
    if on_table is not None and abs(geometry.aspect_of(on_table) / aspect - 1.0) < same:
        return on_table
    is_crop = abs(image.shape[0] / image.shape[1] / aspect - 1.0) < same
    return whole_quad(image) if is_crop and image.shape not in photographs else None


def whole_quad(image: Image) -> Floats:
    """The corners of the whole picture."""
    height, width = image.shape[:2]
    return geometry.whole(width, height)


def _on_table(image: Image) -> Floats | None:
    """The only outline of a whole card that the card finder sees, if it fills as much as one on a table."""
    small, scale = shrunk(image, SEEN_SIDE)
    found = [one.quad for one in separate_cards(small) if one.problem is None]
    if len(found) != 1:
        return None
    filled, limits = geometry.area(found[0]) / (small.shape[0] * small.shape[1]), enrolment_limits().folders
    is_card = limits.least_filled < filled < limits.most_filled
    return top_up(geometry.to_original(found[0], scale)) if is_card else None


def top_up(quad: Floats) -> Floats:
    """The corners from the one that is a card's top left if it lies the way people lay it down: a square
    tile has four ways, any other card two."""
    ways = [quad, geometry.rotated_half_turn(quad)]
    square = enrolment_limits().learned.square
    if 1.0 / square < geometry.aspect_of(quad) < square:
        ways += [np.asarray(np.roll(quad, k, axis=0), np.float32) for k in (1, 3)]
    return min(ways, key=lambda way: float((way[:2, 1].sum() - way[2:, 1].sum()) + 0.3 * way[:2, 0].sum()))
