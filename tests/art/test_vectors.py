"""Paths, and the pixels and SVG made from them."""

import math
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from companion.art.draw import vector
from companion.art.draw.raster import flatten, rasterise
from companion.art.draw.svg import to_svg
from companion.art.draw.vector import Clip, Drawing, Shape, box, ellipse, place


def area(path: vector.Path) -> float:
    return (
        sum(cv2.contourArea(flatten(contour, (50, 50)).astype(np.float32)) for contour in path.contours)
        / 2500
    )


def test_transformations_follow_each_other() -> None:
    first, second = place(3, -2, 1.5, 30), place(-1, 4, 2, -75, mirror=True)
    point = (0.7, -1.9)
    assert first.then(second)(point) == pytest.approx(second(first(point)))
    assert first.then(second).scale == pytest.approx(3.0)


def test_place_turns_clockwise_on_paper() -> None:
    assert place(0, 0, degrees=90)((1, 0)) == pytest.approx((0, 1))
    assert place(0, 0, mirror=True)((1, 2)) == pytest.approx((-1, 2))


def test_areas_of_known_figures() -> None:
    assert area(ellipse(1, 2, 3)) == pytest.approx(math.pi * 9, rel=2e-3)
    assert area(box(0, 0, 4, 2)) == pytest.approx(8, rel=1e-3)
    assert area(box(0, 0, 4, 2, 0.5)) == pytest.approx(8 - (4 - math.pi) * 0.25, rel=2e-3)


def test_arc_meets_its_angles() -> None:
    quarter = vector.arc(0, 0, 2, 0, 90)
    assert quarter.contours[0].start == pytest.approx((2, 0))
    assert quarter.contours[0].commands[-1][-1] == pytest.approx((0, 2))


def test_pixels_lie_where_the_drawing_says() -> None:
    card = Drawing(20, 10, (Shape(box(5, 2, 10, 4), fill="#ff0000"),))
    picture = rasterise(card, 100)
    assert picture.shape == (100, 200, 3)
    red = (picture == (0, 0, 255)).all(2)
    rows, columns = np.nonzero(red)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (20, 59, 50, 149)


def test_a_clip_hides_what_is_outside() -> None:
    clip = Clip(box(0, 0, 5, 10), (Shape(box(0, 0, 10, 10), fill="#00ff00"),))
    picture = rasterise(Drawing(10, 10, (clip,)), 50)
    assert (picture[:, :24] == (0, 255, 0)).all()
    assert (picture[:, 26:] == 255).all()


def test_holes_are_even_odd_everywhere() -> None:
    ring = Shape(ellipse(5, 5, 4) + ellipse(5, 5, 2), fill="#000000")
    picture = rasterise(Drawing(10, 10, (ring,)), 100)
    assert picture[50, 50].tolist() == [255, 255, 255]
    assert picture[50, 80].tolist() == [0, 0, 0]
    assert 'fill-rule="evenodd"' in to_svg(Drawing(10, 10, (ring,)), "ring")


def test_svg_is_well_formed_and_escapes_its_title() -> None:
    clip = Clip(box(0, 0, 5, 10), (Shape(ellipse(1, 1, 1), stroke="#123456", width=0.5),))
    root = ElementTree.fromstring(to_svg(Drawing(63, 88, (clip,)), "a < b & c"))
    assert root.get("width") == "63mm"
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "a < b & c"
    assert root.find(".//{http://www.w3.org/2000/svg}clipPath") is not None


def test_a_picture_of_no_height_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 8"):
        rasterise(Drawing(1, 1, ()), 3)
