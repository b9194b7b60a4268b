"""Which wrong calls are slips of a player, and which are more likely a right call that was misheard.

Players who miscount are one off. A right call is misheard as any number: "six" as "three" by speakers
whose "s" lies above the band of the models; and what somebody else says beside it is heard as part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

FARTHEST_SLIP = 1
"""So many numbers is a player off who miscounts, at most. "Two" is misheard as "four"."""


def is_slip(said: Sequence[str], right: Iterable[Sequence[str]], numbers: Sequence[str]) -> bool:
    """Whether a player may have said this instead of one of the right calls.

    Args:
        said: one word or more.
        right: calls; none: every word is wrong.
        numbers: the words for 0, 1, 2 and so on.

    >>> numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven"]
    >>> is_slip(["five"], [["six"]], numbers), is_slip(["three"], [["six"]], numbers)
    (True, False)
    """
    calls = [tuple(call) for call in right if call]
    if any(_holds_more(tuple(said), call) for call in calls):
        return False
    return not calls or any(_is_near(said, call, numbers) for call in calls)


def _holds_more(said: tuple[str, ...], call: tuple[str, ...]) -> bool:
    """Whether a right call was said and something more: that may be another voice."""
    runs = (said[place : place + len(call)] for place in range(len(said) - len(call) + 1))
    return len(said) > len(call) and call in runs


def _is_near(said: Sequence[str], call: Sequence[str], numbers: Sequence[str]) -> bool:
    """Whether each number said is near the one at its place in the call, or near the last one of it."""
    for place, word in enumerate(said):
        wanted = call[min(place, len(call) - 1)]
        known = word in numbers and wanted in numbers
        if known and abs(numbers.index(word) - numbers.index(wanted)) > FARTHEST_SLIP:
            return False
    return True
