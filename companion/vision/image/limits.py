"""The limits by which the camera, its light and its focus are judged. `python -m bench --fit camera` fits
them on drawn tables and writes them, with the figures of that, to models/vision/camera.json."""

from __future__ import annotations

import msgspec

from companion.vision.models import shipped_limits

FILE = "camera.json"


class FaultLimits(msgspec.Struct, frozen=True):
    """What keeps the camera from seeing well (companion.vision.camera.quality)."""

    dark: float
    """Grey level below which nineteen of twenty pixels lie in a picture that is too dark."""
    bright: float
    """Share of burnt-out pixels from which the whole picture is too bright."""
    reflection: float
    """Share of the picture that a burnt-out patch must fill to be a shine."""
    soft: float
    """Softness, in pixels of a picture 1280 wide, from which it is out of focus."""
    flat: float
    """Grey levels of detail in a cell of the grid below which it shows nothing,"""
    detailed: float
    """and from which it showed something when the view was remembered."""
    covered: float
    """Share of the lively cells that must have gone flat for something to cover the lens."""
    bumped: float
    """Shift of a corner of the picture, as a share of its width, from which the camera has been bumped."""
    agree: int
    """Remembered points that must agree on the bump, in three quarters of the picture."""
    unlike: float
    """Bits of 256 by which the descriptors of a point may differ."""


class MotionLimits(msgspec.Struct, frozen=True):
    """How the camera has moved against the table, in pixels of the small picture in which tables are watched
    (companion.vision.tracking.camera_view)."""

    spread: float
    """Share of the picture that must lie between the parts that moved: what moves in one place was pushed."""
    smallest: float
    """Motion of each corner of the picture below which the camera has not moved."""
    largest: float
    """Motion of a corner of the picture beyond which the camera was turned to something else."""


class EdgeLimits(msgspec.Struct, frozen=True):
    """Which edges tell how soft a picture is (companion.vision.image.sharpness)."""

    slope: float
    """Grey levels a pixel: weaker edges are noise or shadows."""
    fewest: int
    """Pixels of edges without which nothing is said."""
    width: float
    """Percentile of the edges' widths that stands for the picture: soft shadows lie above it."""
    steepest: float
    """Percentile of the slopes that stands for a picture's steepest edges."""


class LightLimits(msgspec.Struct, frozen=True):
    """How the light is compared (companion.vision.image.exposure)."""

    negligible: float
    """Change of the light that is left as it is: less than a level or two."""
    least: float
    """Levels that a pixel must differ by, at least, however little noise there is,"""
    most: float
    """and at most, however much."""


class MatLimits(msgspec.Struct, frozen=True):
    """The mat and the lens (companion.vision.camera.markers, companion.vision.camera.lens)."""

    beside: float
    """Pixels by which a marker's corner may be off the plane of the mat: a bent lens moves it, too."""
    markers: int
    """Markers that a picture must show for the lens to be learned from it."""
    pictures: int
    """Pictures of the mat that are needed to learn the lens, from different sides."""
    uneven: float
    """Pixels by which a flat mat seems uneven for a lens to be worth correcting,"""
    correcting: float
    """and the share of that below which the correction must bring it on pictures not learned from."""


class CameraLimits(msgspec.Struct, frozen=True):
    """All limits of the camera."""

    faults: FaultLimits
    motion: MotionLimits
    edges: EdgeLimits
    light: LightLimits
    mat: MatLimits


def camera_limits() -> CameraLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, CameraLimits)
