"""A command that waits for its turn at the table."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass

from companion.api.commands import Command, Reply


@dataclass(frozen=True)
class PendingCommand:
    """A queued command, and the future that gets the reply."""

    command: Command
    reply: Future[Reply]
