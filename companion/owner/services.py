"""What the owner's pages ask for, in one object."""

from __future__ import annotations

from dataclasses import dataclass

from companion.owner.settings import SettingsService


@dataclass(frozen=True)
class OwnerServices:
    """The services behind the owner's pages."""

    settings: SettingsService
    """The configuration."""
