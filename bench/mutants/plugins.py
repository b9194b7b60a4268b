"""Plugins of pytest: one runs chosen tests in a chosen order, one records which test executes which line."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest


class Ordered:
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


class Tracer:
    """Records which lines of some files each test executes, and how long it takes.

    Args:
        files: their absolute paths, and what they are called in the report.
    """

    def __init__(self, files: Mapping[str, str], report: Path) -> None:
        self._files, self._report = files, report
        self._lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._seconds: dict[str, float] = {}
        self._failed: list[str] = []
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

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid not in self._failed:
            self._failed.append(report.nodeid)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        lines = {
            path: {line: sorted(tests) for line, tests in at.items()} for path, at in self._lines.items()
        }
        text = json.dumps({"seconds": self._seconds, "lines": lines, "failed": self._failed})
        self._report.write_text(text, encoding="utf-8")
