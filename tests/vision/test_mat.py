"""The mat: drawn, found in pictures with markers covered, zones from it, and the lens learned from it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner

from companion.art.mat_sheet import mat_pdf, mat_picture
from companion.art.scene.camera import View, apply, homography, lens_maps
from companion.commands.mat import command
from companion.core.errors import UsageError
from companion.core.mat_layout import MATS, mat_of
from companion.games import game_named
from companion.host.zones import mat_zones
from companion.vision.camera.lens import Lens, calibrate_lens
from companion.vision.camera.markers import DetectedMat, find_mat
from companion.vision.image.picture import Array, Image

SIZE = (1280, 720)
PER_MM = 3.0


def way(view: View, name: str) -> Array:
    """Millimetres of the mat to pixels of the straight picture; the mat's middle lies at (0, 0)."""
    mat = MATS[name]
    middle = np.array([[1, 0, -mat.width / 2], [0, 1, -mat.height / 2], [0, 0, 1]])
    return np.asarray(homography(view) @ middle)


def seen_from(view: View, name: str = "a3", covered: tuple[int, ...] = ()) -> Image:
    """The mat on a dark table, some of its markers under paper."""
    picture = mat_picture(MATS[name], PER_MM)
    for number in covered:
        corners = np.array(MATS[name].corners(number)) * PER_MM
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), (90, 120, 200))
    to_picture = way(view, name) @ np.diag([1 / PER_MM, 1 / PER_MM, 1.0])
    image = cv2.warpPerspective(picture, to_picture, SIZE, flags=cv2.INTER_AREA, borderValue=(40, 50, 60))
    maps = lens_maps(view)
    if maps is not None:
        image = cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(2).normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


def off(found: DetectedMat, view: View) -> float:
    """By how many pixels the mat's corners are misplaced at worst."""
    wide, high = found.mat.width, found.mat.height
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], float)
    true = apply(way(view, found.mat.name), corners)
    return float(np.linalg.norm(apply(found.matrix, corners) - true, axis=1).max())


@pytest.mark.parametrize("name", sorted(MATS))
@pytest.mark.parametrize("tilt", [0.0, 25.0])
def test_every_mat_is_found_where_it_lies(name: str, tilt: float) -> None:
    view = View(*SIZE, span=1.9 * MATS[name].width, tilt=tilt, turn=12.0)
    found = find_mat(seen_from(view, name))
    assert found is not None
    assert (found.mat.name, len(found.markers)) == (name, 10)
    assert off(found, view) < 1.2


@pytest.mark.parametrize("covered", [(20,), (20, 23), (20, 21, 22, 23), (24, 25, 26, 27, 28, 29)])
def test_covered_markers_do_no_harm(covered: tuple[int, ...]) -> None:
    view = View(*SIZE, span=700.0, tilt=15.0, turn=185.0)
    found = find_mat(seen_from(view, "a3", covered))
    assert found is not None
    assert not set(covered) & set(found.markers)
    assert off(found, view) < 4.0, "2 mm at the far end"


def test_one_marker_is_no_mat_and_an_empty_table_is_none() -> None:
    view = View(*SIZE, span=700.0)
    assert find_mat(seen_from(view, "a3", tuple(range(20, 29)))) is None
    assert find_mat(np.full((720, 1280, 3), 90, np.uint8)) is None


def test_zones_come_from_the_mat_and_end_at_the_picture() -> None:
    view = View(*SIZE, span=800.0)
    found = find_mat(seen_from(view))
    assert found is not None
    shapes = mat_zones(found.mat, game_named("seven_merry_monsters"), 4)
    assert set(shapes) == {"trick", "display:1", "display:2", "display:3", "display:4"}
    placed = {zone: np.array(found.project_zone(points, SIZE)) for zone, points in shapes.items()}
    assert all(((shape >= 0) & (shape <= 1)).all() for shape in placed.values())
    middles = {zone: shape.mean(axis=0) for zone, shape in placed.items()}
    assert middles["trick"] == pytest.approx([0.5, 0.5], abs=0.02)
    assert middles["display:1"][1] > 0.7, "the first player sits at the lower side"
    assert middles["display:2"][0] < 0.3, "the others follow clockwise"
    assert middles["display:3"][1] < 0.3
    assert middles["display:4"][0] > 0.7


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_displays_do_not_lie_over_each_other(seats: int) -> None:
    shapes = [
        np.array(one, np.float32)
        for one in mat_zones(MATS["a3"], game_named("seven_merry_monsters"), seats).values()
    ]
    assert len(shapes) == seats + 1
    for i, one in enumerate(shapes):
        for other in shapes[i + 1 :]:
            corners = (0, 0.25 * 420 * 0.8 * 297)  # the sides' neighbours share the corners of the table
            assert cv2.intersectConvexConvex(one, other)[0] <= corners[1] + 1


