"""Distinguishes an enrolled card from a similar one that is not enrolled, by what the look leaves
unexplained.

A deck may lack the card in front of the camera; the most similar enrolled card then explains nine tenths of
it. A soft camera also leaves something of the right card, but of another kind. Blur, shake and an inexact
pose turn a look into a smoothed and shifted copy; a small free kernel is fitted (least squares; blind
deconvolution, e.g. Fergus et al. 2006), and the right card leaves almost nothing. Fingers and glare leave
much, but they reach in from the card's edge, or have colours that the card does not have. A stroke of another
figure is enclosed by the card and has one of the card's own colours where the look has another one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match.descriptor import (
    CELL,
    HEIGHT,
    WIDTH,
    RectifiedCard,
    cell_means,
    cells_of,
    colours_of,
    light_of,
)
from companion.vision.match.refine import SLANT_X, SLANT_Y

CELL_ROWS, CELL_COLUMNS = HEIGHT // CELL, WIDTH // CELL
"""Cells of 3 x 3 pixels in which colour is compared."""
KERNEL_REACH = 2
"""Pixels (of 48 x 72) by which the kernel reaches to each side."""
REGULARISATION, SLANT_REGULARISATION = 2.0, 5.0
"""What the kernel's values and the slant of the pose cost."""
ROUNDS = 3, 6
"""Rounds in which light and colours are fitted, pixels that do not fit weighing less and less."""
RIM_CELLS = 2
"""Cells inside the card's edge from which whatever hides it may come in."""
OTHER_COLOUR = 0.1
"""Difference of colour ratios from which on a cell has another colour than the card there."""
GLARE, BRIGHTNESS_PERCENTILE = 1.08, 80.0
"""How many times as bright as the card's cells of its colour (this percentile of them) a cell with glare
is."""
FEWEST_CELLS = 4
"""Cells of a colour without which nothing is said about its brightness."""
OWN_COLOUR = 0.5
"""Share of its difference from the card within which a cell has a colour that the card has elsewhere."""
OWN_COLOUR_CELLS = 10
"""Cells that must have that colour."""
STROKE_RADIUS = 1.3
"""Gaussian radius in pixels by which what is left is smoothed: thin outlines cancel out, strokes stay."""
LEAST_INK, LEAST_RESIDUAL, LEAST_PEAK = 3.0, 0.07, 1.1
"""Ink in the wrong place, share of the light left and its highest value (see CardDifference) from all of
which on another card is there in a soft picture. Of names of soft held cards that were looked at, all 18
wrong ones (half of the deck not enrolled) are above and one of 49 right ones; of others, 9 of 11 wrong ones
and none of 28 right ones."""
SHARP_RESIDUAL, SHARP_PEAK, SHARP_LARGEST_LEAD = 0.09, 1.7, 0.915
"""The same in a sharp picture, where any peak is enough if the card is not so far ahead of the next one
either. Coins on four court cards in one photograph of poker24 are enclosed and have the cards' own gold (ink
10 to 51, 0.12 to 0.21 left, peak 1.2 to 1.4, lead 0.93 and more). Of 129 similar cards on photographs of uno
six are not detected by this: three have no colours, three differ by little ink; of 1,135 right readings, most
of them on photographs made dim, soft, slanted or shadowed, three are lost."""


@dataclass(frozen=True)
class CardDifference:
    """How a place differs from a card in what is enclosed by it. `ink`: cells drawn in an ink that the card
    has elsewhere, weighed by how much it differs; `left`: the share of the pattern of light that no small
    kernel explains (1 all, may be more); `peak`: its highest value, in deviations of that pattern."""

    ink: float
    left: float
    peak: float

    def is_another(self, soft: bool, lead: float = 1.0) -> bool:
        """True if another card is there, not something that lies on the card. `soft`: the picture is;
        `lead` is that of the card over the next one (see companion.vision.match.pixel_match)."""
        if soft:
            return self.ink > LEAST_INK and self.left > LEAST_RESIDUAL and self.peak > LEAST_PEAK
        stands_out = self.peak > SHARP_PEAK or lead < SHARP_LARGEST_LEAD
        return self.ink > LEAST_INK and self.left > SHARP_RESIDUAL and stands_out


