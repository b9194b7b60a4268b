"""How the table is seen by the camera, as far as dice need it.

Every die that lies flat has its top face in one and the same plane. Seen in that plane (rectified), all top
faces are squares of one size with round pips; the side faces are not. A View is such a plane: its normal and
the focal length, by which any pixel gets a place in the plane and any place a pixel.

Camera coordinates: x right, y down, z away from the camera. The plane of the top faces is n . X = -1, with n
the unit vector that points up from the table: lengths in the plane are in units of the camera's height.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from companion.vision.image.geometry import FOCAL
from companion.vision.image.picture import Array

ZOOM = 3.0
"""How far a camera may have zoomed in, or a picture have been cut: half as much and twice as much show nearly
the same of dice."""


@dataclass(frozen=True)
class Optics:
    """The camera of a picture, or of a part that was cut out of one."""

    focal: float
    """Pixels."""
    middle: tuple[float, float]
    """Pixels: where the optical axis meets the picture; of a part this may lie outside."""
    table: tuple[float, float, float] | None = None
    """The unit vector up from the table, if that is known."""
    zoom: float = 1.0
    """By how much the focal length is that of a camera which has zoomed in, or whose picture was cut out."""

    @staticmethod
    def of(
        size: tuple[int, int],
        cut: tuple[float, float] = (0.0, 0.0),
        table: tuple[float, float, float] | None = None,
    ) -> Optics:
        """The camera of a picture of (height, width), if it is centred. `cut`: x and y of the part's top left
        corner in it."""
        height, width = size
        middle = ((width - 1) / 2 - cut[0], (height - 1) / 2 - cut[1])
        return Optics(FOCAL * max(height, width), middle, table)

    def normal_of(self, matrix: Array) -> tuple[float, float, float]:
        """The unit vector up from the plane whose points a homography (3, 3) takes to pixels of the picture:
        it is seen along the plane's vanishing line (Hartley and Zisserman, "Multiple view geometry", 8.6)."""
        line = np.linalg.inv(matrix).T @ np.array([0.0, 0.0, 1.0])
        x0, y0 = self.middle
        camera = np.array([[self.focal, 0.0, x0], [0.0, self.focal, y0], [0.0, 0.0, 1.0]])
        normal = camera.T @ line
        x, y, z = (normal * (-np.sign(normal[2] or 1.0) / np.linalg.norm(normal))).tolist()
        return x, y, z


def possible_cameras(size: tuple[int, int]) -> tuple[Optics, Optics]:
    """The cameras that may have taken a picture of (height, width) of which nothing else is known: one whose
    picture is whole, and one of which only the middle was kept."""
    camera = Optics.of(size)
    return camera, replace(camera, focal=ZOOM * camera.focal, zoom=ZOOM)


@dataclass(frozen=True)
class PlaneView:
    """A plane before the camera."""

    normal: Array
    """(3,): up from the table, towards the camera's side."""
    optics: Optics

    @staticmethod
    def of(optics: Optics, tilt: float, towards: float) -> PlaneView:
        """A view of a camera. `tilt`: angle between optical axis and plumb line; `towards`: direction in the
        picture in which a thing standing up leans; radians."""
        flat = math.sin(tilt)
        normal = np.array([flat * math.cos(towards), flat * math.sin(towards), -math.cos(tilt)])
        return PlaneView(normal, optics)

    @property
    def frontal(self) -> float:
        """Cosine of the tilt: 1 from straight above."""
        return float(-self.normal[2])

    @cached_property
    def axes(self) -> Array:
        """(2, 3): two unit vectors in the plane that turn with the picture's own as far as possible."""
        x, y, z = self.normal.tolist()
        length = math.sqrt(1 - x * x)
        axes = np.array([[1 - x * x, -x * y, -x * z], [0.0, -z, y]])
        return np.asarray(axes / length)

    def rays(self, points: Array) -> Array:
        """(n, 3) directions of the pixels (n, 2)."""
        flat = (points - np.array(self.optics.middle)) / self.optics.focal
        return np.column_stack([flat, np.ones(len(flat))])

    def places(self, points: Array) -> Array:
        """Pixels (n, 2) -> places (n, 2) in the plane."""
        rays = self.rays(points)
        return np.asarray((rays / -self._depth(rays)[:, None]) @ self.axes.T)

    def pixels(self, places: Array) -> Array:
        """Places (n, 2) -> pixels (n, 2)."""
        points = places @ self.axes - self.normal
        return np.asarray(points[:, :2] / points[:, 2:] * self.optics.focal + np.array(self.optics.middle))

    def stretch(self, points: Array) -> Array:
        """(n, 2, 2): the derivative of `places` at each pixel."""
        rays = self.rays(points)
        depth = self._depth(rays)
        flat = (rays @ self.axes.T) / depth[:, None]
        turned = flat[:, :, None] * self.normal[None, None, :2] - self.axes[None, :, :2]
        return np.asarray(turned / (depth[:, None, None] * self.optics.focal))

    def shapes(self, points: Array, shapes: Array) -> Array:
        """Outlines (n, 2, 2) of pixels as outlines in the plane."""
        stretch = self.stretch(points)
        return np.asarray(stretch @ shapes @ stretch.transpose(0, 2, 1))

    def _depth(self, rays: Array) -> Array:
        """n . d, negative for what lies on the table; beyond the horizon a tiny negative number."""
        return np.asarray(np.minimum(rays @ self.normal, -1e-3))


def slants(shapes: Array) -> Array:
    """How far outlines are from circles: log(longer / shorter axis), 0 for a circle, (n,)."""
    mean = (shapes[..., 0, 0] + shapes[..., 1, 1]) / 2
    half = np.hypot((shapes[..., 0, 0] - shapes[..., 1, 1]) / 2, shapes[..., 0, 1])
    return np.asarray(0.5 * np.log((mean + half) / np.maximum(mean - half, 1e-6 * mean + 1e-15)))


def radii(shapes: Array) -> Array:
    """Geometric mean of the half axes, (n,)."""
    return np.asarray(np.sqrt(np.sqrt(np.maximum(np.linalg.det(shapes), 1e-24))))


GRID_STEP = math.radians(9)
"""Between neighbouring views of the grid, about."""


def grid_of_views(optics: Optics) -> list[PlaneView]:
    """Views from above to 54 degrees aside."""
    views = [PlaneView.of(optics, 0.0, 0.0)]
    for ring, directions in enumerate((6, 12, 16, 20, 24, 26), 1):
        views += [
            PlaneView.of(optics, ring * GRID_STEP, 2 * math.pi * k / directions) for k in range(directions)
        ]
    return views


def nearby_views(view: PlaneView) -> list[PlaneView]:
    """Six views half way between this one and its neighbours in the grid."""
    first, second = view.axes
    step = math.tan(GRID_STEP / 2)
    out = []
    for k in range(6):
        turned = view.normal + step * (math.cos(k * math.pi / 3) * first + math.sin(k * math.pi / 3) * second)
        turned /= np.linalg.norm(turned)
        if turned[2] < -0.4:
            out.append(PlaneView(turned, view.optics))
    return out
