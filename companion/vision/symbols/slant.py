"""The slant of the tiles: a camera that looks at the table at an angle shortens all of them in one direction.

Each symbol alone fits badly then and may pass for another one, but all of them fit better at one and the
same slant. So the likeliest places are looked at in a grid of slants, what they gain in each is added up, and
if one slant explains them much better than none, the picture is brought upright before it is read.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.image.picture import Array, Floats, Image
from companion.vision.symbols.regions import InkRegion
from companion.vision.symbols.registration import FirstMatch, SymbolPatch, SymbolTemplates, to_affine

MOST_PLACES, APART = 16, 0.9
"""How many places are looked at, and how many radii they are apart at least."""
SLANTS, DIRECTIONS, REFINEMENT = (0.12, 0.26), 8, 0.07
"""Slants that are tried, as half the logarithm of how much longer a circle looks than wide, the directions of
each, and how far beside the best one it is looked for again."""
LEAST_FIT = 0.6
"""Fit above which a place is used for the slant."""
LEAST_GAIN, LEAST_TOTAL = 1.25, 0.1
"""How many times better than none a slant must explain the places, and how well at least."""


def estimate_slant(
    album: SymbolTemplates, places: Sequence[tuple[InkRegion, SymbolPatch, FirstMatch]]
) -> tuple[float, float] | None:
    """The slant along the axes and along the diagonals (see aligned), None if it is negligible."""
    patches = [patch for _, patch, _ in _separate_places(places)]
    if not patches:
        return None
    turns = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    round_it = np.column_stack([np.cos(turns), np.sin(turns)])
    grid = np.vstack([np.zeros((1, 2)), *(size * round_it for size in SLANTS)])
    worth = _slant_scores(album, patches, grid)
    best = int(worth.argmax())
    if worth[best] < max(LEAST_TOTAL, LEAST_GAIN * worth[0]):
        return None
    nearer = np.vstack([grid[best], grid[best] + REFINEMENT * round_it])
    along, across = nearer[int(_slant_scores(album, patches, nearer).argmax())]
    return float(along), float(across)


def _separate_places(
    places: Sequence[tuple[InkRegion, SymbolPatch, FirstMatch]],
) -> list[tuple[InkRegion, SymbolPatch, FirstMatch]]:
    """The likeliest places, one of those that lie on each other."""
    chosen: list[tuple[InkRegion, SymbolPatch, FirstMatch]] = []
    for place in sorted(places, key=lambda one: -float(one[2].best.max())):
        if not any(_overlaps(place[0], other[0]) for other in chosen):
            chosen.append(place)
        if len(chosen) == MOST_PLACES:
            break
    return chosen


def _overlaps(one: InkRegion, other: InkRegion) -> bool:
    away = np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    return bool(away < APART * max(one.radius, other.radius))


def _slant_scores(album: SymbolTemplates, patches: Sequence[SymbolPatch], slants: Array) -> Array:
    """How well each slant (n, 2) explains the places together: (n,). The circle round a squeezed symbol is as
    large as before, so the other way round it shrinks."""
    zero = np.zeros(len(slants))
    changes = np.column_stack([zero, zero, -np.hypot(*slants.T), slants, zero])
    alignments = to_affine(changes)
    fits = np.stack([album.fits(patch.views(alignments)).max(axis=(1, 2)) for patch in patches])
    return np.asarray((np.maximum(0.0, fits - LEAST_FIT) ** 2).sum(axis=0))


def remove_slant(image: Image, along: float, across: float) -> tuple[Image, Floats]:
    """The picture without the slant, as many pixels as before, and the matrix (2, 3) that brings its points
    back to the picture as it was."""
    matrix = to_affine(np.array([[0.0, 0.0, 0.0, along, across, 0.0]]))[0]
    high, wide = image.shape[:2]
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    there = corners @ np.linalg.inv(matrix[:, :2]).T
    low = there.min(axis=0)
    matrix[:, 2] = matrix[:, :2] @ low
    size = np.ceil(there.max(axis=0) - low).astype(int)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    turned = cv2.warpAffine(
        image, matrix, (int(size[0]), int(size[1])), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(turned, np.uint8), matrix