@dataclass(frozen=True, eq=False)
class _CellComparison:
    """Colours (CELL_ROWS, CELL_COLUMNS, 2) of a place and of the card as this light shows it, how far they
    are from each other, which of them differ, which of them nothing hides that comes in from the edge, and
    how far the card's own colours lie from each other."""

    seen: Floats
    expected: Floats
    far: Floats
    wrong: Array
    inner: Array
    range_of: float

    @property
    def most_ink(self) -> float:
        """All that may be ink in the wrong place, whatever its colour."""
        return float((self.far[self.wrong & self.inner] ** 2).sum()) / self.range_of**2


def difference_from(card: RectifiedCard, look: Bytes, seen: Array, shown: Array) -> CardDifference:
    """How what is in a quad differs from a look (VALUES,) of which the blocks `seen` (BLOCKS,)
    fit and the blocks `shown` lie in the picture."""
    cells = _compare_cells(card.cell_colours, look, seen, shown)
    if not cells.inner.any():
        return CardDifference(0.0, 0.0, 0.0)
    return CardDifference(
        _wrong_ink(cells, card.picture, seen), *_residual_strokes(card.planes[0], look, seen, cells.inner)
    )


def shows_other_card(
    card: RectifiedCard, look: Bytes, seen: Array, shown: Array, *, soft: bool, lead: float = 1.0
) -> bool:
    """Whether another card is there (see CardDifference). Where too little differs in colour, ink and strokes
    are not computed."""
    cells = _compare_cells(card.cell_colours, look, seen, shown)
    if cells.most_ink <= LEAST_INK or (ink := _wrong_ink(cells, card.picture, seen)) <= LEAST_INK:
        return False
    return CardDifference(ink, *_residual_strokes(card.planes[0], look, seen, cells.inner)).is_another(
        soft, lead
    )


def _compare_cells(cells: Floats, look: Bytes, seen: Array, shown: Array) -> _CellComparison:
    expected, spread = _fit_colours(colours_of(look), cells, cells_of(seen))
    away = cells - expected
    smoothed = np.linalg.norm(cv2.GaussianBlur(away, (0, 0), 0.6, borderType=cv2.BORDER_REPLICATE), axis=2)
    outside = ~cells_of(shown)
    wrong = np.asarray((smoothed > max(OTHER_COLOUR, 2.0 * spread)) & ~outside)
    palette = expected.reshape(-1, 2)
    range_of = 2.0 * float(np.linalg.norm(palette - palette.mean(axis=0), axis=1).std()) + 0.02
    far = np.linalg.norm(away, axis=2)
    return _CellComparison(cells, expected, far, wrong, _enclosed_cells(wrong, outside), range_of)


def _wrong_ink(cells: _CellComparison, card: Floats, seen: Array) -> float:
    """The cells drawn in an ink that the card has elsewhere, weighed (see CardDifference)."""
    own = cells.wrong & cells.inner
    own[own] = _nearest_own_colour(cells.seen[own], cells.expected) < OWN_COLOUR * cells.far[own]
    fitting, brightness = ~cells.wrong & cells_of(seen), cell_means(card.mean(axis=2))
    own &= ~_glare_cells(own, fitting, cells.seen, OWN_COLOUR * cells.far, brightness)
    return float((cells.far[own] ** 2).sum()) / cells.range_of**2


def _residual_strokes(light: Floats, look: Bytes, seen: Array, inner: Array) -> tuple[float, float]:
    """What is left of the light and its highest value (see CardDifference)."""
    left, explained = _fit_blur(light, light_of(look), np.kron(cells_of(seen), np.ones((CELL, CELL))))
    here = np.kron(inner, np.ones((CELL, CELL))) > 0
    stroke = _smooth(left) * here
    pattern = max(0.1, float(np.sqrt((explained[here] ** 2).mean())))
    share = float((stroke**2).sum() / max(1e-3, float(((_smooth(explained) ** 2) * here).sum())))
    return share, float(np.abs(stroke).max()) / pattern


def _fit_colours(look: Floats, cells: Floats, seen: Floats) -> tuple[Floats, float]:
    """The colours (CELL_ROWS, CELL_COLUMNS, 2) of a look as this light shows them (any affine change, fitted
    to what most cells seen agree on), and how much those that agree differ."""
    blurred = cv2.GaussianBlur(look, (0, 0), 0.5, borderType=cv2.BORDER_REPLICATE)
    of = np.concatenate([blurred.reshape(-1, 2), np.ones((CELL_ROWS * CELL_COLUMNS, 1), np.float32)], axis=1)
    wanted, free = cells.reshape(-1, 2), seen.ravel()
    weight, spread, tame = free, 0.02, np.diag([0.05, 0.05, 1e-3])
    expected = of[:, :2]
    for _ in range(ROUNDS[1]):
        weighted = (of * weight[:, None]).T
        change = np.linalg.solve(weighted @ of + tame, weighted @ wanted + tame[:, :2])
        expected = of @ change
        error = np.linalg.norm(wanted - expected, axis=1)
        spread = max(0.02, 1.5 * float(np.median(error[free > 0.5]))) if (free > 0.5).any() else 0.02
        weight = free / (1.0 + (error / spread) ** 2) ** 2
    return np.asarray(expected.reshape(CELL_ROWS, CELL_COLUMNS, 2), np.float32), spread


