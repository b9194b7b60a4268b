"""One process with some of the tables; `python -m bench.hall` starts it.

Reads commands, one a line, from standard input: `cut N` and `mend N` (the network of group N), `restart N`
(the tables of group N are switched off and on), `stop` (end the games, send the rest), `exit`. Writes one
line of JSON for each game that ended, and one when everything is acknowledged.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import selectors
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import monotonic, process_time

import msgspec

from bench.hall.ended import GAMES, EndedGame
from bench.hall.games import played_games
from bench.hall.light_connection import LightConnection
from bench.hall.threadless import PreparedGame, ThreadlessTable, prepared, write_games

GROUP = 10
"""Tables that share one network."""
CLOCK_OFF_S = 300
"""The tables' clocks are wrong by up to so many seconds."""
LOOK_EVERY_S = 0.25
"""Seconds between two looks at each table for what is due without an event."""
CONNECTS_A_S = 100
"""Tables that connect in a second at the start."""


class HallLoop:
    """Runs tables on one thread.

    Args:
        commands: file descriptor of the commands.
    """

    def __init__(self, given: argparse.Namespace, commands: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._commands = commands
        self._selector.register(commands, selectors.EVENT_READ, None)
        self._words: list[str] = []
        self._partial = b""
        self._folder: Path = given.folder
        games = prepared(played_games(given.games, given.first))
        self._tables = [self._made(given, f"t{given.first + n}", games) for n in range(given.count)]
        self._of = {id(one.connection): one for one in self._tables}
        self._looks = list(self._tables)
        """The tables in the order in which they are looked at next."""
        self._playing = True
        self.late: list[float] = []
        """Seconds by which the events came later than drawn: whether this process kept pace."""

    @property
    def groups(self) -> int:
        """How many networks there are."""
        return -(-len(self._tables) // GROUP)

    def connect(self) -> None:
        """Connects all tables, not all at once."""
        began, asked = monotonic(), 0
        for one in self._tables:
            one.connection.retry_at = None
        while not all(one.connection.connected for one in self._tables):
            allowed = int((monotonic() - began) * CONNECTS_A_S)
            for one in self._tables[asked:allowed]:
                one.connection.connect()
            asked = max(asked, allowed)
            self._serve(0.05)
            self._look(monotonic(), monotonic() - LOOK_EVERY_S)

    def run(self) -> None:
        """Plays until `exit`."""
        random, now = Random(self._tables[0].name), monotonic()
        due = [(now + random.random() * 2.0, n) for n in range(len(self._tables))]
        heapq.heapify(due)
        drained, looked = False, now
        while "exit" not in self._words:
            self._serve(max(0.0, min(due[0][0] - now, 0.02)) if self._playing else 0.02)
            self._obey()
            now = monotonic()
            while self._playing and due[0][0] <= now:
                moment, n = due[0]
                self.late.append(now - moment)
                heapq.heapreplace(due, (moment + self._tables[n].play(), n))
                self._tables[n].step(now)
            looked = self._look(now, looked)
            if not self._playing and not drained and all(one.complete for one in self._tables):
                drained = True
                self._finish()
        for one in self._tables:
            one.connection.close()

    def _made(self, given: argparse.Namespace, name: str, games: list[PreparedGame]) -> ThreadlessTable:
        off = Random(name).uniform(-CLOCK_OFF_S, CLOCK_OFF_S)
        return ThreadlessTable(name, games, given.broker, self._selector, off, say, given.speed)

    def _serve(self, timeout: float) -> None:
        """Serves the sockets that are ready, and reads commands."""
        for key, events in self._selector.select(timeout):
            now = monotonic()
            if isinstance(key.data, LightConnection):
                key.data.ready(events, now)
                self._of[id(key.data)].step(now)
            else:
                self._partial += os.read(self._commands, 4096)
                *whole, self._partial = self._partial.split(b"\n")
                self._words += [one.decode() for one in whole]

    def _look(self, now: float, looked: float) -> float:
        """Looks at as many tables as is their turn; returns up to when all were looked at."""
        share = int((now - looked) / LOOK_EVERY_S * len(self._tables))
        if not share:
            return looked
        for one in self._looks[:share]:
            again = one.connection.retry_at
            if again is not None and again <= now:
                one.connection.connect()
            one.step(now)
        self._looks = self._looks[share:] + self._looks[:share]
        return looked + share * LOOK_EVERY_S / len(self._tables)

    def _obey(self) -> None:
        for line in self._words:
            word, _, number = line.partition(" ")
            act: Callable[[ThreadlessTable], None] | None = {
                "cut": lambda one: one.connection.cut(),
                "mend": lambda one: one.connection.mend(),
                "restart": lambda one: one.restart(),
            }.get(word)
            if act is not None:
                for one in self._tables[int(number) * GROUP : (int(number) + 1) * GROUP]:
                    act(one)
            elif word == "stop":
                self._playing = False
        self._words = [one for one in self._words if one == "exit"]

    def _finish(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_games(self._tables, self._folder / GAMES)
        late = sorted(self.late) or [0.0]
        print(
            json.dumps(
                {
                    "drained": True,
                    "events": len(self.late),
                    "late_median_s": round(late[len(late) // 2], 4),
                    "late_p99_s": round(late[int(len(late) * 0.99)], 4),
                    "cpu_s": round(process_time(), 2),
                }
            ),
            flush=True,
        )


def say(one: EndedGame) -> None:
    """Reports a game that ended."""
    print(msgspec.json.encode(one).decode(), flush=True)


def parser() -> argparse.ArgumentParser:
    """The arguments of a process with tables."""
    found = argparse.ArgumentParser()
    found.add_argument("--folder", type=Path, required=True)
    found.add_argument("--broker", type=int, required=True)
    found.add_argument("--first", type=int, required=True)
    found.add_argument("--count", type=int, required=True)
    found.add_argument("--games", type=int, required=True)
    found.add_argument("--speed", type=float, required=True)
    return found


def main() -> None:
    """Runs the tables until `exit`."""
    given = parser().parse_args()
    loop = HallLoop(given, sys.stdin.fileno())
    loop.connect()
    print(json.dumps({"groups": loop.groups}), flush=True)
    loop.run()


if __name__ == "__main__":
    main()
