"""One JSON file a measure: the value, what it was measured with, and where and when."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bench.paths import ROOT
from bench.report.estimates import Estimate
from bench.report.measures import Better, Measure, Unit, catalogue

RESULTS = ROOT / "bench" / "results"
SOURCES = ("companion", "hardware", "models", "web", "bench")
"""Folders whose uncommitted changes make a result's commit inexact."""


class MeasureResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A measured value, or the reason why there is none (`value` is None)."""

    measure: str
    title: str
    unit: Unit
    better: Better
    target: float | None
    value: float | None
    n: int
    low: float | None
    high: float | None
    left_out: bool
    time: bool
    command: str
    commit: str
    date: str
    machine: str
    reason: str = ""
    detail: dict[str, float] = {}
    """Values of the same measure by kind, such as each kind of retaken photograph."""

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; None without a target or a value."""
        if self.target is None or self.value is None:
            return None
        return self.value >= self.target if self.better == "higher" else self.value <= self.target


class Origin(msgspec.Struct, frozen=True):
    """What produced a result: command, commit, time (UTC) and machine."""

    command: str
    commit: str
    date: str
    machine: str


def commit_at_hand() -> str:
    """The short hash of the checkout, with `+` if sources have uncommitted changes."""
    head = _git("rev-parse", "--short", "HEAD")
    changed = _git("status", "--porcelain", "--", *SOURCES, ":!bench/results")
    return f"{head}+" if changed else head


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def machine_at_hand() -> str:
    """Number and type of the processor's cores, Python and the load of the last minute."""
    cores, load = os.cpu_count(), os.getloadavg()[0]
    return f"{cores} x {_processor()}, Python {platform.python_version()}, load {load:.1f}"


def _processor() -> str:
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8").splitlines() if known.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def command_line(module: str, arguments: Sequence[str]) -> str:
    """The command as somebody else would type it: without `--results`, and with DIR for the shared data."""
    kept: list[str] = []
    skip = False
    for index, word in enumerate(arguments):
        if skip or word == "--results":
            skip = not skip
            continue
        kept.append("DIR" if index and arguments[index - 1] == "--shared" else word)
    return shlex.join(["python", "-m", module.removesuffix(".__main__"), *kept])


def origin(command: str) -> Origin:
    """The origin of a result of this command, measured now."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    return Origin(command, commit_at_hand(), now, machine_at_hand())


def measured(
    measure: Measure, found: Estimate, source: Origin, detail: Mapping[str, float] | None = None
) -> MeasureResult:
    """The result of a measure."""
    return _result(measure, found, source, "", dict(detail or {}))


def unmeasured(measure: Measure, reason: str, source: Origin) -> MeasureResult:
    """A measure that has no value here, with the reason."""
    return _result(measure, None, source, reason, {})


def _result(
    measure: Measure, found: Estimate | None, source: Origin, reason: str, detail: dict[str, float]
) -> MeasureResult:
    return MeasureResult(
        measure=measure.id,
        title=measure.title,
        unit=measure.unit,
        better=measure.better,
        target=measure.target,
        value=None if found is None else _rounded(found.value),
        n=0 if found is None else found.n,
        low=None if found is None or found.low is None else _rounded(found.low),
        high=None if found is None or found.high is None else _rounded(found.high),
        left_out=measure.left_out,
        time=measure.time,
        command=source.command,
        commit=source.commit,
        date=source.date,
        machine=source.machine,
        reason=reason,
        detail={key: _rounded(value) for key, value in detail.items()},
    )


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def record(
    folder: Path | None,
    found: Mapping[str, Estimate],
    details: Mapping[str, Mapping[str, float]] | None = None,
) -> None:
    """Writes what the running command has found, by the ids of the catalogue; nothing without a folder.

    Raises:
        KeyError: the catalogue has no measure of this id.
    """
    if folder is None:
        return
    known = catalogue().measures
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    source = origin(command_line(spec.name if spec else "bench", sys.argv[1:]))
    for identity, estimate in found.items():
        save(folder, measured(known[identity], estimate, source, (details or {}).get(identity)))


def save(folder: Path, result: MeasureResult) -> None:
    """Writes one result to `folder/<area>/<name>.json`."""
    path = folder / f"{result.measure}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")


def load(folder: Path) -> dict[str, MeasureResult]:
    """All results below a folder, by measure.

    Raises:
        msgspec.ValidationError: a file is no result.
    """
    paths = sorted(folder.rglob("*.json"))
    found = [msgspec.json.decode(path.read_bytes(), type=MeasureResult) for path in paths]
    return {result.measure: result for result in found}
