"""Runs the tests against changed source text of one module, without writing to the working tree.

Each run is a forked child process. It installs an import hook that compiles the changed syntax tree in place
of the module's file, then runs pytest in-process and stops at the first failure. A run over the unchanged
source first records which test executes which lines, so that a mutant is tried with those tests first.

Tests that start a process of their own import the unchanged file there: such a test kills no mutant.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PRELOADED = ("numpy", "msgspec", "cv2", "vosk")
"""Libraries that are imported once, before the forks."""
SHORTEST_LIMIT_S = 20.0
"""No child is stopped before this time."""
SLOWER = 5.0
"""A child that takes so many times as long as the tests took on the unchanged source has timed out."""


@dataclass(frozen=True)
class Mutant:
    """One changed version of one file.

    Attributes:
        path: the file, relative to the repository root.
        lines: first and last line of the change in the original, counted from 1.
        change: the change in words, e.g. `< becomes <=`.
        tree: makes the changed syntax tree of the whole file.
        everywhere: the change has effect at import, so every test that uses the module counts.
    """

    path: Path
    lines: tuple[int, int]
    change: str
    tree: Callable[[], ast.Module]
    everywhere: bool = False


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: `killed` by `test`, `timeout` (killed as well), `survived` or `uncovered`."""

    mutant: Mutant
    verdict: str
    test: str = ""

    @property
    def is_killed(self) -> bool:
        """Whether the tests notice the change."""
        return self.verdict in ("killed", "timeout")


@dataclass
class Coverage:
    """Which tests execute which lines. `seconds`: run time of each test."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    """Tests by file (relative to the root) and line."""

    def tests_of(self, path: Path) -> list[str]:
        """Every test that executes any line of the file."""
        return list(dict.fromkeys(test for tests in self.lines.get(str(path), {}).values() for test in tests))

    def tests_at(self, path: Path, lines: tuple[int, int]) -> list[str]:
        """Every test that executes a line between these two, both included."""
        at = self.lines.get(str(path), {})
        found = (test for line in range(lines[0], lines[1] + 1) for test in at.get(line, ()))
        return list(dict.fromkeys(found))


class Runner:
    """Tries mutants with the tests below some paths.

    Args:
        tests: pytest arguments that select the tests.
        files: the files that will be changed, relative to the repository root.
        limit_s: longest time of one child in seconds; 0: from the time that the unchanged source takes.

    Raises:
        SystemExit: the tests fail on the unchanged source.
    """

    def __init__(self, tests: Sequence[str], files: Iterable[Path], limit_s: float = 0.0) -> None:
        for name in PRELOADED:
            if importlib.util.find_spec(name) is not None:
                importlib.import_module(name)
        self._limit = limit_s
        self._killers: list[str] = []
        self.coverage = self._covered(tests, frozenset(files))

    def attempt(self, mutant: Mutant) -> Outcome:
        """Runs the tests that execute the changed lines; if all pass, every other test of the module."""
        everything = self.coverage.tests_of(mutant.path)
        near = everything if mutant.everywhere else self.coverage.tests_at(mutant.path, mutant.lines)
        if not near:
            return Outcome(mutant, "uncovered")
        # A cached function runs once: tests after the first do not execute its lines and may still fail.
        for tests in (near, [test for test in everything if test not in set(near)]):
            if tests:
                outcome = self._run(mutant, self._ordered(tests))
                if outcome.is_killed:
                    return outcome
        return Outcome(mutant, "survived")

    def _ordered(self, tests: Sequence[str]) -> list[str]:
        """Tests that killed lately first, then the fastest."""
        rank = {test: place for place, test in enumerate(reversed(self._killers))}
        return sorted(tests, key=lambda test: (rank.get(test, len(rank)), self.coverage.seconds[test]))

    def _run(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        expected = sum(self.coverage.seconds[test] for test in tests)
        limit = self._limit or max(SHORTEST_LIMIT_S, SLOWER * expected)

        def child(report: Path) -> int:
            install(mutant)
            plugin = _Ordered(tests, report)
            return int(pytest.main([*_ARGUMENTS, "-x", *_files_of(tests)], plugins=[plugin]))

        status, text = in_child(child, limit)
        if status is None:
            return Outcome(mutant, "timeout")
        if status == 0:
            return Outcome(mutant, "survived")
        if text:
            self._killers = [*(test for test in self._killers if test != text), text]
        return Outcome(mutant, "killed", text or "import or collection")

    def _covered(self, tests: Sequence[str], files: frozenset[Path]) -> Coverage:
        def child(report: Path) -> int:
            plugin = _Tracer({str(ROOT / path): str(path) for path in files}, report)
            return int(pytest.main([*_ARGUMENTS, *tests], plugins=[plugin]))

        status, text = in_child(child, 3600.0)
        if status != 0 or not text:
            raise SystemExit(
                f"the tests fail on the unchanged source (status {status}); mend them first\n{text}"
            )
        found = json.loads(text)
        lines = {
            path: {int(line): names for line, names in at.items()} for path, at in found["lines"].items()
        }
        return Coverage(found["seconds"], lines)


_ARGUMENTS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=no")


def _files_of(tests: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))


def in_child(work: Callable[[Path], int], limit_s: float) -> tuple[int | None, str]:
    """Runs `work` in a forked process, silently, in a process group of its own.

    Returns its exit status (None: stopped after `limit_s` seconds) and what it wrote into its report file.
    """
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        report = Path(folder) / "report"
        child = os.fork()
        if child == 0:
            status = 70
            try:
                os.setpgid(0, 0)
                null = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(null, stream)
                os.environ["TMPDIR"] = tempfile.tempdir = folder
                sys.dont_write_bytecode = True
                status = work(report)
            except BaseException:
                report.write_text(traceback.format_exc(), encoding="utf-8")
            finally:
                os._exit(status)
        end = time.monotonic() + limit_s
        done, status = os.waitpid(child, os.WNOHANG)
        while not done and time.monotonic() < end:
            time.sleep(0.02)
            done, status = os.waitpid(child, os.WNOHANG)
        if not done:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None, ""
        text = report.read_text(encoding="utf-8") if report.exists() else ""
        return os.waitstatus_to_exitcode(status), text


# --- the changed module -------------------------------------------------------------------------------------


class _Changed(importlib.machinery.SourceFileLoader):
    """Loads one module from a changed syntax tree."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._tree, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, name: str, loader: _Changed) -> None:
        self._name, self._loader = name, loader

    def find_spec(
        self, fullname: str, path: Any, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        places = [str(Path(self._loader.path).parent)] if self._loader.path.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            fullname, self._loader.path, loader=self._loader, submodule_search_locations=places
        )


