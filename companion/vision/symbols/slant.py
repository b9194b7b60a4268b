"""The slant of the tiles: a camera that looks at the table at an angle shortens all of them in one direction.

Each symbol alone fits badly then and may pass for another one, but all of them fit better at one and the
same slant. So the likeliest places are looked at in a grid of slants, what they fit in each is averaged, and
if a slant explains them better than none, the picture is brought upright before it is read.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.image.picture import Array, Floats, Image
from companion.vision.symbols.limits import SlantLimits
from companion.vision.symbols.polar import SymbolPatch, SymbolPlace, TurnedLooks, overlap, to_affine

MOST_PLACES = 32
"""How many places are looked at: each takes as long as the others."""
SLANTS, DIRECTIONS, REFINEMENT = (0.12, 0.26), 8, 0.07
"""Slants that are tried, as half the logarithm of how much longer a circle looks than wide, the directions of
each, and how far beside the best one it is looked for again."""


def estimate_slant(
    looks: Floats, places: Sequence[SymbolPlace], limits: SlantLimits
) -> tuple[float, float] | None:
    """The slant along the axes and along the diagonals (see to_affine) at which looks (n, CHANNELS, RADII,
    ANGLES) fit the places best, None if it is negligible."""
    album = TurnedLooks(looks)
    patches = [one.patch for one in _separate(album, places)]
    if not patches:
        return None
    turns = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    round_it = np.column_stack([np.cos(turns), np.sin(turns)])
    grid = np.vstack([np.zeros((1, 2)), *(size * round_it for size in SLANTS)])
    worth = _slant_scores(album, patches, grid)
    best = int(worth.argmax())
    if best == 0 or worth[best] < limits.least_fit:
        return None
    nearer = np.vstack([grid[best], grid[best] + REFINEMENT * round_it])
    along, across = nearer[int(_slant_scores(album, patches, nearer).argmax())]
    return float(along), float(across)


def _separate(album: TurnedLooks, places: Sequence[SymbolPlace]) -> list[SymbolPlace]:
    """The places that fit a look best, one of those that lie on each other, MOST_PLACES at most."""
    fits = [float(album.fits(one.patch.views()).max()) for one in places]
    chosen: list[SymbolPlace] = []
    for at in np.argsort(-np.array(fits)).tolist():
        if not any(overlap(places[at], other) for other in chosen):
            chosen.append(places[at])
        if len(chosen) == MOST_PLACES:
            break
    return chosen


def _slant_scores(album: TurnedLooks, patches: Sequence[SymbolPatch], slants: Array) -> Array:
    """How well each slant (n, 2) explains the places together: (n,). The circle round a squeezed symbol is as
    large as before, so the other way round it shrinks."""
    zero = np.zeros(len(slants))
    changes = np.column_stack([zero, zero, -np.hypot(*slants.T), slants, zero])
    alignments = to_affine(changes)
    fits = np.stack([album.fits(patch.views(alignments)).max(axis=(1, 2)) for patch in patches])
    return np.asarray((np.maximum(0.0, fits) ** 2).mean(axis=0))


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
