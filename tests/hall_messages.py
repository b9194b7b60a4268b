"""Messages of a table, made by hand."""

from typing import Any

from companion.hub.intake import ReadMessage, read
from companion.mqtt.broker import ReceivedMessage
from companion.mqtt.messages import (
    EventJudged,
    GameEnded,
    GameOpened,
    TableForgotten,
    TableState,
    TableStatus,
    encoded,
    table_topic,
)

STARTED, ENDED = "2026-11-20T18:00:00.000+00:00", "2026-11-20T18:40:00.000+00:00"


def result(game: str, number: int, winner: str = "Ida", **changes: Any) -> GameEnded:
    known: dict[str, Any] = {
        "table": "window",
        "game": game,
        "sequence": 9,
        "series": "s1",
        "number": number,
        "name": "trio_monsters",
        "players": ("Ida", "Jo", "Kai"),
        "started": STARTED,
        "ended": ENDED,
        "scores": {"Ida": 5, "Jo": 3, "Kai": 1},
        "winner": (winner,) if winner else (),
    }
    return GameEnded(**(known | changes))


def opened(game: str, number: int, **changes: Any) -> GameOpened:
    known: dict[str, Any] = {"table": "window", "game": game, "sequence": 0, "series": "s1", "number": number}
    known |= {"name": "trio_monsters", "players": ("Ida", "Jo", "Kai"), "settings": {}, "started": STARTED}
    return GameOpened(**(known | changes))


def judged(game: str, sequence: int, number: int, **changes: Any) -> EventJudged:
    known: dict[str, Any] = {"table": "window", "game": game, "series": "s1", "number": number}
    known |= {"t": 1.0, "at": STARTED, "source": "phone", "event": {"event": "x"}, "sequence": sequence}
    return EventJudged(**(known | changes))


def status(number: int, **changes: Any) -> TableStatus:
    known: dict[str, Any] = {"table": "window", "online": True, "series": "s1", "number": number}
    return TableStatus(**(known | changes))


def received(message: Any, topic: str = "") -> ReceivedMessage:
    known = {TableStatus: "status", GameEnded: "result", TableForgotten: "forgotten", TableState: "state"}
    level = known.get(type(message), "event")
    levels = [level, message.game] if level == "result" else [level]
    return ReceivedMessage(topic or table_topic(message.table, *levels), encoded(message), False)


def taken(*messages: Any) -> list[ReadMessage]:
    """The messages as the hub reads them."""
    return [read(received(one)) for one in messages]
