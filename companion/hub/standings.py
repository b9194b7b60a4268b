"""What the hub's pages show: tables, standings, evenings, players."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import text

from companion.games import known_game
from companion.hub.database import HubDatabase
from companion.hub.kept import KeptValues
from companion.mqtt.messages import TableState


class HallTable(msgspec.Struct, frozen=True):
    """One table as the hall sees it."""

    name: str
    online: bool
    seen: str
    """When the hub last heard of it, ISO 8601 in UTC."""
    complete: bool
    """Whether everything that the table has published is stored."""
    state: TableState | None


class HallStanding(msgspec.Struct, frozen=True):
    """One player's games over some time, whatever table they were played at."""

    place: int
    player: str
    points: int
    games: int
    won: int


class HallEvening(msgspec.Struct, frozen=True):
    """One evening of the whole house."""

    day: str
    games: int
    tables: int
    players: int


class HallPlacing(msgspec.Struct, frozen=True):
    """A player in one game."""

    player: str
    score: int | None
    place: int
    points: int


class HallGame(msgspec.Struct, frozen=True):
    """A game that ended."""

    table: str
    game: str
    title: str
    started: str
    ended: str
    evening: str
    decided: bool
    left_out: bool
    placings: tuple[HallPlacing, ...]


class Filter(msgspec.Struct, frozen=True):
    """Which games count. Empty: all."""

    first: str = ""
    """Day of the first evening."""
    last: str = ""
    """Day of the last evening."""
    name: str = ""
    """Name of the game, e.g. `nasty_7`."""
    player: str = ""


EVERYTHING = Filter()
_WHERE = (
    "(:first = '' OR r.evening >= :first) AND (:last = '' OR r.evening <= :last)"
    " AND (:name = '' OR r.name = :name)"
)
_SHOWN = 200
"""The most games that are shown at once, the latest ones."""
_LATEST = (
    "SELECT r.table_name, r.game, r.name, r.started, r.ended, r.evening, r.decided, r.left_out"
    f" FROM hall_result r WHERE {_WHERE} AND (:player = '' OR EXISTS (SELECT 1 FROM hall_placing p"
    " WHERE p.table_name = r.table_name AND p.game = r.game AND p.player = :player))"
    f" ORDER BY r.ended DESC, r.game LIMIT {_SHOWN}"
)


class HallReader:
    """Reads the database. Every method may be called from any thread and raises Unavailable if it fails."""

    def __init__(self, database: HubDatabase) -> None:
        self._database = database
        self._kept = KeptValues(database)
        self._states: dict[str, tuple[str, TableState | None]] = {}

    def tables(self) -> list[HallTable]:
        """All tables by name."""
        rows = self._database.rows(
            "SELECT name, online, seen, number, head, state FROM hall_table ORDER BY name"
        )
        return [
            HallTable(row.name, bool(row.online), row.seen, row.number >= row.head, self._state(row))
            for row in rows
        ]

    def _state(self, row: Any) -> TableState | None:
        """The state of a table; decoded only if it has changed since the last call."""
        before = self._states.get(row.name)
        if before is None or before[0] != row.state:
            before = (row.state, _state(row.state))
            self._states[row.name] = before
        return before[1]

    def standings(self, which: Filter = EVERYTHING) -> list[HallStanding]:
        """All players, most points first, equal places for equal points. Only decided games count."""
        return self._kept.get(which, lambda: self._standings(which))

    def _standings(self, which: Filter) -> list[HallStanding]:
        conditions = {
            "evening >= :first": which.first,
            "evening <= :last": which.last,
            "name = :name": which.name,
        }
        where = "".join(f" AND {condition}" for condition, value in conditions.items() if value)
        rows = self._database.rows(
            "SELECT player, sum(points) AS points, count(*) AS games, sum(won) AS won"
            f" FROM hall_placing WHERE counts = 1{where}"
            " GROUP BY player ORDER BY points DESC, won DESC, player",
            **_values(which),
        )
        found: list[HallStanding] = []
        for number, row in enumerate(rows, 1):
            same = bool(found) and found[-1].points == row.points
            place = found[-1].place if same else number
            found.append(HallStanding(place, row.player, int(row.points), int(row.games), int(row.won)))
        return found

    def evenings(self) -> list[HallEvening]:
        """All evenings, the latest first."""
        return self._kept.get("evenings", self._evenings)

    def _evenings(self) -> list[HallEvening]:
        rows = self._database.rows(
            "SELECT r.evening, count(DISTINCT r.table_name || '/' || r.game) AS games,"
            " count(DISTINCT r.table_name) AS tables, count(DISTINCT p.player) AS players"
            " FROM hall_result r JOIN hall_placing p ON r.table_name = p.table_name AND r.game = p.game"
            " WHERE r.left_out = 0 GROUP BY r.evening ORDER BY r.evening DESC"
        )
        return [HallEvening(row.evening, row.games, row.tables, row.players) for row in rows]

    def games(self, which: Filter = EVERYTHING) -> list[HallGame]:
        """The latest games, the latest first, also those that do not count."""
        values = _values(which) | {"player": which.player}
        rows = self._database.rows(_LATEST, **values)
        placings: dict[tuple[str, str], list[HallPlacing]] = {}
        for one in self._database.rows(
            "SELECT p.table_name, p.game, p.player, p.score, p.place, p.points FROM hall_placing p"
            f" JOIN ({_LATEST}) s ON s.table_name = p.table_name AND s.game = p.game"
            " ORDER BY p.place, p.seat",
            **values,
        ):
            found = placings.setdefault((one.table_name, one.game), [])
            found.append(HallPlacing(one.player, one.score, one.place, one.points))
        return [
            HallGame(
                row.table_name,
                row.game,
                title_of(row.name),
                row.started,
                row.ended,
                row.evening,
                bool(row.decided),
                bool(row.left_out),
                tuple(placings.get((row.table_name, row.game), ())),
            )
            for row in rows
        ]

    def game_names(self) -> list[str]:
        """The names of all games that were played."""
        query = "SELECT DISTINCT name FROM hall_result ORDER BY name"
        return self._kept.get("names", lambda: [row.name for row in self._database.rows(query)])

    def counts(self) -> dict[str, int]:
        """Rows of each kind, for the metrics."""
        kinds = ("hall_table", "hall_game", "hall_event", "hall_result")
        return {
            kind: int(self._database.rows(f"SELECT count(*) AS rows FROM {kind}")[0].rows) for kind in kinds
        }

    def leave_out(self, table: str, game: str, left_out: bool) -> bool:
        """The organiser lets a result count no more, or again; returns whether there is such a result."""
        with self._database.transaction() as connection:
            done = connection.execute(
                text("UPDATE hall_result SET left_out = :out WHERE table_name = :table AND game = :game"),
                {"out": int(left_out), "table": table, "game": game},
            )
            connection.execute(
                text(
                    "UPDATE hall_placing SET counts = (SELECT decided * (1 - left_out) FROM hall_result r"
                    " WHERE r.table_name = :table AND r.game = :game)"
                    " WHERE table_name = :table AND game = :game"
                ),
                {"table": table, "game": game},
            )
        self._database.changed()
        return bool(done.rowcount == 1)


def title_of(name: str) -> str:
    """The title of a game; of one that this version does not know, its name."""
    found = known_game(name)
    return name if found is None else found.rulebook.title


def _state(text_: str) -> TableState | None:
    return msgspec.json.decode(text_, type=TableState) if text_ else None


def _values(which: Filter) -> dict[str, Any]:
    return {"first": which.first, "last": which.last, "name": which.name}
