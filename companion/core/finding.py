"""What a check of a device or of a prerequisite found."""

from __future__ import annotations

import msgspec

from companion.core.message import Message


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked for: what was found, and what to do if it is missing and wanted."""

    name: Message
    there: bool
    what: Message
    remedy: Message | None = None
    needed: bool = False
    """Whether the companion cannot work without it."""
