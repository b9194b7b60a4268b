"""Setting up and learning, measured: `python -m bench.setup --shared DIR [--every N]`.

Faults of the camera's picture are put into real photographs (darker, softer, a lamp, a finger, a bump); the
untouched photographs, with noise and with a piece moved, must give none. Cards for learning are sought in
photographs of several cards; the mat and the lens are rendered.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.report import options as results_option
from bench.report.estimates import Estimate, median, share
from bench.report.results import record
from companion.art.mat_sheet import mat_picture
from companion.art.scene.camera import View, apply, homography, lens_maps
from companion.core.mat_layout import MATS
from companion.vision.camera.lens import calibrate_lens
from companion.vision.camera.markers import find_mat
from companion.vision.camera.quality import examine, reference_view
from companion.vision.deck.collect import collect_cards
from companion.vision.image.geometry import contains

Image = NDArray[np.uint8]
SETS = ("poker24", "uno", "dice_mp")
LONGEST = 1280


def photographs(shared: Path, name: str, every: int) -> list[Path]:
    """Each `every`-th photograph of a set."""
    found = sorted((shared / "vision" / name).rglob("*.jpg"))
    return [path for path in found if "refs" not in path.parts][::every]


def loaded(path: Path) -> Image:
    """A photograph as large as a camera's picture."""
    image = cv2.imread(str(path))
    scale = min(1.0, LONGEST / max(image.shape[:2]))
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def noisy(image: NDArray[np.float64] | Image, rng: np.random.Generator) -> Image:
    """The picture with the noise of a sensor."""
    return np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)


def bumped(image: Image) -> Image:
    """Turned by 1.2 degrees and shifted by 1.5 % of the width."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 1.2, 1.0)
    matrix[0, 2] += 0.015 * width
    moved = cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(moved, np.uint8)


def lamp(image: Image) -> NDArray[np.float64]:
    """A lamp's reflection."""
    height, width = image.shape[:2]
    y, x = np.mgrid[:height, :width]
    glow = np.exp(-(((x / width - 0.3) / 0.05) ** 2) - ((y / height - 0.6) / 0.04) ** 2) * 400
    return np.asarray(image + glow[..., None], float)


def finger(image: Image) -> Image:
    """Something soft before the left half of the lens."""
    covered = image.copy()
    covered[:, : round(0.55 * image.shape[1])] = (60, 70, 110)
    return covered


def moved_piece(image: Image) -> Image:
    """A piece of the picture as large as two cards is moved."""
    high, wide = image.shape[0] // 6, image.shape[1] // 3
    moved = image.copy()
    moved[3 * high : 4 * high, wide : 2 * wide] = image[high : 2 * high, wide // 2 : wide // 2 + wide]
    return moved


FAULTS: dict[str, tuple[str, Callable[[Image], NDArray[np.generic]]]] = {
    "a fifth of the light": ("too_dark", lambda image: image * 0.2),
    "softened by 4 px": ("out_of_focus", lambda image: cv2.GaussianBlur(image, (0, 0), 4.0)),
    "a lamp's reflection": ("too_shiny", lamp),
    "a finger before half of the lens": ("lens_covered", finger),
    "a bump of 1.2 degrees and 1.5 %": ("camera_bumped", bumped),
}


def faults(shared: Path, every: int) -> dict[str, Estimate]:
    """How many faults are found, and how many there are said to be where there is none."""
    rng = np.random.default_rng(1)
    found: Counter[str] = Counter()
    false: Counter[str] = Counter()
    count, spoken, cost = 0, 0, []
    for name in SETS:
        for path in photographs(shared, name, every):
            image = loaded(path)
            view = reference_view(image)
            count += 1
            begun = time.process_time()
            codes = {one.code for one in examine(noisy(image, rng), view)}
            cost.append(1000 * (time.process_time() - begun))
            codes |= {one.code for one in examine(noisy(moved_piece(image), rng), view)}
            false.update(codes)
            spoken += bool(codes)
            for words, (code, change) in FAULTS.items():
                spoilt = noisy(np.asarray(change(image), float), rng)
                found[words] += code in {one.code for one in examine(spoilt, view)}
    print(f"| fault put into {count} real photographs | found |\n|---|---|")
    for words in FAULTS:
        print(f"| {words} | {found[words]} ({100 * found[words] / count:.0f} %) |")
    print(f"\nsaid of the same {count} photographs with nothing but noise or a moved piece: {dict(false)}")
    print(f"CPU ms a check: median {np.median(cost):.1f}, noise included\n")
    return {
        "setup/faults": share(sum(found.values()), count * len(FAULTS)),
        "setup/false": share(spoken, count),
    }


def learning(shared: Path, every: int) -> dict[str, Estimate]:
    """Whether the cards of a photograph are found to be learned."""
    truth = json.loads((shared / "vision" / "poker24" / "truth.json").read_text())
    names = sorted(truth)[::every]
    cards = hits = extra = 0
    cost = []
    for name in names:
        image = loaded(shared / "vision" / "poker24" / "photos" / name)
        begun = time.process_time()
        quads = [found.quad for found in collect_cards(image)]
        cost.append(1000 * (time.process_time() - begun))
        height, width = image.shape[:2]
        middles = [(x * width, y * height) for _, x, y in truth[name]]
        over = [sum(contains(quad, middle) for middle in middles) for quad in quads]
        cards += len(middles)
        hits += sum(any(contains(quad, middle) for quad in quads) for middle in middles)
        extra += sum(number != 1 for number in over)
    print(f"cards found to be learned, poker24, {len(names)} photographs: {hits} of {cards}, "
          f"{extra} outlines that are not one card; CPU ms median {np.median(cost):.0f}\n")  # fmt: skip
    return {"setup/learning": share(hits, cards)}


def rendered_mat(view: View, covered: int, rng: np.random.Generator) -> Image:
    """An A3 mat under a camera with so many markers covered."""
    mat = MATS["a3"]
    picture = mat_picture(mat, 3.0)
    for number in rng.choice(sorted(mat.middles()), covered, replace=False).tolist():
        cv2.fillConvexPoly(
            picture, np.round(np.array(mat.corners(number)) * 3.0).astype(np.int32), (90, 120, 200)
        )
    to_mm = np.array([[1 / 3.0, 0, -mat.width / 2], [0, 1 / 3.0, -mat.height / 2], [0, 0, 1]])
    size = (view.width, view.height)
    image = cv2.warpPerspective(
        picture, homography(view) @ to_mm, size, flags=cv2.INTER_AREA, borderValue=(40, 50, 60)
    )
    maps = lens_maps(view)
    if maps is not None:
        image = cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    light = rng.uniform(0.45, 0.9)
    return noisy(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.6)) * light, rng)


