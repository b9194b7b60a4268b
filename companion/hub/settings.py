"""The hub's configuration: one TOML file.

`python -m companion.hub.settings` prints docs/hub-configuration.md.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.core.config import Broker, Section
from companion.core.errors import UsageError
from companion.core.field_docs import section_lines
from companion.core.message import message

Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]


class HubPages(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The hub's pages and its metrics."""

    host: str = "0.0.0.0"
    """Address to listen on; `127.0.0.1` keeps the pages on this machine."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8090
    """Port to listen on; 0 takes any free one."""
    url: str = ""
    """Address under which phones reach the pages, e.g. `http://hub.local:8090/`, for the code to scan.
    Empty: the address that the organiser's browser used."""
    threads: Annotated[int, Meta(ge=4, le=256)] = 16
    """Threads of the web server. A page is answered at once, so few serve many phones."""
    organiser_file: str = ""
    """File that holds the organiser's password and nothing else; empty: nobody is the organiser."""


class StoredResults(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where results are kept."""

    url: str = "sqlite:///hub.sqlite"
    """`sqlite:////var/lib/companion-hub/hub.sqlite` for one house, or `postgresql+psycopg://user@host/name`.
    PostgreSQL takes its password from `~/.pgpass` or from `PGPASSFILE`."""


class HubSettings(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole file."""

    broker: Broker = Broker()
    pages: HubPages = HubPages()
    database: StoredResults = StoredResults()
    seasons: dict[str, tuple[Day, Day]] = msgspec.field(default_factory=dict)
    """Name of a season -> the days of its first and its last evening, e.g.
    `spring = ["2026-03-01", "2026-05-31"]`."""


def load_settings(path: Path) -> HubSettings:
    """Reads the file.

    Raises:
        UsageError: there is no such file, it is no TOML, or a key is unknown or impossible.
    """
    try:
        settings = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), HubSettings)
    except FileNotFoundError as error:
        raise UsageError("config.missing", path=path) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("config.unreadable", path=path, why=str(error)) from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError("config.no_toml", name=str(path), why=str(error)) from error
    except msgspec.ValidationError as error:
        complaint = message("library.words", words=str(error))
        raise UsageError("config.bad_key", name=str(path), complaint=complaint) from error
    if not settings.broker.host:
        raise UsageError("hub.no_broker", path=path)
    return settings


def reference() -> str:
    """docs/hub-configuration.md."""
    lines = [
        "# Configuration of the hub",
        "",
        "One TOML file: `companion hub --config FILE`. Only `host` in `[broker]` is required. This page is",
        "generated: `python -m companion.hub.settings > docs/hub-configuration.md`. See [hub.md](hub.md).",
        "",
    ]
    return "\n".join([*lines, *section_lines(HubSettings)])


if __name__ == "__main__":
    print(reference(), end="")
