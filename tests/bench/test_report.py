"""Results as data: the report equals the committed results, and the comparison notices what got worse."""

import importlib.util
import re
import sys
from pathlib import Path

import msgspec
import pytest

from bench import __main__ as command
from bench.parts import PARTS
from bench.paths import ROOT
from bench.report import compare
from bench.report.document import LINES, document
from bench.report.estimates import Estimate, mean, median, rate, share, single
from bench.report.measures import Catalogue, Measure, ReportArea, catalogue
from bench.report.results import (
    RESULTS,
    MeasureResult,
    Origin,
    command_line,
    load,
    measured,
    save,
    unmeasured,
)

HERE = Origin("python -m bench.tiles 4", "abc1234", "2026-11-22 13:00", "2 x AMD EPYC, Python 3.11.7")
PART = "tiles.photographs"
RECALL = Measure(id="tiles/recall", title="recall", unit="share", better="higher", part=PART, target=0.95)
CPU = Measure(id="tiles/ms", title="CPU", unit="ms", better="lower", part=PART, time=True)
TWO = Catalogue({"tiles": ReportArea(title="Tiles")}, {measure.id: measure for measure in (RECALL, CPU)})


def result(measure: Measure, found: Estimate, **changed: str) -> MeasureResult:
    return measured(measure, found, msgspec.structs.replace(HERE, **changed))


def test_the_report_is_what_the_committed_results_say() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert page == command.report(), "run python -m bench --read"
    assert len(page.splitlines()) <= LINES


@pytest.mark.parametrize("kept", load(RESULTS).values(), ids=lambda kept: kept.measure)
def test_a_committed_result_is_a_measure_with_an_existing_command(kept: MeasureResult) -> None:
    measure = catalogue().measures[kept.measure]
    assert (kept.title, kept.unit, kept.better, kept.target) == (
        measure.title,
        measure.unit,
        measure.better,
        measure.target,
    ), "the catalogue has changed: measure again, or change the result's words with it"
    module = re.fullmatch(r"python -m (bench[\w.]*)\b.*", kept.command)
    if module is None:
        target = kept.command.removeprefix("make ")
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    else:
        assert importlib.util.find_spec(module[1]) is not None
    assert kept.value is not None or kept.reason
    assert kept.value is None or re.fullmatch(r"[0-9a-f]{7,12}", kept.commit), "measure a committed state"


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(41, 41, 0.9143, 1.0), (0, 62, 0.0, 0.0583), (27, 32, 0.6825, 0.9314), (5, 10, 0.2366, 0.7634)],
)
def test_shares_have_wilson_intervals(hits: int, of: int, low: float, high: float) -> None:
    found = share(hits, of)
    assert found.value == hits / of
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_no_observations_are_no_share() -> None:
    with pytest.raises(ValueError, match="0 of 0"):
        share(0, 0)


def test_rates_have_poisson_intervals() -> None:
    none, three = rate(0, 2.0), rate(3, 1.0)
    assert (none.value, none.low) == (0.0, 0.0)
    assert none.high == pytest.approx(3.689 / 2, rel=0.02)
    assert (three.low, three.high) == pytest.approx((0.6187, 8.7673), rel=0.03)


def test_medians_and_means_are_resampled_with_a_fixed_seed() -> None:
    values = [float(n % 17) for n in range(200)]
    assert median(values) == median(values)
    for found, true in ((median(values), 8.0), (mean(values), sum(values) / 200)):
        assert found.value == true
        assert found.low is not None
        assert found.high is not None
        assert found.low < true < found.high
        assert found.high - found.low < 4


@pytest.mark.parametrize(
    ("old", "new", "is_worse"),
    [
        ((95, 100), (80, 100), True),
        ((95, 100), (91, 100), False),
        ((95, 100), (100, 100), False),
        ((950, 1000), (910, 1000), True),
        ((41, 41), (40, 41), False),
    ],
)
def test_a_share_is_worse_only_beyond_noise(
    old: tuple[int, int], new: tuple[int, int], is_worse: bool
) -> None:
    assert compare.is_worse(result(RECALL, share(*old)), result(RECALL, share(*new))) is is_worse


