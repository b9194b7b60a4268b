"""Drawn cases by which the limits of the camera are fitted: what is wrong with a camera, and what is not.

A case is a picture, or two, and what must be said of it. Real photographs are left out: bench.setup says
afterwards what the limits are worth on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from bench.setup.__main__ import moved_piece, rendered_mat
from companion.art.scene import Placed, Scene, random_conditions
from companion.art.scene.camera import View, apply, homography
from companion.core.errors import CompanionError
from companion.vision.camera.lens import calibrate_lens
from companion.vision.camera.markers import DetectedMat, find_mat
from companion.vision.camera.quality import ReferenceView, examine, reference_view
from companion.vision.image.exposure import LightEstimate
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.tracking.camera_view import AT_REST, fitted_view, largest_difference

Verdict = Literal["right", "missed", "false"]
SIZE = (1280, 720)
SMALL = (640, 360)
LABELS = ("gun", "phone", "racketeer")
BENDS = (0.0, -0.03, 0.06)
OFF_MM, OFF_PIXELS = 3.0, 1.0
"""How far off a mat and a motion may be found."""
THRESHOLD = 16.0
"""Levels from which on a pixel differs, in little noise."""


@dataclass(frozen=True, eq=False)
class CameraCase:
    """What is judged, by which parts of the limits, and how it comes out with those in use."""

    kind: str
    parts: tuple[str, ...]
    verdict: Callable[[], Verdict]


def development_cases(seeds: Iterable[int]) -> Iterator[CameraCase]:
    """The cases of some tables."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        table, played = _table(seed, rng)
        yield from _faults(table, played, rng)
        yield from _motions(table, rng)
        yield from _lights(table, rng)
        yield from (_mat(covered, rng) for covered in (0, 2, 5))
        yield _lens(BENDS[seed % len(BENDS)], rng)


