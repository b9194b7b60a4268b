"""The hub's database: SQLite for one house, PostgreSQL for more, by the same SQL.

The schema is made and migrated by the numbered files in `schema`, each in one transaction.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import resources
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Dialect, TextClause, event, text
from sqlalchemy.exc import SQLAlchemyError

from companion.core.errors import Unavailable

logger = logging.getLogger(__name__)

LATEST = 6
"""Number of the newest file in `schema`."""
LOCK_KEY = 7_202_611
"""PostgreSQL's advisory lock for migrations; any number that nothing else uses."""


class HubDatabase:
    """Connections to one database. Every method may be called from any thread.

    Args:
        url: `sqlite:////var/lib/companion-hub/hub.sqlite`, or `postgresql+psycopg://user@host/name`.

    Raises:
        Unavailable: the database cannot be opened, or is of a newer version.
    """

    def __init__(self, url: str) -> None:
        self.revision = 0
        """How often results or tournaments have been changed by this process; see `changed`."""
        self._counting = threading.Lock()
        try:
            self._engine = sqlalchemy.create_engine(url, pool_pre_ping=True)
        except (SQLAlchemyError, ImportError) as error:
            raise Unavailable("hub.no_database", why=_short(error)) from error
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _prepare_sqlite)
        try:
            self._migrate()
        except SQLAlchemyError as error:
            self.close()
            raise Unavailable("hub.no_database", why=_short(error)) from error
        except Unavailable:
            self.close()
            raise

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction: what is done in the block is stored completely when it ends, or not at all.

        Raises:
            Unavailable: the database failed; nothing is stored.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise Unavailable("hub.no_database", why=_short(error)) from error

    def rows(self, query: str, **values: Any) -> list[Any]:
        """The rows of one query.

        Raises:
            Unavailable: the database failed.
        """
        with self.transaction() as connection:
            return list(connection.execute(text(query), values))

    def changed(self) -> None:
        """Results or tournaments have changed: what is kept of them is out of date."""
        with self._counting:
            self.revision += 1

    def secret(self, make: Callable[[], str]) -> str:
        """The secret of this hub, made at the first call.

        Raises:
            Unavailable: the database failed.
        """
        with self.transaction() as connection:
            found = connection.execute(text("SELECT secret FROM hub_secret")).scalar()
            if found is None:
                found = make()
                connection.execute(text("INSERT INTO hub_secret VALUES (:secret)"), {"secret": found})
            return str(found)

    def run(self, statement: str, **values: Any) -> int:
        """Runs one statement in a transaction of its own; returns how many rows it changed.

        Raises:
            Unavailable: the database failed; nothing is stored.
        """
        with self.transaction() as connection:
            return int(connection.execute(text(statement), values).rowcount)

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    def _migrate(self) -> None:
        with self._engine.begin() as connection:
            if self._engine.dialect.name == "postgresql":  # two hubs must not migrate at once
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
            connection.execute(text("CREATE TABLE IF NOT EXISTS hub_schema (version INTEGER NOT NULL)"))
            found = connection.execute(text("SELECT max(version) FROM hub_schema")).scalar() or 0
            if found > LATEST:
                raise Unavailable("hub.newer_database", version=found)
            for version in range(found + 1, LATEST + 1):
                logger.info("the database is migrated to version %d", version)
                for statement in _statements(version):
                    connection.execute(text(statement))
                connection.execute(text("INSERT INTO hub_schema VALUES (:version)"), {"version": version})


def execute_many(connection: Connection, statement: TextClause, rows: Sequence[Mapping[str, Any]]) -> int:
    """Executes a statement for each row without SQLAlchemy's handling of each, which costs half of the time;
    returns how many rows it changed."""
    compiled = _compiled(statement, connection.dialect)
    given: Any = list(rows)
    if compiled.positiontup is not None:
        names = compiled.positiontup
        given = [tuple([row[name] for name in names]) for row in rows]
    return int(connection.exec_driver_sql(str(compiled), given).rowcount)


@lru_cache
def _compiled(statement: TextClause, dialect: Dialect) -> Any:
    return statement.compile(dialect=dialect)


def _statements(version: int) -> list[str]:
    """The statements of one schema file, without comments."""
    script = (resources.files(__package__) / "schema" / f"{version}.sql").read_text(encoding="utf-8")
    plain = "\n".join(line.partition("--")[0] for line in script.splitlines())
    return [one.strip() for one in plain.split(";") if one.strip()]


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _short(error: Exception) -> str:
    """The first line of an error of the library: the others repeat the statement and its values."""
    return str(error).splitlines()[0]
