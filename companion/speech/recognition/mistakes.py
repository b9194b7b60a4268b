"""What a call that is not the right one may be: a player's mistake, or the right call misheard.

Players who miscount are one off. A right call is misheard as a number that sounds alike where a consonant is
lost: "six" as "three" by speakers whose "s" lies above the band of the models. Of two words both must be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

Mistake = Literal["near", "far", "misheard"]
"""`near`: a player who miscounts may have said it. `far`: hardly anybody says it instead. `misheard`: the
right call is often taken for it."""

FARTHEST_NEAR = 1
"""So many numbers is a player off who miscounts, at most."""
MISHEARD = frozenset({(2, 4), (5, 3), (6, 2), (6, 3), (7, 1), (7, 2), (7, 3)})
"""Numbers and what they are misheard as, if that is more than one off: every pair that occurred in 490 clean
recordings of speakers whom a first recogniser had not met (Free Spoken Digit Dataset and Speech Commands),
and among the development speakers in silence (five and six as three)."""


def mistake(said: Sequence[str], right: Iterable[Sequence[str]], numbers: Sequence[str]) -> Mistake:
    """What it may be that these words are not one of the right calls; the likeliest if there are several.

    Args:
        said: one word or more.
        right: calls; none: every word is wrong. That one of them was misheard is likeliest: few calls are
            mistakes.
        numbers: the words for 0, 1, 2 and so on.

    >>> numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven"]
    >>> [mistake([said], [["six"]], numbers) for said in ("five", "three", "one")]
    ['near', 'misheard', 'far']
    """
    calls = [tuple(call) for call in right if call]
    if any(_holds_more(tuple(said), call) or _is_half_right(tuple(said), call) for call in calls):
        return "misheard"
    found = {_compared(said, call, numbers) for call in calls}
    order: tuple[Mistake, ...] = ("misheard", "near", "far")
    return next((one for one in order if one in found), "near")


def _holds_more(said: tuple[str, ...], call: tuple[str, ...]) -> bool:
    """Whether a right call was said and something more, by another voice perhaps."""
    runs = (said[place : place + len(call)] for place in range(len(said) - len(call) + 1))
    return len(said) > len(call) and call in runs


def _is_half_right(said: tuple[str, ...], call: tuple[str, ...]) -> bool:
    """Whether one word of a right call is at its place and another one is not, or only its end was made out:
    who miscounts says no right word there, but one word of two is often lost or misheard."""
    if len(said) == len(call):
        return any(one == other for one, other in zip(said, call, strict=True))
    return len(said) < len(call) and said == call[-len(said) :]


def _compared(said: Sequence[str], call: Sequence[str], numbers: Sequence[str]) -> Mistake:
    """Compares each word with the one at its place in the call, or with the last one of it."""
    places = [(call[min(place, len(call) - 1)], word) for place, word in enumerate(said)]
    known = [
        (numbers.index(wanted), numbers.index(word))
        for wanted, word in places
        if wanted in numbers and word in numbers
    ]
    clear = [(wanted, word) for wanted, word in known if wanted != word and (wanted, word) not in MISHEARD]
    if known and not clear:
        return "misheard"
    return "far" if any(abs(wanted - word) > FARTHEST_NEAR for wanted, word in clear) else "near"
