"""Forked child processes, and the changed version of a module that a child imports."""

from __future__ import annotations

import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

from bench.paths import ROOT

ARGUMENTS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=no")
"""Of every run of pytest."""


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
                silence()
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


def silence() -> None:
    """Standard input, output and errors of this process lead nowhere from now on."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


class _Changed(importlib.machinery.SourceFileLoader):
    """Loads one module from changed code."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code


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


def install(path: Path, code: CodeType) -> None:
    """From now on this process imports the changed version of the module.

    Raises:
        RuntimeError: the module was imported before.
    """
    name = dotted(path)
    if name in sys.modules:
        raise RuntimeError(f"{name} was imported already")
    sys.meta_path.insert(0, _Finder(name, _Changed(name, str(ROOT / path), code)))


def changed_code(path: Path, tree: ast.Module) -> CodeType:
    """The compiled module of a changed syntax tree."""
    return compile(tree, str(ROOT / path), "exec", dont_inherit=True)


def dotted(path: Path) -> str:
    """The module's name of a file below the repository root."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
