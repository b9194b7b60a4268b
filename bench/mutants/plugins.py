"""Plugins of pytest: one runs chosen tests in a chosen order, one records which test executes which line."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage
from coverage.exceptions import CoverageWarning


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

    Tests in a browser are left out: each takes seconds.

    Args:
        files: their absolute paths, and what they are called in the report.
    """

    def __init__(self, files: Mapping[str, str], report: Path) -> None:
        self._files, self._report = files, report
        self._coverage = Coverage(data_file=None, config_file=False, include=[*files])
        self._seconds: dict[str, float] = {}
        self._failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if "browser" not in getattr(item, "fixturenames", ())]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CoverageWarning)
            self._coverage.start()
            yield
            self._coverage.stop()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        begun = time.monotonic()
        self._coverage.switch_context(item.nodeid)
        yield
        self._seconds[item.nodeid] = time.monotonic() - begun

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid not in self._failed:
            self._failed.append(report.nodeid)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CoverageWarning)
            data = self._coverage.get_data()
        lines = {
            name: {line: sorted(filter(None, tests)) for line, tests in data.contexts_by_lineno(path).items()}
            for path, name in self._files.items()
        }
        text = json.dumps({"seconds": self._seconds, "lines": lines, "failed": self._failed})
        self._report.write_text(text, encoding="utf-8")
