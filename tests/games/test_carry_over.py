"""What a correction does to the events after it, where the table went on as entered."""

from pathlib import Path
from typing import Any

import pytest
from playthrough import FOLDER, read

from companion.games.contract.carry_over import merged
from companion.table.record import Record, opened
from companion.table.story import sentences_of

FILES = sorted(FOLDER.glob("*.txt"))
EVENTS = 60
REMOVED = range(3, 50, 6)


@pytest.mark.parametrize(
    ("before", "after", "other", "found"),
    [
        (3, 5, 4, 6),
        ("a", "b", "c", "b"),
        ([1, 2], [2, 3], [1, 2, 9], [2, 9, 3]),
        ([1, 1], [1], [1, 1, 1], [1, 1]),
        ({"a": 1, "b": 2}, {"a": 1}, {"a": 4, "b": 2}, {"a": 4}),
        ({"a": 1}, {"a": 1, "b": 2}, {"a": 4}, {"a": 4, "b": 2}),
        (None, {"a": 1}, None, {"a": 1}),
        (True, False, True, False),
    ],
)
def test_an_effect_is_carried_over(before: Any, after: Any, other: Any, found: Any) -> None:
    assert merged(before, after, other) == found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_later_event_is_lost_and_the_game_stays_possible(path: Path) -> None:
    header, events = read(path)
    for n in REMOVED:
        record: Record[Any] = opened(header)
        for event in events[:EVENTS]:
            record.push(event)
        accepted = [step.n for step in record.steps if step.past is None]
        if n not in accepted:
            continue
        entry = record.push({"event": "amended", "n": n, "replacement": None, "rest": "as_entered"})
        assert (entry.code, entry.dropped) == (None, ())
        assert [step.n for step in record.steps if step.past is None] == [m for m in accepted if m != n]
        told = {number for number, _sentences in sentences_of(record)}
        assert told >= {step.n for step in record.steps if step.past is None}
        view = record.book.view(record.state)
        if record.state.phase != "over":
            assert record.book.view(record.book.placed(record.state, view, view)) == view
