"""Folders that the measures read and write."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""
HELD_OUT = ROOT / "build" / "speech" / "held"
"""Speech models that were trained without one of the speakers (`python -m bench.speech --train`)."""


def default_shared() -> Path:
    """The folder of real photographs and recordings: COMPANION_SHARED, else ../shared beside the checkout."""
    return Path(os.environ.get("COMPANION_SHARED") or ROOT.parent / "shared")