def test_a_time_counts_on_the_same_processor_and_above_its_tolerance() -> None:
    old = result(CPU, median([100.0 + n for n in range(10)]))
    slower = median([150.0 + n for n in range(10)])
    assert compare.is_worse(old, result(CPU, slower))
    assert not compare.is_worse(old, result(CPU, median([115.0 + n for n in range(10)])))
    elsewhere = result(CPU, slower, machine="4 x Cortex-A76, Python 3.11.2")
    assert not compare.is_worse(old, elsewhere)
    assert compare.uncompared({CPU.id: old}, {CPU.id: elsewhere}) == {CPU.id: "a time on another processor"}


def test_a_single_value_has_a_fixed_tolerance() -> None:
    old = result(CPU, single(100.0))
    memory = msgspec.structs.replace(old, time=False)
    assert compare.is_worse(memory, msgspec.structs.replace(memory, value=111.0))
    assert not compare.is_worse(memory, msgspec.structs.replace(memory, value=109.0))


def test_check_says_what_got_worse_and_ends_with_status_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, new = tmp_path / "kept", tmp_path / "new"
    save(kept, result(RECALL, share(95, 100)))
    save(kept, result(CPU, single(10.0)))
    save(new, result(RECALL, share(80, 100), commit="def5678"))
    save(new, unmeasured(CPU, "no disk", HERE))
    monkeypatch.setattr(command, "RESULTS", kept)
    monkeypatch.setattr(sys, "argv", ["bench", "--check", "--from", str(new)])
    assert command.main() == 1
    printed = capsys.readouterr().out
    assert "worse: tiles/recall: 0.95 -> 0.8 share (N 100 -> 100, abc1234 -> def5678)" in printed
    assert "not compared: tiles/ms (no disk)" in printed
    save(new, result(RECALL, share(96, 100)))
    assert command.main() == 0


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    first = measured(RECALL, share(2, 3), HERE, {"tilted": 0.5})
    second = unmeasured(CPU, "no data", HERE)
    save(tmp_path, first)
    save(tmp_path, second)
    assert load(tmp_path) == {"tiles/recall": first, "tiles/ms": second}
    assert (first.met, second.met) == (False, None)


def test_each_row_names_its_commit_and_a_table_lists_what_it_lacks() -> None:
    old = result(RECALL, share(99, 100), commit="0000000", date="2026-11-01 10:00")
    new = result(CPU, single(7.0))
    page = document(TWO, {old.measure: old, new.measure: new})
    assert "Measured up to 2026-11-22 13:00 UTC" in page
    assert "| recall | 99.0 % |" in page
    assert "| yes | 0000000 | `python -m bench.tiles 4` |" in page
    assert "| CPU | 7 ms | - | 1 | - | - | yes | abc1234 | `python -m bench.tiles 4` |" in page
    missing = document(TWO, {RECALL.id: unmeasured(RECALL, "no photographs", HERE)})
    assert "(no photographs): recall." in missing
    assert "(no result): ms." in missing


def test_a_target_is_met_or_missed() -> None:
    page = document(TWO, {RECALL.id: result(RECALL, share(94, 100))})
    assert "| recall | 94.0 % | 87.5 to 97.2 % | 100 | >= 95.0 % | **missed** | yes |" in page
    assert "| met |" in document(TWO, {RECALL.id: result(RECALL, share(95, 100))})


def test_a_report_that_is_too_long_is_refused() -> None:
    many = {f"tiles/{n}": msgspec.structs.replace(RECALL, id=f"tiles/{n}") for n in range(LINES)}
    found = {name: msgspec.structs.replace(result(CPU, single(1.0)), measure=name) for name in many}
    with pytest.raises(ValueError, match=f"{LINES} are allowed"):
        document(Catalogue({"tiles": ReportArea(title="Tiles")}, many), found)


def test_a_command_is_shown_without_the_folders_of_one_machine() -> None:
    arguments = ["--every", "2", "--shared", "/home/ida/data", "--results", "/tmp/x", "-v"]
    assert command_line("bench.dice.__main__", arguments) == "python -m bench.dice --every 2 --shared DIR -v"


def test_the_report_of_a_full_run_fits_its_length() -> None:
    commands = {part.name: part.shown for part in PARTS}
    found = {
        name: measured(measure, share(9, 10), msgspec.structs.replace(HERE, command=commands[measure.part]))
        for name, measure in catalogue().measures.items()
    }
    assert len(document(catalogue(), found).splitlines()) <= LINES
