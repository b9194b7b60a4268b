"""Whom the hub asks for missing messages, how much, and how often."""

from itertools import pairwise

from companion.hub.gap_requests import LARGEST, LONGEST_WAIT_S, MOST_AWAITED, NEXT_S, GapRequests
from companion.hub.progress import TableProgress


def table(number: int, head: int, *beyond: tuple[int, int]) -> TableProgress:
    one = TableProgress("s1", number, head, beyond)
    one.online = True
    return one


def asked(requests: GapRequests, now: float, **tables: TableProgress) -> list[tuple[str, int, int]]:
    return [(one.table, one.number, one.last) for one in requests.due(tables, now)]


def test_gaps_are_asked_for_together_if_little_is_known_between_them() -> None:
    assert table(10, 20).missing == (10, 20)
    assert table(10, 20, (15, 20)).missing == (10, 14)
    assert table(10, 20, (15, 16)).missing == (10, 20)
    assert table(10, 100, (12, 90)).missing == (10, 11)
    assert table(0, 100, (50, 50), (60, 60), (70, 100)).missing == (0, 69)
    assert table(0, 9, (2, 2), (4, 4), (6, 6), (8, 8)).missing == (0, 9)


def test_only_tables_that_are_there_and_miss_something_are_asked() -> None:
    away = table(0, 9)
    away.online = False
    assert asked(GapRequests(), 0.0, away=away, whole=table(9, 9), bay=table(0, 9)) == [("bay", 0, 9)]


def test_a_table_that_does_not_answer_is_asked_ever_more_seldom() -> None:
    requests, times = GapRequests(), []
    for second in range(2000):
        if asked(requests, float(second), bay=table(0, 9)):
            times.append(second)
    gaps = [after - before for before, after in pairwise(times)]
    assert gaps == [5, 10, 20, 40, 80, 160, *[LONGEST_WAIT_S] * (len(gaps) - 6)]
    assert len(gaps) > 8


def test_while_an_answer_is_coming_nothing_is_asked_for() -> None:
    requests = GapRequests()
    assert asked(requests, 0.0, bay=table(0, 900)) == [("bay", 0, 900)]
    for second in range(1, 300, 3):
        assert asked(requests, float(second), bay=table(second * 3, 900)) == []
    assert asked(requests, 304.0, bay=table(894, 900)) == [("bay", 894, 900)]


def test_after_an_answer_the_next_part_is_asked_for() -> None:
    requests = GapRequests()
    assert asked(requests, 0.0, bay=table(0, 2500)) == [("bay", 0, LARGEST)]
    assert asked(requests, NEXT_S / 2, bay=table(LARGEST, 2500)) == []
    assert asked(requests, NEXT_S, bay=table(LARGEST, 2500)) == [("bay", LARGEST, 2 * LARGEST)]
    assert asked(requests, 5.0, bay=table(LARGEST, 2500)) == []
    assert asked(requests, 5.6, bay=table(LARGEST, 2500)) == [("bay", LARGEST, 2 * LARGEST)]


def test_not_all_tables_are_asked_at_once() -> None:
    requests = GapRequests()
    hall = {f"t{n}": table(0, 5000) for n in range(50)}
    first = asked(requests, 0.0, **hall)
    assert len(first) == MOST_AWAITED // LARGEST
    assert asked(requests, 1.0, **hall) == []
    hall |= {name: table(5000, 5000) for name, _, _ in first}
    second = asked(requests, 2.0, **hall)
    assert len(second) == MOST_AWAITED // LARGEST
    assert not {name for name, _, _ in second} & {name for name, _, _ in first}


def test_a_new_series_is_asked_for_at_once_and_patiently_from_the_start() -> None:
    requests = GapRequests()
    assert asked(requests, 0.0, bay=table(0, 9))
    assert asked(requests, 5.0, bay=table(0, 9))
    other = TableProgress("s2", 0, 9)
    other.online = True
    assert asked(requests, 6.0, bay=other) == [("bay", 0, 9)]
    assert asked(requests, 11.0, bay=other) == [("bay", 0, 9)], "five seconds later again"