def _table(seed: int, rng: np.random.Generator) -> tuple[Image, Image]:
    """A table with cards on it, and the same later with more of them."""
    view = View(*SIZE, span=float(rng.uniform(500, 900)), tilt=float(rng.uniform(0, 30)))
    conditions = random_conditions(rng)
    places = [
        Placed(LABELS[k % 3], float(rng.uniform(-250, 250)), float(rng.uniform(-130, 130)), 40.0 * k)
        for k in range(int(rng.integers(3, 12)))
    ]
    few = max(2, len(places) // 2)
    first, later = (Scene("nasty_7", view, conditions, np.random.default_rng(seed)).render(some).image
                    for some in (places[:few], places))  # fmt: skip
    return np.asarray(first, np.uint8), np.asarray(later, np.uint8)


def _noisy(image: Array, rng: np.random.Generator, deviation: float = 3.0) -> Image:
    """The picture with the noise of a sensor."""
    noise = rng.standard_normal(image.shape, np.float32)
    return np.asarray(np.clip(image + deviation * noise, 0, 255), np.uint8)


# --- faults -----------------------------------------------------------------------------------------------


def _faults(table: Image, played: Image, rng: np.random.Generator) -> Iterator[CameraCase]:
    """Pictures with one fault each, and others without any."""
    view = reference_view(table)
    spoilt: dict[str, Array] = {
        "too_dark": played * float(rng.uniform(0.1, 0.22)),
        "too_bright": played * 6.0 + 60.0,
        "out_of_focus": cv2.GaussianBlur(played, (0, 0), float(rng.uniform(3.0, 5.0))),
        "too_shiny": _shine(played, rng),
        "lens_covered": _covered(played, float(rng.uniform(0.45, 0.75))),
        "camera_bumped": _shifted(played, float(rng.uniform(0.012, 0.04)), float(rng.uniform(-2, 2)), rng),
    }
    for code, picture in spoilt.items():
        yield _fault(code, _noisy(picture, rng), view)
    sound = (
        table,
        played,
        played * 0.75,
        cv2.GaussianBlur(played, (0, 0), float(rng.uniform(0.3, 0.9))),
        moved_piece(played),
        _shifted(played, 0.002, 0.0, rng),
    )
    for one in sound:
        yield _fault("", _noisy(np.asarray(one), rng), view)


def _fault(code: str, picture: Image, view: ReferenceView) -> CameraCase:
    def verdict() -> Verdict:
        found = {one.code for one in examine(picture, view)}
        if code:
            return "right" if code in found else "missed"
        return "false" if found else "right"

    return CameraCase(code or "no fault", ("faults", "edges"), verdict)


def _shine(image: Image, rng: np.random.Generator) -> Array:
    """A lamp's reflection somewhere."""
    height, width = image.shape[:2]
    y, x = np.mgrid[:height, :width]
    at, size = rng.uniform(0.2, 0.8, 2), float(rng.uniform(0.035, 0.08))
    away = ((x / width - at[0]) / size) ** 2 + ((y / height - at[1]) / size) ** 2
    return np.asarray(image + (500 * np.exp(-away))[..., None])


def _covered(image: Image, share: float) -> Array:
    """Something soft before a part of the lens."""
    covered = image.copy()
    covered[:, : round(share * image.shape[1])] = (60, 70, 110)
    return covered


def _shifted(image: Image, share: float, turn: float, rng: np.random.Generator) -> Array:
    """The picture turned by degrees and shifted by a share of its width."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
    towards = float(rng.uniform(0, 2 * math.pi))
    matrix[:, 2] += share * width * np.array([math.cos(towards), math.sin(towards)])
    return np.asarray(cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REFLECT))


# --- motion and light ---------------------------------------------------------------------------------------


def _motions(table: Image, rng: np.random.Generator) -> Iterator[CameraCase]:
    """Motions of the camera with a hand in the picture or without, and pictures in which it is at rest."""
    ground = cv2.cvtColor(cv2.resize(table, SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    for hand in (0.0, 0.2, 0.35):
        matrix = cv2.getRotationMatrix2D(
            (SMALL[0] / 2, SMALL[1] / 2), float(rng.uniform(-0.7, 0.7)), float(rng.uniform(0.99, 1.012))
        )
        matrix[:, 2] += rng.uniform(-9, 9, 2)
        moved = cv2.warpAffine(ground, matrix, SMALL, borderMode=cv2.BORDER_REPLICATE)
        moved[:, : round(hand * SMALL[0])] = 150
        yield _motion(np.asarray(ground), _noisy(moved, rng, 2.0), np.asarray(matrix, np.float32))
    pushed = ground.copy()
    pushed[120:240, 200:400] = ground[116:236, 206:406]
    for still in (ground, pushed):
        yield _motion(np.asarray(ground), _noisy(still, rng, 2.0), None)


def _motion(ground: Bytes, picture: Bytes, true: Floats | None) -> CameraCase:
    def verdict() -> Verdict:
        found = fitted_view(ground, picture, AT_REST, THRESHOLD)
        if found == AT_REST:
            return "right" if true is None else "missed"
        if true is None:
            return "false"
        off = largest_difference(found.motion(picture.shape), true, picture.shape)
        return "right" if off < OFF_PIXELS else "missed"

    return CameraCase("no motion" if true is None else "motion", ("motion",), verdict)


def _lights(table: Image, rng: np.random.Generator) -> Iterator[CameraCase]:
    """Changes of the light with something new on the table, in little noise and in much."""
    ground = np.asarray(cv2.resize(table, SMALL, interpolation=cv2.INTER_AREA), np.uint8)
    for deviation in (1.0, 3.0, 6.0):
        gain = float(rng.choice([0.8, 0.97, 1.0, 1.0, 1.05]))
        lit = np.asarray(ground * gain, np.float32)
        new = np.s_[100:220, 250:340]
        lit[new] += 60.0 * np.sign(128.0 - lit[new].mean())
        pictures = [_noisy(lit, rng, deviation) for _ in range(12)]
        yield _light(ground, pictures, gain, new)


def _light(ground: Bytes, pictures: list[Image], gain: float, new: tuple[slice, slice]) -> CameraCase:
    def verdict() -> Verdict:
        light = LightEstimate()
        for t, picture in enumerate(pictures):
            light.measure(picture, ground, 0.1 * t)
        off = np.abs(pictures[-1].astype(np.float32) - ground * light.gain).max(axis=2)
        differs = off > light.threshold
        found = float(differs[new].mean())
        differs[new] = False
        if float(differs.mean()) > 0.002:
            return "false"
        return "right" if found > 0.5 and np.abs(light.gain / gain - 1.0).max() < 0.02 else "missed"

    return CameraCase("light", ("light",), verdict)


# --- mat and lens -----------------------------------------------------------------------------------------


def _mat(covered: int, rng: np.random.Generator) -> CameraCase:
    """A mat of which some markers are covered."""
    view = View(*SIZE, span=float(rng.uniform(620, 900)), tilt=float(rng.uniform(0, 35)),
                turn=float(rng.uniform(0, 360)), bend=float(rng.uniform(-0.04, 0.03)))  # fmt: skip
    image = rendered_mat(view, covered, rng)
    grid = np.array([[x, y] for x in (0.0, 210.0, 420.0) for y in (0.0, 148.5, 297.0)])
    true = homography(view) @ np.array([[1, 0, -210.0], [0, 1, -148.5], [0, 0, 1]])

    def verdict() -> Verdict:
        seen = find_mat(image)
        if seen is None:
            return "missed"
        off = np.linalg.norm(apply(np.linalg.inv(true), apply(seen.matrix, grid)) - grid, axis=1).max()
        return "right" if off < OFF_MM + 300.0 * abs(view.bend) else "missed"

    return CameraCase("mat", ("mat",), verdict)


def _lens(bend: float, rng: np.random.Generator) -> CameraCase:
    """A lens that is bent, or not, in six pictures of a mat."""
    tilts = ((0, 0), (35, 0), (35, 90), (35, 180), (30, 270), (25, 45))
    views = [View(*SIZE, span=560, tilt=tilt, turn=turn, bend=bend) for tilt, turn in tilts]
    pictures = [rendered_mat(view, 0, rng) for view in views]

    def verdict() -> Verdict:
        seen: list[DetectedMat] = [one for one in map(find_mat, pictures) if one is not None]
        try:
            helps = calibrate_lens(seen, SIZE).helps
        except CompanionError:
            helps = False
        if helps == (bend != 0.0):
            return "right"
        return "false" if helps else "missed"

    return CameraCase("lens" if bend else "straight lens", ("mat",), verdict)
