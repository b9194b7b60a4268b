"""When an arm was last over the table: without one no card can have come.

A bump of the camera over a plain cloth looks like a pile that was pushed, and a pushed card looks like an
equal one laid on it. But who lays a card reaches over the table for more than half a second.
"""

from __future__ import annotations

import numpy as np

from companion.vision.tracking.change import Change

BEFORE_S = 0.4
"""An arm may have left so long before its card begins to differ: the cells round it were the arm's."""
LONGEST_GAP_S = 0.3
"""An arm may come and go unseen between two pictures that are farther apart."""


class Arms:
    """The latest moment at which an arm may have been over the table."""

    def __init__(self) -> None:
        self._latest = -np.inf
        self._before = -np.inf

    def see(self, change: Change) -> None:
        """Takes what one picture shows against the background."""
        if any(blob.edge for blob in change.blobs) or change.t - self._before > LONGEST_GAP_S:
            self._latest = change.t
        self._before = change.t

    def came(self, since: float) -> bool:
        """Whether one may have been there at the moment `since`, or later."""
        return self._latest >= since - BEFORE_S
