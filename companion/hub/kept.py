"""Keeps what pages show until results change: many phones ask for the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from companion.hub.database import HubDatabase

_T = TypeVar("_T")

MOST = 64
"""Most values that are kept: addresses of pages may ask for anything."""


class KeptValues:
    """Values that are made from the results in a database. Every method may be called from any thread."""

    def __init__(self, database: HubDatabase) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._revision = -1
        self._values: dict[Hashable, Any] = {}

    def get(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """The value of a key, made anew if results have changed since.

        Raises:
            Whatever `make` raises; then nothing is kept.
        """
        revision = self._database.revision
        with self._lock:
            if revision != self._revision:
                self._revision, self._values = revision, {}
            if key in self._values:
                found: _T = self._values[key]
                return found
        made = make()
        with self._lock:
            if revision == self._revision and len(self._values) < MOST:
                self._values[key] = made
        return made
