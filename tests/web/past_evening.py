"""An evening in a journal: the golden playthroughs, one after the other."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from companion.store.journal import Journal
from companion.table.record import opened

GAMES = ("nasty_7", "seven_merry_monsters", "trio_monsters", "bugs_and_co", "thirteen_monsters")
PLAYTHROUGHS = Path(__file__).resolve().parents[1] / "games" / "playthroughs"
EVENING = datetime(2026, 11, 21, 19, 0, tzinfo=UTC)


class Minutes:
    """A wall clock that goes on by ten seconds with every look."""

    def __init__(self) -> None:
        self.now = EVENING

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=10)
        return self.now


def script(game: str) -> list[Any]:
    """The header and the events of a playthrough."""
    lines = (PLAYTHROUGHS / f"{game}.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line.startswith(("header: ", "event "))]
    return [json.loads(line.partition(": ")[2]) for line in wanted]


def rename(value: Any, names: dict[str, str]) -> Any:
    """JSON in which players have other names."""
    encoded = msgspec.json.encode(value).decode()
    for old, new in names.items():
        encoded = encoded.replace(f'"{old}"', msgspec.json.encode(new).decode())
    return msgspec.json.decode(encoded)


def source(event: Any) -> str:
    """Calls are heard, everything else is tapped."""
    return "microphone" if event["event"] == "heard" else "phone"


def evening(
    path: Path,
    games: Sequence[str] = GAMES,
    names: dict[str, str] | None = None,
    wall: Callable[[], datetime] | None = None,
) -> None:
    """Writes the games into a new journal, each with its result."""
    with Journal(path, wall=wall or Minutes()) as journal:
        for game in games:
            header, *events = (rename(one, names or {}) for one in script(game))
            row = journal.begin_game(game, header["players"], header["settings"])
            record = opened(header)
            for n, event in enumerate(events, 1):
                entry = record.push(event)
                t = float(event.get("end", event.get("t", n * 2.0)))
                journal.append(row.id, n, t, event, source=source(event), code=entry.code)
            journal.end_game(row.id, record.scores(), record.winner())