def test_what_lies_behind_the_camera_is_no_zone() -> None:
    view = View(*SIZE, span=500.0, tilt=55.0)
    found = find_mat(seen_from(view))
    assert found is not None
    far = [(0.0, 5000.0), (400.0, 5000.0), (400.0, 9000.0), (0.0, 9000.0)]
    assert found.project_zone(far, SIZE) == []


def views(bend: float) -> list[View]:
    tilts = [(0.0, 0.0), (35.0, 0.0), (35.0, 90.0), (35.0, 180.0), (30.0, 270.0), (25.0, 45.0)]
    return [View(*SIZE, span=560.0, tilt=tilt, turn=turn, bend=bend) for tilt, turn in tilts]


@pytest.fixture(scope="module")
def bent() -> list[DetectedMat]:
    found = [find_mat(seen_from(view)) for view in views(-0.09)]
    return [one for one in found if one is not None]


def test_the_bend_of_a_lens_is_learned_and_taken_out(bent: list[DetectedMat], tmp_path: Path) -> None:
    lens = calibrate_lens(bent, SIZE)
    assert lens.error < 0.5
    assert lens.helps
    assert lens.error_corrected < 0.5 * lens.error_uncorrected
    lens.save(tmp_path / "lens.json")
    kept = Lens.load(tmp_path / "lens.json")
    assert kept is not None
    view = View(*SIZE, span=620.0, tilt=10.0, bend=-0.09)
    image = seen_from(view)
    before, after = find_mat(image), find_mat(kept.undistort(image))
    assert before is not None
    assert after is not None
    assert after.error < 0.5 * before.error
    assert kept.undistort(image[:360]).shape == (360, 1280, 3), "another size is left alone"


def test_a_straight_lens_is_left_alone() -> None:
    found = [find_mat(seen_from(view)) for view in views(0.0)[:5]]
    assert not calibrate_lens([one for one in found if one is not None], SIZE).helps


def test_too_few_pictures_are_said_to_be(bent: list[DetectedMat]) -> None:
    with pytest.raises(UsageError, match="2 of 4 pictures"):
        calibrate_lens(bent[:2], SIZE)


@pytest.mark.parametrize("content", ["", "{}", '{"version": 1, "size": [1]}', '{"version": 9}'])
def test_a_broken_lens_file_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "lens.json").write_text(content)
    assert Lens.load(tmp_path / "lens.json") is None


def test_the_printed_mat_is_found(tmp_path: Path) -> None:
    """What the printer gets, seen by the camera."""
    page = pypdfium2.PdfDocument(io.BytesIO(mat_pdf("a4")))[0]
    image = page.render(scale=150 / 72, rev_byteorder=False).to_numpy()[..., :3]
    found = find_mat(np.ascontiguousarray(image))
    assert found is not None
    assert len(found.markers) == 10
    scale = float(np.linalg.norm(found.matrix[:2, 0]))
    assert scale == pytest.approx(150 / 25.4, rel=0.003), "millimetres are millimetres"


def test_the_command_draws_it(tmp_path: Path) -> None:
    out = tmp_path / "mat.pdf"
    arguments = ["--out", str(out), "--size", "a2", "--paper", "a4", "--json"]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert json.loads(result.stdout) == {"out": str(out), "mat": "a2", "mm": [594.0, 420.0], "pages": 9}
    assert len(pypdfium2.PdfDocument(out)) == 9
    with pytest.raises(UsageError, match="no mat"):
        CliRunner().invoke(command, ["--out", str(out), "--size", "b5"], catch_exceptions=False)


def test_markers_of_two_mats_are_told_apart() -> None:
    ids = [number for mat in MATS.values() for number in mat.middles()]
    assert len(set(ids)) == len(ids) == 60
    assert all(mat_of(number) is mat for mat in MATS.values() for number in mat.middles())
    assert mat_of(99) is None
