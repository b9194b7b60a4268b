"""The searches of an autofocus, drawn at random, and what they do to a picture.

A lens that searches blurs the picture and shows a larger or smaller part of the table (breathing). Some of
both may stay after the search.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Picture = NDArray[np.uint8]

PAUSE_S = (2.0, 9.0)
"""Between two searches of the focus."""
SEARCH_S = (0.4, 2.5)
"""How long one takes."""
WIDTH = 640
MOST_BLUR, MOST_ZOOM, MOST_REST = 5.0, 0.03, 0.6
"""At the worst of a search: Gaussian radius in pixels of a picture of WIDTH pixels, share by which the
picture grows; share of both that may stay after it."""


@dataclass(frozen=True)
class FocusSearch:
    """One search: from `begin`, for `length` seconds, to `blur` pixels and a picture `1 + zoom` times as
    large at its worst; `rest` of that stays afterwards."""

    begin: float
    length: float
    blur: float
    zoom: float
    rest: float

    def share(self, t: float) -> float:
        """How far the focus is off at `t`, 0 to 1 of the worst."""
        done = (t - self.begin) / self.length
        if done <= 0:
            return 0.0
        if done >= 1:
            return self.rest
        there = np.sin(np.pi * done)
        return float(max(there, self.rest * done))


def searches(rng: Rng, seconds: float) -> list[FocusSearch]:
    """The searches of some seconds."""
    found, t = [], 4.0
    while t < seconds:
        length = float(rng.uniform(*SEARCH_S))
        rest = float(rng.uniform(0, MOST_REST)) if rng.random() < 0.4 else 0.0
        zoom = float(rng.uniform(-MOST_ZOOM, MOST_ZOOM))
        found.append(FocusSearch(t, length, float(rng.uniform(1.0, MOST_BLUR)), zoom, rest))
        t += length + float(rng.uniform(*PAUSE_S))
    return found


def breathed(image: Picture, t: float, found: list[FocusSearch]) -> Picture:
    """The picture as the lens shows it at `t`."""
    begun = [search for search in found if search.begin <= t]
    if not begun:
        return image
    latest = begun[-1]
    share = latest.share(t)
    height, width = image.shape[:2]
    blur, zoom = share * latest.blur * width / WIDTH, 1.0 + share * latest.zoom
    centre = np.array([width / 2, height / 2])
    matrix = np.array([[zoom, 0, (1 - zoom) * centre[0]], [0, zoom, (1 - zoom) * centre[1]]], np.float32)
    image = np.asarray(
        cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    return np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8) if blur > 0.2 else image


def searches_at(rng: Rng, moments: list[float]) -> list[FocusSearch]:
    """One search for each moment, in order, which falls into it: what happens in front of a camera makes it
    search."""
    found: list[FocusSearch] = []
    for moment in moments:
        (one,) = searches(rng, 4.1)
        found.append(replace(one, begin=moment - float(rng.uniform(0, 1)) * one.length))
    return found
