"""Games from files that somebody opened on the pages, to step through them as through a game of this table.

They are kept in memory, the latest ones, and nothing is written: the journal, the records and the game on the
table stay as they are. After a restart the file is opened again.
"""

from __future__ import annotations

import hashlib
import re
import threading

import msgspec

from companion.api.game_steps import GameSteps
from companion.core.errors import BadHeader, Unreadable
from companion.core.events import Event
from companion.store.rows import GameRow, Line
from companion.table.record import opened
from companion.table.replayed_game import ReplayedGame

FILES = 4
"""So many games that were opened last are kept."""
MOST_EVENTS = 5_000
"""The longest game: several times the longest evening."""
STARTED = re.compile(r"(\d{4}-\d\d-\d\d)_(\d\d)(\d\d)_")
"""How the names of exported files begin: day, hour and minute in UTC."""


class GameFiles:
    """Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._games: dict[str, tuple[ReplayedGame, str]] = {}

    def open(self, name: str, text: str) -> str:
        """Plays the script of a game; the key under which its steps are found then.

        Args:
            name: of the file; that of an exported one says when the game was played.
            text: a header and the events, one JSON object a line.

        Raises:
            Unreadable: it is no script of a game that can be played, or it is too long.
        """
        header, events = _parsed(text)
        try:
            setup = opened(header).setup
        except BadHeader as error:
            raise Unreadable.of(error.why) from error
        settings = msgspec.to_builtins(setup.settings)
        row = GameRow(0, "", 0, header["game"], list(setup.players), settings, _started(name), None)
        lines = [Line(n, n, _moment(event), "", "file", event, None) for n, event in enumerate(events, 1)]
        key = hashlib.sha256(text.encode()).hexdigest()[:16]
        game = ReplayedGame(row, lines)
        with self._lock:
            self._games.pop(key, None)
            self._games[key] = (game, name)
            while len(self._games) > FILES:
                self._games.pop(next(iter(self._games)))
        return key

    def steps(self, key: str, first: int, most: int) -> GameSteps:
        """Steps of an opened game from number `first` on, at most `most`, without sentences.

        Raises:
            Unreadable: it is not kept any more.
        """
        with self._lock:
            found = self._games.get(key)
        if found is None:
            raise Unreadable("game_file.closed")
        game, name = found
        return game.steps(first, most, name)


def _parsed(text: str) -> tuple[Event, list[Event]]:
    """The header and the events of a script.

    Raises:
        Unreadable: a line is no JSON object, or there are too many.
    """
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise Unreadable("game_file.empty")
    if len(lines) > MOST_EVENTS + 1:
        raise Unreadable("game_file.too_long", most=MOST_EVENTS)
    objects: list[Event] = []
    for n, line in lines:
        try:
            objects.append(msgspec.json.decode(line, type=dict))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Unreadable("game_file.line", line=n) from error
    return objects[0], objects[1:]


def _moment(event: Event) -> float:
    """Seconds of the game when the event was judged, as far as it says so."""
    moment = event.get("end", event.get("t", 0.0))
    return float(moment) if isinstance(moment, int | float) else 0.0


def _started(name: str) -> str:
    """When the game was played, ISO 8601; "" if the name does not say so."""
    found = STARTED.match(name)
    return f"{found[1]}T{found[2]}:{found[3]}:00+00:00" if found else ""
