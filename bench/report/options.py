"""The option `--results DIR` that every measuring command has."""

from __future__ import annotations

import argparse
from pathlib import Path


def add(parser: argparse.ArgumentParser) -> None:
    """Adds `--results`: the folder to which the command writes its results (bench.report.results)."""
    parser.add_argument("--results", type=Path, metavar="DIR", help="also write the results as JSON")
