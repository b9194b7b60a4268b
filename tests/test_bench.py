"""`make bench`: one command for every table of figures."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench import __main__ as every
from bench.retaken import KINDS, moved, retake

FOLDER = Path(every.__file__).parent
ASIDE = {"eyes_plots", "eyes_surrogates"}
"""Commands that draw pictures and measure nothing by themselves."""


def commands() -> set[str]:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")}
    return {name for name, text in texts.items() if "\nif __name__ ==" in text} - {"__main__"}


def test_every_table_is_among_the_parts() -> None:
    assert {part.module for part in every.PARTS} == commands() - ASIDE


@pytest.mark.parametrize("part", every.PARTS, ids=lambda part: " ".join((part.module, *part.full)))
def test_a_part_takes_what_it_is_given(part: every.Part) -> None:
    text = (FOLDER / f"{part.module}.py").read_text(encoding="utf-8")
    options = [word for word in (*part.full, *part.quick) if word.startswith("--")]
    options += ["--shared"] if part.shared else []
    assert all(f'"{option}"' in text for option in options)


def test_what_cannot_be_measured_says_why(tmp_path: Path) -> None:
    known = {part.module: part for part in every.PARTS}
    assert "--shared" in every.why_not(known["likeness"], tmp_path, bool)
    assert "pip install pocketsphinx" in every.why_not(known["speech_peer"], tmp_path, lambda name: False)
    assert every.why_not(known["vision"], tmp_path, bool) == "", "rendered sets need nothing"
    (tmp_path / "speech").mkdir()
    assert every.why_not(known["likeness"], tmp_path, bool) == ""


def test_one_that_fails_does_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def asked(part: every.Part, shared: Path, quick: bool) -> list[str]:
        return [sys.executable, "-c", f"print('{part.module}'); raise SystemExit({part.module == 'art'})"]

    monkeypatch.setattr(every, "command", asked)
    assert every.run((every.Part("art"), every.Part("start")), tmp_path, quick=True) == ["art"]
    assert capfd.readouterr().out.split() == ["##", "art", "art", "##", "start", "start"]


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
