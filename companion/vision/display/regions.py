"""Regions of the finder's maps: how large the cards are, and which regions lie in one column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.display.limits import column_limits
from companion.vision.display.table_view import TableMaps
from companion.vision.image import geometry, masks
from companion.vision.image.picture import Floats


@dataclass(frozen=True)
class CardSize:
    """Width of a card and its length as a multiple of the width, in pixels of the maps, and the direction
    (unit vector) of the cards' length."""

    width: float
    aspect: float
    axis: Floats

    @property
    def length(self) -> float:
        """Length of a card in pixels of the maps."""
        return self.width * self.aspect

    def is_like(self, other: CardSize) -> bool:
        """Whether both may be measures of the same cards."""
        return abs(self.width / other.width - 1) < column_limits().regions.same_size


@dataclass(frozen=True, eq=False)
class Region:
    """A connected region: its pixels (n, 2), and the parallelogram round it as its centre, the unit
    vectors along its longer and its shorter sides, and their lengths: a card seen aslant is no rectangle."""

    points: Floats
    centre: Floats
    axis: Floats
    across: Floats
    long: float
    short: float

    @staticmethod
    def of(points: Floats, margin: float = 0.0) -> Region:
        """The region of these pixels, its parallelogram larger by `margin` on every side: the smallest
        rectangle round the pixels, with its sides slanted as the region's own sides are."""
        (x, y), (first, second), degrees = cv2.minAreaRect(_run_ends(points))
        turn = np.radians(degrees if first >= second else degrees + 90.0)
        axis = np.array([np.cos(turn), np.sin(turn)])
        across = np.array([axis[1], -axis[0]])
        centred = points - np.array([x, y])
        far, aside = centred @ axis, centred @ across  # along the rectangle, and across it
        along = axis + _slope_of_middles(aside, far) * across
        beside = across + _slope_of_middles(far, aside) * axis
        along, beside = along / np.linalg.norm(along), beside / np.linalg.norm(beside)
        far, aside = np.linalg.inv(np.stack([along, beside], axis=1)) @ centred.T  # along the slanted sides
        low, high = _ends(far, aside)
        left, right = _ends(aside, far)
        centre = np.array([x, y]) + along * (low + high) / 2 + beside * (left + right) / 2
        extra = 1.0 + 2 * margin
        sides = [(high - low + extra, along), (right - left + extra, beside)]
        (long, long_way), (short, short_way) = sides if sides[0][0] >= sides[1][0] else sides[::-1]
        parts = (points, centre.astype(np.float32), long_way.astype(np.float32), short_way.astype(np.float32))
        return Region(*parts, float(long), float(short))

    @property
    def filling(self) -> float:
        """The share of the parallelogram that the pixels fill."""
        sine = abs(float(self.axis[0] * self.across[1] - self.axis[1] * self.across[0]))
        return len(self.points) / max(1.0, (self.long - 1) * (self.short - 1) * sine)

    @property
    def corners(self) -> Floats:
        """The corners of the parallelogram (4, 2), clockwise, a short side first."""
        top, side = self.axis * self.long / 2, self.across * self.short / 2
        quad = np.stack([self.centre - top - side, self.centre - top + side,
                         self.centre + top + side, self.centre + top - side])  # fmt: skip
        return np.asarray(quad if geometry.area(quad) > 0 else quad[[1, 0, 3, 2]], np.float32)


def _run_ends(points: Floats) -> Floats:
    """The pixels without those between two neighbours of their row: the rectangle round them is the same."""
    is_next = (np.diff(points, axis=0) == (1.0, 0.0)).all(axis=1)
    between = np.append(is_next, False) & np.append(False, is_next)
    return np.asarray(points[~between], np.float32)


def _slope_of_middles(values: Floats, at: Floats) -> float:
    """By how much the smallest and the largest of the values change along `at`: the mean of both, or that of
    the straighter side if something juts out of the other."""
    low, high = _extremes(values, at)
    half = len(low) // 2
    if half < 2:
        return 0.0
    sides = []
    for side in (low, high):
        slope = _median(side[half : 2 * half] - side[:half]) / half
        bent = side - slope * np.arange(len(side))
        sides.append((_median(np.abs(bent - _median(bent))), slope))
    (_, straighter), (_, other) = sorted(sides)
    limits = column_limits().regions
    slope = (straighter + other) / 2 if abs(straighter - other) < limits.like_slopes else straighter
    return float(np.clip(slope, -limits.slant, limits.slant))


def _ends(values: Floats, at: Floats) -> tuple[float, float]:
    """The usual smallest and largest value, whatever juts out."""
    low, high = _extremes(values, at)
    return _median(low), _median(high)


def _median(values: Floats) -> float:
    """The median; several times faster than NumPy's for few values."""
    ordered, half = np.sort(values), len(values) // 2
    return float(ordered[half] + ordered[~half]) / 2


def _extremes(values: Floats, at: Floats) -> tuple[Floats, Floats]:
    """The smallest and the largest value in each row of pixels along `at`, but a tenth at either end."""
    row = np.round(at - at.min()).astype(int)
    low, high = np.full(row.max() + 1, np.inf), np.full(row.max() + 1, -np.inf)
    np.minimum.at(low, row, values)
    np.maximum.at(high, row, values)
    cut = len(low) // 10
    kept = np.arange(cut, len(low) - cut)
    kept = kept[np.isfinite(low[kept])]
    return low[kept], high[kept]