def _glare_cells(queried: Array, fitting: Array, cells: Floats, within: Floats, brightness: Floats) -> Array:
    """Which of the cells asked about (CELL_ROWS, CELL_COLUMNS) are brighter than those that fit and are
    `within` that of their colour, and those beside them."""
    glaring = np.zeros(queried.shape, bool)
    for row, column in np.argwhere(queried):
        away = np.linalg.norm(cells - cells[row, column], axis=2)
        same = brightness[fitting & (away < within[row, column])]
        if len(same) >= FEWEST_CELLS:
            glaring[row, column] = brightness[row, column] > GLARE * np.percentile(
                same, BRIGHTNESS_PERCENTILE
            )
    return np.asarray(cv2.dilate(glaring.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _enclosed_cells(wrong: Array, outside: Array) -> Array:
    """The cells (CELL_ROWS, CELL_COLUMNS) in the picture that nothing hides which comes in from the card's
    edge."""
    _, parts = cv2.connectedComponents(wrong.astype(np.uint8), connectivity=8)
    edge = np.ones(wrong.shape, bool)
    edge[RIM_CELLS:-RIM_CELLS, RIM_CELLS:-RIM_CELLS] = False
    hidden = wrong & np.isin(parts, np.unique(parts[edge & wrong])) | outside
    near = cv2.dilate(hidden.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return np.asarray(~edge & ~near)


def _nearest_own_colour(cells: Floats, palette: Floats) -> Floats:
    """How far the colour of each cell (n, 2) is from the colour that OWN_COLOUR_CELLS cells of the palette
    come closest to (n,)."""
    away = cells[:, None] - palette.reshape(1, -1, 2)
    far = np.partition(np.linalg.norm(away, axis=2), OWN_COLOUR_CELLS, axis=1)
    return np.asarray(far[:, OWN_COLOUR_CELLS], np.float32)


def _fit_blur(light: Floats, look: Floats, seen: Array) -> tuple[Floats, Floats]:
    """What no small kernel and no slant of the pose explain of the light (72, 48), and what they do."""
    padded = cv2.copyMakeBorder(
        look, KERNEL_REACH, KERNEL_REACH, KERNEL_REACH, KERNEL_REACH, cv2.BORDER_REPLICATE
    )
    steps = range(2 * KERNEL_REACH + 1)
    shifted = [padded[y : y + HEIGHT, x : x + WIDTH].ravel() for y in steps for x in steps]
    across, down = np.gradient(look, axis=1), np.gradient(look, axis=0)
    slants = (across[..., None] * SLANT_X + down[..., None] * SLANT_Y).reshape(HEIGHT * WIDTH, -1)
    parts = np.concatenate([np.stack(shifted, axis=1), slants, np.ones((HEIGHT * WIDTH, 1))], axis=1)
    tame = np.diag(
        [REGULARISATION] * len(shifted) + [SLANT_REGULARISATION] * slants.shape[1] + [REGULARISATION]
    )
    wanted, free = light.ravel().astype(np.float64), seen.ravel()
    weight, explained = free, np.zeros_like(wanted)
    for _ in range(ROUNDS[0]):
        weighted = (parts * weight[:, None]).T
        explained = parts @ np.linalg.solve(weighted @ parts + tame, weighted @ wanted)
        error = np.abs(wanted - explained)
        spread = max(0.05, 2.0 * float(np.median(error[free > 0.5]))) if (free > 0.5).any() else 0.05
        weight = free / (1.0 + (error / spread) ** 2)
    fitted = np.asarray(explained.reshape(HEIGHT, WIDTH), np.float32)
    return light - fitted, fitted


def _smooth(plane: Floats) -> Floats:
    return np.asarray(
        cv2.GaussianBlur(plane, (0, 0), STROKE_RADIUS, borderType=cv2.BORDER_REPLICATE), np.float32
    )
