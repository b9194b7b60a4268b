"""Who writes the sentences of what the host publishes, in a phone's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.api.commands import Reply
from companion.api.snapshot import LogEntry, Snapshot, TableChange


class Writer(Protocol):
    """Writes the sentences of the host's snapshots, changes and replies in a phone's language."""

    def snapshot(self, snapshot: Snapshot, language: str) -> Snapshot:
        """The snapshot with its sentences."""

    def entries(self, entries: Sequence[LogEntry], game: str, language: str) -> tuple[LogEntry, ...]:
        """Entries of a game's log with their sentences."""

    def change(self, change: TableChange, language: str) -> TableChange:
        """The change with its sentences."""

    def reply(self, reply: Reply, language: str) -> Reply:
        """The reply with its sentences."""


class AsHandedOver:
    """Adds no sentences: for a host that has written them itself."""

    def snapshot(self, snapshot: Snapshot, language: str) -> Snapshot:
        """The snapshot."""
        return snapshot

    def entries(self, entries: Sequence[LogEntry], game: str, language: str) -> tuple[LogEntry, ...]:
        """The entries."""
        return tuple(entries)

    def change(self, change: TableChange, language: str) -> TableChange:
        """The change."""
        return change

    def reply(self, reply: Reply, language: str) -> Reply:
        """The reply."""
        return reply
