"""Starting the service again on behalf of a phone."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from companion.api.settings import Restarting


class Restarter:
    """Ends the service so that it starts again.

    Args:
        restart: does so; None: nobody would start the service again, and it goes on.
    """

    def __init__(self, restart: Callable[[], None] | None) -> None:
        self._restart = restart
        self.run = secrets.token_hex(8)
        """Names this run of the service: a page waits until another one answers."""

    def restart(self) -> Restarting:
        """Starts the service again; the answer reaches the phone before that."""
        if self._restart is not None:
            self._restart()
        return Restarting(self.run)
