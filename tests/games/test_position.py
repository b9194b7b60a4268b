"""The event `position`: how things stand is said in one event, and the game goes on from there."""

from random import Random
from typing import Any

import msgspec
import pytest

from bench.rules.play import header_of, next_event
from companion.games import GAMES, rulebook
from companion.table.record import Record, opened

Json = dict[str, Any]
STEPS = 400
"""Events of random games after which the round trip is tried, for each game."""


def plain(value: Any) -> Any:
    """As it goes through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def timeless(offers: Any) -> list[Json]:
    """Offers as JSON, without the times that depend on when a deadline began."""
    shown = [plain(offer) for offer in offers]
    for offer in shown:
        for key in ("by", "after"):
            offer.pop(key, None)
        for name in ("t", "start"):
            offer["fields"].pop(name, None)
    return shown


def taken_up(header: Json, state: Json) -> Record[Any]:
    record = opened(header)
    entry = record.push({"event": "position", "state": state})
    assert entry.code is None, (entry.code, state)
    return record


@pytest.mark.parametrize("game", GAMES)
def test_every_state_of_random_games_can_be_taken_up(game: str) -> None:
    book, random, tried = rulebook(game), Random(f"position {game}"), 0
    while tried < STEPS:
        header = header_of(book, random)
        record: Record[Any] = opened(header)
        while record.state.phase != "over" and len(record.entries) < 300:
            record.push(next_event(record, random))
            tried += 1
            if tried % 4 and record.state.phase != "over":
                continue
            shown = plain(book.view(record.state))
            again = taken_up(header, shown)
            assert plain(book.view(again.state)) == shown
            assert (again.scores(), again.winner()) == (record.scores(), record.winner())
            if not has_running_clock(record):
                assert timeless(book.expects(again.state)) == timeless(book.expects(record.state))


def has_running_clock(record: Record[Any]) -> bool:
    """Where a deadline runs, what may come after it is offered beside; it starts anew after a position."""
    return record.book.deadline(record.state) is not None
