"""Runs the tests against changed source text of one module, without writing to the working tree.

A run over the unchanged source first records which test executes which lines. A mutant is then tried with the
tests that execute its lines, up to the first failure: inside a function with bench.mutants.live, otherwise in
a forked child process that imports the changed module and runs pytest.

Tests that start a process of their own import the unchanged file there: such a test kills no mutant.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bench.mutants.children import ARGUMENTS, changed_code, in_child, install
from bench.mutants.live import LiveTests
from bench.mutants.plugins import Ordered, Tracer
from bench.paths import ROOT

PRELOADED = ("numpy", "msgspec", "cv2", "vosk")
"""Libraries that are imported once, before the forks."""
SHORTEST_LIMIT_S = 20.0
"""No child is stopped before this time."""
REST_S = 20.0
"""Time in which tests that do not execute the changed lines are tried too, the fastest first: what they use
may have been made once for all, in a fixture or a cache."""
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
        SystemExit: no test passes on the unchanged source.
    """

    def __init__(self, tests: Sequence[str], files: Iterable[Path], limit_s: float = 0.0) -> None:
        for name in PRELOADED:
            if importlib.util.find_spec(name) is not None:
                importlib.import_module(name)
        self._tests = tests
        self._limit = limit_s
        self._killers: list[str] = []
        self._live: LiveTests | None = None
        self.coverage = self._covered(tests, frozenset(files))

    def attempt(self, mutant: Mutant) -> Outcome:
        """Runs the tests that execute the changed lines; if all pass, others of the module for REST_S."""
        everything = self.coverage.tests_of(mutant.path)
        near = everything if mutant.everywhere else self.coverage.tests_at(mutant.path, mutant.lines)
        if not near:
            return Outcome(mutant, "uncovered")
        parts = self._by_killer(near) if mutant.everywhere else [self._ordered(near)]
        for tests in (*parts, self._quickest(everything, {*near})):
            if tests:
                outcome = self._run(mutant, tests)
                if outcome.is_killed:
                    return outcome
        return Outcome(mutant, "survived")

    def close(self) -> None:
        """Ends the process of the live tests."""
        if self._live is not None:
            self._live.close()
            self._live = None

    def _ordered(self, tests: Sequence[str]) -> list[str]:
        """Tests that killed lately first, then the fastest."""
        rank = {test: place for place, test in enumerate(reversed(self._killers))}
        return sorted(tests, key=lambda test: (rank.get(test, len(rank)), self.coverage.seconds[test]))

    def _by_killer(self, tests: Sequence[str]) -> list[list[str]]:
        """The tests in two runs: those of the file whose tests kill most, and the others. Each run imports
        and collects its files."""
        counts = Counter(test.partition("::")[0] for test in self._killers if test in {*tests})
        ordered = self._ordered(tests)
        first = counts.most_common(1)[0][0] if counts else ordered[0].partition("::")[0]
        near = [test for test in ordered if test.partition("::")[0] == first]
        return [near, [test for test in ordered if test.partition("::")[0] != first]]

    def _quickest(self, tests: Sequence[str], without: set[str]) -> list[str]:
        """The fastest tests that take REST_S together."""
        chosen, left = [], REST_S
        for test in sorted(
            (one for one in tests if one not in without), key=self.coverage.seconds.__getitem__
        ):
            left -= self.coverage.seconds[test]
            if left < 0:
                break
            chosen.append(test)
        return chosen

    def _run(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        expected = sum(self.coverage.seconds[test] for test in tests)
        limit = self._limit or max(SHORTEST_LIMIT_S, SLOWER * expected)
        status, text = self._run_live(mutant, tests, limit) or self._run_anew(mutant, tests, limit)
        if status is None:
            return Outcome(mutant, "timeout")
        if status == 0:
            return Outcome(mutant, "survived")
        if text:
            self._killers = [*(test for test in self._killers if test != text), text]
        return Outcome(mutant, "killed", text or "import or collection")

    def _run_live(self, mutant: Mutant, tests: Sequence[str], limit: float) -> tuple[int | None, str] | None:
        if self._live is None:
            self._live = LiveTests(self._tests)
        code = changed_code(mutant.path, mutant.tree())
        return self._live.attempt(mutant.path, code, tests, limit, mutant.everywhere)

    def _run_anew(self, mutant: Mutant, tests: Sequence[str], limit: float) -> tuple[int | None, str]:
        def child(report: Path) -> int:
            install(mutant.path, changed_code(mutant.path, mutant.tree()))
            plugin = Ordered(tests, report)
            return int(pytest.main([*ARGUMENTS, "-x", *_files_of(tests)], plugins=[plugin]))

        return in_child(child, limit)

    def _covered(self, tests: Sequence[str], files: frozenset[Path]) -> Coverage:
        """What a run over the unchanged source shows; tests that fail in it are left out."""

        def child(report: Path) -> int:
            plugin = Tracer({str(ROOT / path): str(path) for path in files}, report)
            return int(pytest.main([*ARGUMENTS, *tests], plugins=[plugin]))

        status, text = in_child(child, 3600.0)
        if status not in (0, 1) or not text.startswith("{"):
            raise SystemExit(f"the tests cannot run on the unchanged source (status {status})\n{text}")
        found = json.loads(text)
        if not found["seconds"]:
            raise SystemExit("no test was run: see `python -m pytest --collect-only` with the same paths")
        failed = {*found["failed"]}
        if failed:
            print("left out, because they fail on the unchanged source:", *sorted(failed), flush=True)
        lines = {
            path: {int(line): [name for name in names if name not in failed] for line, names in at.items()}
            for path, at in found["lines"].items()
        }
        return Coverage(found["seconds"], lines)


def _files_of(tests: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))
