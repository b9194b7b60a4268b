"""Functions that other threads call on the table's thread."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest

from companion.table.recording_notice import show_started
from companion.table.referee import Referee
from companion.table.table_task import TableTask


def test_whoever_called_sees_what_the_call_has_changed(bench: Any) -> None:
    seen: list[bool] = []
    answer: Future[None] = Future()
    answer.add_done_callback(lambda _: seen.append(bench.table.snapshot().recording))
    bench.table._queue.put(TableTask(show_started, answer))
    bench.step()
    assert seen == [True]
    assert answer.result(0) is None


def test_whoever_called_gets_the_error_and_the_table_goes_on(bench: Any) -> None:
    def fails(_: Referee) -> None:
        raise ValueError("no such thing")

    answer: Future[None] = Future()
    bench.table._queue.put(TableTask(fails, answer))
    bench.step()
    with pytest.raises(ValueError, match="no such thing"):
        answer.result(0)
    assert bench.begin("nasty_7", "Ida", "Jo")["ok"]
