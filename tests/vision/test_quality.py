"""What keeps the camera from seeing well: each fault is found with its place, and play alone is no fault."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.art.scene import Conditions, Placed, Scene
from companion.art.scene.camera import View as Camera
from companion.vision.camera.quality import ReferenceView, ViewFault, examine, reference_view
from companion.vision.image.picture import Image

VIEW = Camera(width=1280, height=720, span=700.0, tilt=8.0)
LIGHT = Conditions("wood", 0.9, (1.0, 1.0, 1.0), 0.2, blur=0.4, noise=2.0, jpeg=95)
BEFORE = [
    Placed("gun", -250.0, -120.0, 10),
    Placed("phone", 230.0, -110.0, -20),
    Placed("gun", -220, 120, 80),
]
PLAYED = [*BEFORE, *(Placed("racketeer", 12.0 * k, 6.0 * k, 30.0 * k) for k in range(4))]


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene("nasty_7", VIEW, LIGHT, np.random.default_rng(4))


@pytest.fixture(scope="module")
def table(scene: Scene) -> Image:
    return np.asarray(scene.render(BEFORE).image, np.uint8)


@pytest.fixture(scope="module")
def played(scene: Scene) -> Image:
    return np.asarray(scene.render(PLAYED).image, np.uint8)


@pytest.fixture(scope="module")
def view(table: Image) -> ReferenceView:
    return reference_view(table)


def codes(found: tuple[ViewFault, ...]) -> list[str]:
    return [one.code for one in found]


def middle(finding: ViewFault) -> tuple[float, float]:
    assert finding.where is not None
    xs, ys = zip(*finding.where, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def test_a_good_picture_has_no_fault(table: Image, view: ReferenceView) -> None:
    assert examine(table) == ()
    assert examine(table, view) == ()


def test_cards_that_are_played_are_no_fault(played: Image, view: ReferenceView) -> None:
    assert examine(played, view) == ()


def test_another_light_is_no_bump(table: Image, view: ReferenceView) -> None:
    warmer = np.clip(table * np.array([0.75, 0.85, 0.9]) + 4, 0, 255).astype(np.uint8)
    assert examine(warmer, view) == ()


def test_a_dark_table(table: Image, view: ReferenceView) -> None:
    (found,) = examine((table * 0.2).astype(np.uint8), view)
    assert found.code == "too_dark"
    assert 0.05 < found.amount < 0.27


def test_a_burnt_out_picture(table: Image) -> None:
    assert "too_bright" in codes(examine(cv2.convertScaleAbs(table, alpha=3.0, beta=60)))


def test_a_picture_that_is_burnt_out_all_over_is_too_bright_and_not_covered(
    table: Image, view: ReferenceView
) -> None:
    assert codes(examine(np.full_like(table, 255), view)) == ["too_bright"]


@pytest.mark.parametrize("at", [(0.3, 0.6), (0.8, 0.25)])
def test_a_shine_with_its_place(table: Image, view: ReferenceView, at: tuple[float, float]) -> None:
    y, x = np.mgrid[:720, :1280]
    glow = 500 * np.exp(-(((x - at[0] * 1280) / 60) ** 2) - ((y - at[1] * 720) / 40) ** 2)
    shiny = np.clip(table + glow[..., None], 0, 255).astype(np.uint8)
    (found,) = examine(shiny, view)
    assert found.code == "too_shiny"
    assert middle(found) == pytest.approx(at, abs=0.03)


def test_out_of_focus(table: Image, view: ReferenceView) -> None:
    (found,) = examine(cv2.GaussianBlur(table, (0, 0), 4.0), view)
    assert found.code == "out_of_focus"
    assert found.amount == pytest.approx(4.0 / 1280, rel=0.4)
    assert examine(cv2.GaussianBlur(table, (0, 0), 1.0), view) == ()


def test_a_finger_before_the_lens(table: Image, view: ReferenceView) -> None:
    covered = table.copy()
    covered[:, 500:] = (60, 75, 120)
    (found,) = examine(cv2.GaussianBlur(covered, (0, 0), 1.0), view)
    assert found.code == "lens_covered"
    assert middle(found)[0] > 0.5


def test_a_cap_on_the_lens_is_found_without_a_remembered_view() -> None:
    grey = np.full((720, 1280, 3), 128, np.uint8)
    assert codes(examine(grey)) == ["lens_covered"]


@pytest.mark.parametrize(("turn", "x", "y"), [(0.0, 25.0, -10.0), (2.0, 0.0, 0.0), (-1.0, -40.0, 30.0)])
def test_a_bumped_camera(played: Image, view: ReferenceView, turn: float, x: float, y: float) -> None:
    matrix = cv2.getRotationMatrix2D((640, 360), turn, 1.0)
    matrix[:, 2] += (x, y)
    moved = cv2.warpAffine(played, matrix, (1280, 720), borderMode=cv2.BORDER_REFLECT)
    found = examine(moved, view)
    assert codes(found) == ["camera_bumped"]
    frame = np.array([[0, 0], [1280, 0], [1280, 720], [0, 720]], float)
    true = (frame @ matrix[:, :2].T + matrix[:, 2]) / (1280, 720)
    assert np.abs(np.array(found[0].where) - true).max() < 0.006


def test_one_card_that_slides_is_no_bump(scene: Scene, view: ReferenceView) -> None:
    slid = [Placed("gun", -200.0, -120.0, 10), *BEFORE[1:]]
    assert examine(np.asarray(scene.render(slid).image, np.uint8), view) == ()


def test_the_view_is_kept_without_a_picture(table: Image, view: ReferenceView, tmp_path: Path) -> None:
    view.save(tmp_path / "view.npz")
    kept = ReferenceView.load(tmp_path / "view.npz")
    assert kept is not None
    assert (kept.points == view.points).all()
    assert (tmp_path / "view.npz").stat().st_size < 40_000
    (tmp_path / "view.npz").write_bytes(b"nonsense")
    assert ReferenceView.load(tmp_path / "view.npz") is None
    assert ReferenceView.load(tmp_path / "none.npz") is None