def mats(count: int) -> dict[str, Estimate]:
    """How precisely a mat is found."""
    rng = np.random.default_rng(5)
    found: Counter[int] = Counter()
    worst_errors: list[float] = []
    print("| markers covered | found | error, mm: median / worst | CPU ms |\n|---|---|---|---|")
    for covered in (0, 2, 5, 8):
        errors, cost = [], []
        for _ in range(count):
            view = View(
                1280, 720, span=rng.uniform(620, 900), tilt=rng.uniform(0, 35), turn=rng.uniform(0, 360)
            )
            image = rendered_mat(view, covered, rng)
            begun = time.process_time()
            seen = find_mat(image)
            cost.append(1000 * (time.process_time() - begun))
            if seen is None:
                continue
            grid = np.array([[x, y] for x in (0.0, 210.0, 420.0) for y in (0.0, 148.5, 297.0)])
            true = homography(view) @ np.array([[1, 0, -210.0], [0, 1, -148.5], [0, 0, 1]])
            back = apply(np.linalg.inv(true), apply(seen.matrix, grid))
            errors.append(float(np.linalg.norm(back - grid, axis=1).max()))
        found[covered] = len(errors)
        worst_errors += errors if covered <= 5 else []
        worst = f"{np.median(errors):.2f} / {max(errors):.2f}" if errors else "-"
        print(f"| {covered} of 10 | {len(errors)} of {count} | {worst} | {np.median(cost):.0f} |")
    print()
    return {
        "setup/mat": share(found[0] + found[2] + found[5], 3 * count),
        "setup/mat-8": share(found[8], count),
        "setup/mat-error": median(worst_errors),
    }


def lenses() -> dict[str, Estimate]:
    """What is left of a lens's bend."""
    rng = np.random.default_rng(6)
    tilts = [(0, 0), (35, 0), (35, 90), (35, 180), (30, 270), (25, 45)]
    flat = []
    print("| bend of the lens | uneven by, px | with it taken out, px | used |\n|---|---|---|---|")
    for bend in (0.0, -0.03, -0.06, -0.1, 0.06):
        views = [View(1280, 720, span=560, tilt=tilt, turn=turn, bend=bend) for tilt, turn in tilts]
        seen = [one for view in views if (one := find_mat(rendered_mat(view, 0, rng))) is not None]
        lens = calibrate_lens(seen, (1280, 720))
        flat.append(lens.error_corrected)
        errors = f"{lens.error_uncorrected:.2f} | {lens.error_corrected:.2f}"
        print(f"| {bend:+.2f} | {errors} | {'yes' if lens.helps else 'no'} |")
    return {"setup/lens": median(flat)}


def main() -> None:
    """Prints all tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--shared", type=Path, help="Folder with the real photographs; without it they are left out."
    )
    parser.add_argument("--every", type=int, default=1, help="Take each N-th photograph only.")
    parser.add_argument("--mats", type=int, default=25, help="Rendered mats a row.")
    results_option.add(parser)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    found: dict[str, Estimate] = {}
    if asked.shared:
        found |= faults(asked.shared, asked.every)
        found |= learning(asked.shared, asked.every)
    found |= mats(asked.mats)
    found |= lenses()
    record(asked.results, found)


if __name__ == "__main__":
    main()
