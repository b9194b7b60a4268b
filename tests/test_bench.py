"""`make bench`: one command for every table of figures."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench import __main__ as every
from bench.vision.retaken import KINDS, moved, retake

FOLDER = Path(every.__file__).parent
ASIDE = {"vision.plots", "surrogates", "mutants", "constants"}
"""Commands that draw pictures and measure nothing by themselves, or that need the files to change."""


def commands() -> set[str]:
    paths = [path for path in FOLDER.rglob("*.py") if "\nif __name__ ==" in path.read_text(encoding="utf-8")]
    names = {".".join(path.relative_to(FOLDER).with_suffix("").parts) for path in paths}
    return {name.removesuffix(".__main__") for name in names} - {"__main__"}


def source(module: str) -> str:
    path = FOLDER.joinpath(*module.split("."))
    return (path / "__main__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")


def test_every_table_is_among_the_parts() -> None:
    assert {part.module for part in every.PARTS} == commands() - ASIDE


@pytest.mark.parametrize("part", every.PARTS, ids=lambda part: " ".join((part.module, *part.full)))
def test_a_part_takes_what_it_is_given(part: every.Part) -> None:
    text = source(part.module)
    options = [word for word in (*part.full, *part.quick) if word.startswith("--")]
    options += ["--shared"] if part.shared else []
    assert all(f'"{option}"' in text for option in options)


def test_what_cannot_be_measured_says_why(tmp_path: Path) -> None:
    known = {part.module: part for part in every.PARTS}
    assert "--shared" in every.why_not(known["speech.invented"], tmp_path, bool)
    assert "pip install pocketsphinx" in every.why_not(known["speech.peer"], tmp_path, lambda name: False)
    assert every.why_not(known["vision"], tmp_path, bool) == "", "rendered sets need nothing"
    (tmp_path / "speech").mkdir()
    assert every.why_not(known["speech.invented"], tmp_path, bool) == ""


def test_one_that_fails_does_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def asked(part: every.Part, shared: Path, quick: bool) -> list[str]:
        return [
            sys.executable,
            "-c",
            f"print('{part.module}'); raise SystemExit({part.module == 'drawing.speed'})",
        ]

    monkeypatch.setattr(every, "command", asked)
    assert every.run((every.Part("drawing.speed"), every.Part("service.start")), tmp_path, quick=True) == [
        "drawing.speed"
    ]
    assert capfd.readouterr().out.split() == [
        "##",
        "drawing.speed",
        "drawing.speed",
        "##",
        "service.start",
        "service.start",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_retaken_photograph_has_everything_where_it_is_said_to_be(kind: str) -> None:
    image = np.full((300, 400, 3), 60, np.uint8)
    cv2.circle(image, (100, 220), 12, (220, 220, 220), -1)
    other, matrix = retake(image, kind, np.random.default_rng(1), [(0.8, 0.2)])
    grey = cv2.GaussianBlur(other.max(axis=2), (0, 0), 4)
    x, y = moved(matrix, 100, 220)
    near = grey[round(y) - 9 : round(y) + 10, round(x) - 9 : round(x) + 10]
    assert near.max() > 1.5 * np.median(grey)
    assert other.shape != image.shape or not np.array_equal(other, image)
