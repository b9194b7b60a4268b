"""What a card looked like, made again from its descriptor.

A descriptor holds light less the mean of its surroundings, by their spread (see descriptor), and colours of
cells of 3 x 3 pixels. Mean and spread are those of the very picture that is searched for, so it is found by
steps: each picture gives means and spreads, and those the next picture. After 150 steps the light of uno's
references is theirs again but for a constant (correlation 0.998). Colours are spread out along the edges of
the light (He, Sun and Tang, "Guided image filtering", 2010), as the eye does with a television's."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image.picture import Bytes, Floats
from companion.vision.match.descriptor import (
    GREY_WEIGHTS,
    HEIGHT,
    SPREAD_FLOOR,
    WHITE,
    WHITE_SHARE,
    WIDTH,
    colours_of,
    light_of,
    surroundings,
)

ITERATIONS = 150
"""Steps of 0.03 ms; after 50 the light is still four grey levels off on average."""
INITIAL_SPREAD = 40.0
"""Grey levels of spread that are begun with."""
FILTER_SIZE, FILTER_EPSILON = 7, 60.0
"""Pixels round which colours follow the light, and the variance of grey levels that counts as even."""


def reconstruct(look: Bytes) -> Floats:
    """The card of a descriptor (VALUES,) as a picture (72, 48, 3) in grey levels, its white at 230."""
    grey = _grey_from_light(light_of(look))
    grey = np.clip(grey - np.quantile(grey, WHITE_SHARE) + WHITE, 0.0, 255.0)
    ratios = cv2.resize(colours_of(look), (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)
    red, blue = (_guided_filter(grey, np.ascontiguousarray(ratios[..., i])) for i in (0, 1))
    # The ratios are (red - green) and (blue - green) by (the sum of all three + 60) / 1.8.
    lifted = (blue * (1.0 - 3.0 * GREY_WEIGHTS[0]) + red * (1.0 - 3.0 * GREY_WEIGHTS[2])) / 1.8
    unit = ((3.0 * grey + 60.0 * lifted) / (1.0 - lifted) + 60.0) / 1.8
    green = grey - unit * (GREY_WEIGHTS[0] * blue + GREY_WEIGHTS[2] * red)
    levels = np.stack([green + unit * blue, green, green + unit * red], axis=-1)
    return np.asarray(np.clip(levels, 0.0, 255.0), np.float32)


def _grey_from_light(light: Floats) -> Floats:
    """The grey levels (72, 48), but for a constant, whose normalised light that is."""
    grey = 2.0 * INITIAL_SPREAD * light
    for _ in range(ITERATIONS):
        mean, spread = surroundings(grey)
        grey = mean + 2.0 * light * (spread + SPREAD_FLOOR)
        grey = grey - grey.mean()
    return np.asarray(grey, np.float32)


def _guided_filter(guide: Floats, plane: Floats) -> Floats:
    """A coarse plane with the edges of the guide."""

    def mean(values: Floats) -> Floats:
        return np.asarray(
            cv2.blur(values, (FILTER_SIZE, FILTER_SIZE), borderType=cv2.BORDER_REPLICATE), np.float32
        )

    centre, level = mean(guide), mean(plane)
    slope = (mean(guide * plane) - centre * level) / (mean(guide * guide) - centre * centre + FILTER_EPSILON)
    tilt = np.asarray(slope, np.float32)
    return mean(tilt) * guide + mean(np.asarray(level - slope * centre, np.float32))