def install(mutant: Mutant) -> None:
    """From now on this process imports the changed version of the module.

    Raises:
        RuntimeError: the module was imported before.
    """
    name = dotted(mutant.path)
    if name in sys.modules:
        raise RuntimeError(f"{name} was imported already")
    sys.meta_path.insert(0, _Finder(name, _Changed(name, str(ROOT / mutant.path), mutant.tree())))


def dotted(path: Path) -> str:
    """The module's name of a file below the repository root."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# --- plugins of pytest --------------------------------------------------------------------------------------


class _Ordered:
    """Keeps the given tests only, in the given order, and reports the first that fails."""

    def __init__(self, tests: Sequence[str], report: Path) -> None:
        self._place = {test: place for place, test in enumerate(tests)}
        self._report = report

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._place), key=lambda item: self._place[item.nodeid]
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self._report.exists():
            self._report.write_text(report.nodeid, encoding="utf-8")


class _Tracer:
    """Records which lines of some files each test executes, and how long it takes.

    Args:
        files: their absolute paths, and what they are called in the report.
    """

    def __init__(self, files: Mapping[str, str], report: Path) -> None:
        self._files, self._report = files, report
        self._lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._seconds: dict[str, float] = {}
        self._test = ""

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:
        name = self._files.get(frame.f_code.co_filename)
        if name is None:
            return None
        at = self._lines[name]

        def line(frame: FrameType, event: str, argument: object) -> Any:
            if event == "line":
                at[frame.f_lineno].add(self._test)
            return line

        return line

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self._test, begun = item.nodeid, time.monotonic()
        threading.settrace(self._call)
        sys.settrace(self._call)
        yield
        sys.settrace(None)
        threading.settrace(None)
        self._seconds[item.nodeid] = time.monotonic() - begun

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        lines = {
            path: {line: sorted(tests) for line, tests in at.items()} for path, at in self._lines.items()
        }
        text = json.dumps({"seconds": self._seconds, "lines": lines})
        self._report.write_text(text, encoding="utf-8")
