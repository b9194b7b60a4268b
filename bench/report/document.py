"""Writes docs/benchmarks.md from the results: a table an area; each row names its commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.parts import PARTS
from bench.report.measures import Catalogue, Measure, ReportArea
from bench.report.results import MeasureResult

LINES = 220
"""At most so many lines has the report."""
HEAD = (Path(__file__).parent / "head.md").read_text(encoding="utf-8")
COLUMNS = (
    "| measure | value | 95 % | N | target | met | fresh | commit | command |\n"
    "|---|---|---|---|---|---|---|---|---|"
)  # fmt: skip


def document(catalogue: Catalogue, results: Mapping[str, MeasureResult]) -> str:
    """The whole page.

    Raises:
        ValueError: it has more than LINES lines.
    """
    parts = [HEAD]
    parts += [_table(area, catalogue.of_area(name), results) for name, area in catalogue.areas.items()]
    page = "\n".join(parts)
    if page.count("\n") > LINES:
        raise ValueError(f"the report has {page.count(chr(10))} lines; at most {LINES} are allowed")
    return page


def _table(area: ReportArea, measures: Sequence[Measure], results: Mapping[str, MeasureResult]) -> str:
    """One area: its rows, then what was not measured."""
    rows: list[list[MeasureResult]] = []
    missing: dict[str, list[str]] = {}
    for measure in measures:
        result = results.get(measure.id)
        if result is None or result.value is None:
            missing.setdefault(_reason(measure, result), []).append(measure.id.partition("/")[2])
        elif measure.joins and rows and _same_run(rows[-1][-1], result):
            rows[-1].append(result)
        else:
            rows.append([result])
    lines = [f"## {area.title}"]
    if rows:
        newest = max((row[-1] for row in rows), key=lambda result: result.date)
        head = f"Measured up to {newest.date} UTC; the newest rows on {newest.machine}."
        lines += [f"{head} {area.note}".rstrip(), ""]
        lines += [COLUMNS, *(_row(row) for row in rows), ""]
    lines += [f"Not measured, {reason}: {', '.join(names)}." for reason, names in missing.items()]
    return "\n".join([*lines, ""] if missing else lines)


def _same_run(first: MeasureResult, second: MeasureResult) -> bool:
    return (first.command, first.commit) == (second.command, second.commit)


def _reason(measure: Measure, result: MeasureResult | None) -> str:
    command = next((part.shown for part in PARTS if part.name == measure.part), measure.part)
    return f"`{command}` ({'no result' if result is None else result.reason})"


def _row(results: Sequence[MeasureResult]) -> str:
    """One row: a measure, and the measures that join it."""
    cells = [
        [result.title for result in results],
        [f"{shown(result.value or 0.0, result.unit)}{_unit(result.unit)}" for result in results],
        [_interval(result) for result in results],
        list(dict.fromkeys(str(result.n) for result in results)),
        [_target(result) for result in results],
        [{None: "-", True: "met", False: "**missed**"}[result.met] for result in results],
        list(dict.fromkeys("yes" if result.left_out else "no" for result in results)),
        [results[0].commit],
        [f"`{results[0].command}`"],
    ]
    return f"| {' | '.join(' / '.join(cell) for cell in cells)} |"


def _interval(result: MeasureResult) -> str:
    if result.low is None or result.high is None:
        return "-"
    low, high = shown(result.low, result.unit), shown(result.high, result.unit)
    return f"{low.removesuffix(' %')} to {high}"


def _target(result: MeasureResult) -> str:
    if result.target is None:
        return "-"
    sign = ">=" if result.better == "higher" else "<="
    return f"{sign} {shown(result.target, result.unit)}"


def shown(value: float, unit: str) -> str:
    """A value with as many digits as its unit needs: shares in percent, others with three digits."""
    if unit == "share":
        return f"{100 * value:.1f} %"
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _unit(unit: str) -> str:
    return "" if unit in ("share", "count") else f" {unit}"