def separations(maps: TableMaps) -> Iterator[list[Region]]:
    """The regions where cards are seen, separated in several ways: by the table between them, and by the
    edges in them, which divides columns that touch, but may also divide cards. A region that is much broader
    than the others is divided further."""
    limits = column_limits().regions
    levels = [(limits.card, math.inf), (limits.surer_card, math.inf), (limits.card, limits.card)]
    for at, level in enumerate(levels):
        regions = _separated(maps, level)
        usual = _usual_width(regions)
        if usual is not None:
            yield [part for region in regions for part in _divided(region, maps, levels[at + 1 :], usual)]


def _separated(maps: TableMaps, level: tuple[float, float], within: Region | None = None) -> list[Region]:
    """The regions, all or those `within` one: `level` is the least probability of a card, and the largest of
    an edge, in them; without limit edges do not count."""
    (card, edge), least = level, column_limits().regions.least_side
    mask = (maps.card > card) & (maps.edge < edge)
    if within is not None:
        x, y = within.points.astype(int).T
        inside = np.zeros(mask.shape, bool)
        inside[y, x] = mask[y, x]
        mask = inside
    margin = 0.0 if edge == math.inf else 0.5  # half of an edge that separates two regions belongs to each
    regions = (Region.of(pixels, margin) for pixels in masks.parts(mask) if len(pixels) >= least**2)
    return [region for region in regions if region.short >= least]


def _divided(
    region: Region, maps: TableMaps, levels: Sequence[tuple[float, float]], usual: float
) -> list[Region]:
    """The region, or its parts at the next levels if it is too broad for a column."""
    if not levels or region.short < column_limits().regions.widest * usual:
        return [region]
    parts = _separated(maps, levels[0], region)
    return [part for one in parts for part in _divided(one, maps, levels[1:], usual)]


def _usual_width(regions: Sequence[Region]) -> float | None:
    """The width on which the well filled regions agree, which is a card's; None if there is none."""
    limits = column_limits().regions
    full = [region for region in regions if region.filling > limits.full]
    if not full:
        return None
    widths = np.array([region.short for region in full])
    areas = np.array([len(region.points) for region in full], float)
    support = [(areas * (np.abs(widths / width - 1) < limits.same_size)).sum() for width in widths]
    agree = np.abs(widths / widths[int(np.argmax(support))] - 1) < limits.same_size
    return float(np.median(widths[agree]))


def card_size(regions: Sequence[Region], aspect: float) -> CardSize | None:
    """The size of the cards by the regions that are as broad as one; None if no region is well filled and
    long enough. `aspect` is the deck's, length by width."""
    width, limits = _usual_width(regions), column_limits().regions
    if width is None:
        return None
    columns = [
        region
        for region in regions
        if region.filling > limits.full
        and abs(region.short / width - 1) < limits.same_size
        and region.long / region.short > limits.shortest * aspect
    ]
    if not columns:
        return None
    axes = np.stack([region.axis for region in columns])
    areas = np.array([len(region.points) for region in columns], float)
    axis = axes[int(np.argmax((np.abs(axes @ axes.T) > limits.direction) @ areas))]
    # Down, or right: the same way in whatever way regions are separated.
    axis = axis if float(axis[int(np.abs(axis).argmax())]) > 0 else -axis
    return CardSize(width, aspect, axis)


def grouped(regions: Sequence[Region], size: CardSize) -> list[list[Region]]:
    """The regions that may be parts of cards, those of one column together."""
    likely = [region for region in regions if _may_be_part(region, size)]
    name = list(range(len(likely)))
    for i, one in enumerate(likely):
        for k in range(i):
            if name[i] != name[k] and _is_next(one, likely[k], size):
                old, new = name[i], name[k]
                name = [new if n == old else n for n in name]
    return [[likely[i] for i, n in enumerate(name) if n == key] for key in dict.fromkeys(name)]


def _may_be_part(region: Region, size: CardSize) -> bool:
    """Whether one side of a region is as long as a card is wide."""
    widest = column_limits().regions.widest
    low, high = size.width / widest, size.width * widest
    return low < region.short < high or low < region.long < high


def _is_next(one: Region, other: Region, size: CardSize) -> bool:
    """Whether two regions lie behind each other: nearly as broad as a card, and hardly a gap between them."""
    limits, away = column_limits().regions, other.centre - one.centre
    distance = float(np.linalg.norm(away))
    if distance < 1e-3:
        return False
    along = away / distance
    if abs(float(along @ size.axis)) < limits.direction:
        return False
    across = np.array([-along[1], along[0]], np.float32)
    gap = distance
    for region in (one, other):
        reach = np.abs((region.points - region.centre) @ along)
        gap -= float(np.percentile(reach, 97))
        width = float(np.ptp((region.points - region.centre) @ across))
        if not size.width / limits.widest < width + 1.0 < (limits.widest + 0.1) * size.width:
            return False
    return gap < limits.gap * size.width
