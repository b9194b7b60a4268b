"""How soft a picture is, in pixels, whatever it shows.

An edge that is blurred once more loses the more of its slope the sharper it was: the ratio of the slopes
before and after gives the width of the edge itself (Zhuo and Sim, "Defocus map estimation from a single
image", Pattern Recognition 44, 2011). Contrast and brightness cancel out; only edges are needed.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.vision.image.limits import camera_limits
from companion.vision.image.picture import Array, Image

PRESMOOTHING = 0.8
"""Gaussian radius of the smoothing that keeps the sensor's noise out, in pixels; taken off the result."""
SECOND_BLUR = 1.6
"""Gaussian radius of the second blur."""


def softness(image: Image) -> float | None:
    """Gaussian radius in pixels of what blurs the sharpest edges of a picture (0.4: as sharp as a sensor
    gives it); None where there is no edge to judge by."""
    limits = camera_limits().edges
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    calm = cv2.GaussianBlur(grey, (0, 0), PRESMOOTHING).astype(np.float32)
    first = _slope(calm)
    ridge = first >= cv2.dilate(first, np.ones((3, 3), np.uint8)) * 0.999
    edges = ridge & (first > max(limits.slope, 0.25 * float(first.max())))
    if int(edges.sum()) < limits.fewest:
        return None
    second = _slope(cv2.GaussianBlur(calm, (0, 0), SECOND_BLUR))
    ratio = np.maximum(first[edges] / np.maximum(second[edges], 1e-3), 1.0 + 1e-3)
    width = SECOND_BLUR / np.sqrt(ratio * ratio - 1.0)
    found = float(np.percentile(width, limits.width))
    return math.sqrt(max(found * found - PRESMOOTHING * PRESMOOTHING, 0.0))


def steepness(image: Image) -> float:
    """The share of a picture's range of grey levels by which its steepest edges change in a pixel, 0 to 1:
    lower for a soft picture, however much its camera sharpens fine noise."""
    calm = np.asarray(cv2.medianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 3))
    low, high = np.percentile(calm, (1.0, 99.0))
    return float(
        np.percentile(_slope(calm.astype(np.float32)), camera_limits().edges.steepest) / (high - low + 1.0)
    )


def _slope(grey: Array) -> Array:
    """Grey levels a pixel along the steepest way."""
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    return np.asarray(cv2.magnitude(across, down))
