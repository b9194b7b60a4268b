"""One pytest process that has imported and collected everything, and is forked for each mutant.

A change inside a function needs no new import: the child replaces the code of the live functions and runs the
chosen tests at once. That takes a fraction of a second, where a process that imports and collects anew takes
several. What the imports and the collection executed was executed unchanged. A module that the tests import
only while they run is imported in its changed version.
"""

from __future__ import annotations

import gc
import marshal
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from bench.mutants.children import ARGUMENTS, dotted, in_child, install, silence
from bench.paths import ROOT

Key = tuple[str, int]
"""Qualified name and first line of a function."""


class LiveTests:
    """A forked pytest process that waits for mutants. `tests`: pytest arguments."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._pipe, theirs = Pipe()
        self._process = os.fork()
        if self._process == 0:
            status = 70
            try:
                self._pipe.close()
                silence()
                os.setpgid(0, 0)
                status = int(pytest.main([*ARGUMENTS, f"--rootdir={ROOT}", *tests], plugins=[_Loop(theirs)]))
            finally:
                os._exit(status)
        theirs.close()

    def attempt(
        self, path: Path, code: CodeType, tests: Sequence[str], limit_s: float, everywhere: bool = False
    ) -> tuple[int | None, str] | None:
        """Runs tests in this order up to the first failure, with the functions of a changed module.
        `everywhere`: more than functions has changed.

        Returns the child's status (0: all passed, 1: one failed, None: stopped after `limit_s` seconds) and
        the test that failed; None if that takes another import, or the tests were not collected.
        """
        self._pipe.send((path, marshal.dumps(code), list(tests), limit_s, everywhere))
        answer: tuple[int | None, str] | None = self._pipe.recv()
        return answer

    def close(self) -> None:
        """Ends the process."""
        self._pipe.close()
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


class _Loop:
    """Answers the requests of LiveTests in the place of running all tests."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._failed = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        while True:
            try:
                path, code, tests, limit_s, everywhere = self._pipe.recv()
            except EOFError:
                return True
            change = _change(path, marshal.loads(code), everywhere)
            chosen = [items[test] for test in tests if test in items]
            if change is None or len(chosen) < len(tests):
                self._pipe.send(None)
            else:
                self._pipe.send(in_child(partial(self._changed, change, chosen), limit_s))

    def _changed(self, change: Callable[[], None], items: Sequence[pytest.Item], report: Path) -> int:
        change()
        return self._run(items, report)

    def _run(self, items: Sequence[pytest.Item], report: Path) -> int:
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                report.write_text(self._failed, encoding="utf-8")
                return 1
        return 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self._failed:
            self._failed = report.nodeid


def _change(path: Path, code: CodeType, everywhere: bool) -> Callable[[], None] | None:
    """What makes this process use the changed module; None if nothing short of a new process does."""
    if dotted(path) not in sys.modules:
        return partial(install, path, code)
    functions = None if everywhere else replaceable(str(ROOT / path), code)
    return partial(_replace, functions) if functions else None


def _replace(functions: Sequence[tuple[FunctionType, CodeType]]) -> None:
    for function, changed in functions:
        function.__code__ = changed


def replaceable(path: str, module: CodeType) -> list[tuple[FunctionType, CodeType]] | None:
    """The live functions of a file and their code in a changed version of its module; None if two functions
    on one line have one name, so that it is not known which is which."""
    found = list(_codes(module))
    if max(Counter(key for key, _ in found).values(), default=1) > 1:
        return None
    codes = dict(found)
    live: list[tuple[FunctionType, CodeType]] = []
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename == path:
            code = codes.get((one.__code__.co_qualname, one.__code__.co_firstlineno))
            if code is not None and len(code.co_freevars) == len(one.__code__.co_freevars):
                live.append((one, code))
    return live


def _codes(code: CodeType) -> Iterator[tuple[Key, CodeType]]:
    """The code of all functions and classes in a code object. Comprehensions and lambdas have no live
    functions of their own that last: the code around them brings them."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if not constant.co_name.startswith("<"):
                yield (constant.co_qualname, constant.co_firstlineno), constant
            yield from _codes(constant)
