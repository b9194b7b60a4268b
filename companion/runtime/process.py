"""What the service knows of the process that it runs in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ServiceProcess:
    """The surroundings of one run of the service."""

    runtime: Path | None = None
    """The service's runtime folder; None outside a service."""
    config_file: Path | None = None
    """The configuration file; None: `config.toml` in the data folder."""
    hotspot: Path | None = None
    """The status file of the appliance's wireless network; None: not on an appliance."""
    restart: Callable[[], None] | None = None
    """Ends the service so that it starts again; None: nobody would start it."""


PLAIN = ServiceProcess()
"""A run that nobody starts again."""
