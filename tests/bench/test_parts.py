"""The parts of the benchmark: every command is one, takes its arguments, and says why it measures nothing."""

import importlib
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench import __main__ as command
from bench import parts
from bench.report.measures import catalogue
from bench.report.results import load
from bench.vision.retaken import KINDS, moved, retake

FOLDER = Path(command.__file__).parent
TOOLS = {
    "bench.vision.plots",
    "bench.vision.calibration",
    "bench.surrogates",
    "bench.mutants",
    "bench.constants",
    "bench.hall.home_assistant",
    "bench.hall.whole_worker",
    "bench.hall.worker",
    "bench.rules.coverage",
    "bench.hostile.description",
    "bench.rules.perft",
}
"""Commands that draw pictures or compare them, and tools: no row of the report comes from them."""
KNOWN = {part.name: part for part in parts.PARTS}


def commands() -> set[str]:
    paths = [path for path in FOLDER.rglob("*.py") if "\nif __name__ ==" in path.read_text(encoding="utf-8")]
    names = {".".join(("bench", *path.relative_to(FOLDER).with_suffix("").parts)) for path in paths}
    return {name.removesuffix(".__main__") for name in names} - {"bench"}


def source(module: str) -> str:
    path = FOLDER.parent.joinpath(*module.split("."))
    return (path / "__main__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")


def test_every_command_is_a_part() -> None:
    assert {part.module for part in parts.PARTS} == commands() - TOOLS


@pytest.mark.parametrize("part", parts.PARTS, ids=lambda part: part.name)
def test_a_part_takes_its_arguments(part: parts.Part) -> None:
    text = source(part.module)
    options = [word for word in (*part.full, *part.quick) if word.startswith("--")]
    options += ["--shared"] if part.shared else []
    assert all(f'"{option}"' in text for option in options)
    assert "results_option.add(" in text


def test_every_part_measures_something_and_every_measure_has_a_part() -> None:
    known = catalogue()
    assert {measure.part for measure in known.measures.values()} == set(KNOWN)
    assert {measure.area for measure in known.measures.values()} == set(known.areas)


@pytest.mark.parametrize("part", parts.PARTS, ids=lambda part: part.name)
def test_the_measures_of_a_part_are_named_in_its_package(part: parts.Part) -> None:
    """A measure that no code writes would be listed as not measured for ever."""
    folder = FOLDER / part.module.split(".")[1]
    text = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    for measure in catalogue().of_part(part.name):
        words = measure.id.partition("/")[2].replace("_", "-").split("-")
        assert any(word in text for word in words), measure.id


@pytest.mark.parametrize(
    "path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.relative_to(FOLDER).as_posix()
)
def test_every_module_can_be_imported(path: Path) -> None:
    """The measures take long and run seldom: a name that was changed elsewhere is noticed here."""
    name = ".".join(("bench", *path.relative_to(FOLDER).with_suffix("").parts))
    importlib.import_module(name.removesuffix(".__init__"))


def test_parts_are_chosen_by_name_or_by_area() -> None:
    assert parts.chosen_parts(["tiles.own"]) == [KNOWN["tiles.own"]]
    assert parts.chosen_parts(["tiles"]) == [KNOWN["tiles.photographs"], KNOWN["tiles.own"]]
    assert parts.chosen_parts([]) == list(parts.PARTS)
    with pytest.raises(KeyError, match="eyes"):
        parts.chosen_parts(["tiles", "eyes"])


def test_what_cannot_be_measured_says_why(tmp_path: Path) -> None:
    assert "--shared" in parts.why_not(KNOWN["speech.invented"], tmp_path, bool)
    assert "pip install pocketsphinx" in parts.why_not(KNOWN["speech.peer"], tmp_path, lambda name: False)
    assert "apt install espeak-ng" in parts.why_not(KNOWN["speech.de"], tmp_path, bool, lambda name: False)
    assert parts.why_not(KNOWN["dice.photographs"], tmp_path) == "", "rendered dice need no photographs"
    (tmp_path / "speech").mkdir()
    assert parts.why_not(KNOWN["speech.invented"], tmp_path, bool) == ""


def test_a_part_that_fails_does_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def stub(part: parts.Part, shared: Path, quick: bool, results: Path | None) -> list[str]:
        return [sys.executable, "-c", f"print('ran'); raise SystemExit({part.name == 'service.drawing'})"]

    monkeypatch.setattr(parts.Part, "command", stub)
    failed = command.run([KNOWN["service.drawing"], KNOWN["service.start"]], tmp_path, True, tmp_path)
    assert failed == ["service.drawing"]
    assert capfd.readouterr().out.count("ran") == 2
    results = load(tmp_path)
    assert results["service/card"].value is None
    assert results["service/card"].reason == "the command failed with status 1"
    assert results["service/replay-cpu"].reason == "the command gave no value"


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
