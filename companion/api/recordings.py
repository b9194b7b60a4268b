"""Recorded evenings: what the page shows."""

from __future__ import annotations

import msgspec


class EveningFacts(msgspec.Struct, frozen=True):
    """One recorded evening."""

    name: str
    """Name of its folder."""
    began: str
    """Time of day of its start, UTC, ISO 8601."""
    seconds: float
    bytes: int
    frames_lost: int
    """Pictures that came faster than they could be compressed."""
    running: bool
    """Whether it is being recorded now."""


class RecordedEvenings(msgspec.Struct, frozen=True):
    """What the page of the recordings shows."""

    on: bool
    """Whether this evening is being recorded."""
    folder: str
    """Where the evenings are."""
    evenings: tuple[EveningFacts, ...]
    """The latest first."""
    ok: bool = True
