"""Which messages have arrived after a gap."""

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hub.number_ranges import MOST, NumberRanges


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 30)), st.integers(0, 30))
def test_ranges_are_a_set(numbers: list[int], start: int) -> None:
    known = NumberRanges()
    for number in numbers:
        known.add(number)
    assert [one for first, last in known.ranges for one in range(first, last + 1)] == sorted(set(numbers))
    assert all(
        after[0] > before[1] + 1 for before, after in zip(known.ranges, known.ranges[1:], strict=False)
    )
    reached = known.joined(start)
    assert reached >= start
    assert all(one in numbers for one in range(start + 1, reached + 1))
    assert reached + 1 not in numbers
    assert {one for first, last in known.ranges for one in range(first, last + 1)} == {
        one for one in numbers if one > reached
    }


def test_only_so_many_ranges_are_kept() -> None:
    known = NumberRanges()
    for number in range(1, 4 * MOST, 2):
        known.add(number)
    assert len(known.ranges) == MOST
