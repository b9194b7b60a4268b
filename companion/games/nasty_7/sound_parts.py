"""The parts of a sound before and behind a moment: each belongs to another card."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.core.observations import EARLY_S, Utterance
from companion.core.weighing import WeighedCall, Words


def divided(utterance: Utterance) -> tuple[Utterance, Utterance | None]:
    """The parts of a sound before and behind the landing of the next card: words that begin before it belong
    to the first one. A sound without words behind the landing is not divided."""
    landing = utterance.landing
    if landing is None:
        return utterance, None
    before = tuple(word for word in utterance.words if word.start < landing)
    behind = utterance.words[len(before) :]
    if not before or not behind:
        return utterance, None
    cut = (before[-1].end + behind[0].start) / 2
    low, high = utterance.part or (utterance.start - EARLY_S, utterance.end + EARLY_S)
    first = replace(utterance, words=before, end=before[-1].end, part=(low, cut))
    return first, replace(utterance, words=behind, start=behind[0].start, part=(cut, high))


def ahead(utterance: Utterance, moment: float) -> Utterance | None:
    """The part of a sound before a moment of the clock; None if it begins later."""
    if utterance.start >= moment:
        return None
    words = tuple(word for word in utterance.words if word.start < moment)
    low = utterance.start - EARLY_S if utterance.part is None else utterance.part[0]
    return replace(utterance, words=words, end=moment, part=(low, moment))


def behind(utterance: Utterance, moment: float) -> Utterance | None:
    """The part of a sound behind a moment of the clock; None if it is over before."""
    if utterance.end <= moment:
        return None
    words = tuple(word for word in utterance.words if word.start >= moment)
    high = utterance.end + EARLY_S if utterance.part is None else utterance.part[1]
    return replace(utterance, words=words, start=moment, part=(moment, high))


def behind_call(utterance: Utterance, weighed: WeighedCall, call: Words) -> Utterance | None:
    """The part of a sound behind the call with which its words begin; None if they do not begin with it, or
    no word was made out behind it."""
    if not call or weighed.said[: len(call)] != call:
        return None
    rest = behind(utterance, weighed.words[len(call) - 1].end)
    return rest if len(weighed.words) > len(call) or (rest is not None and rest.words) else None


def other_half(weighed: WeighedCall, begun: Words, right: Sequence[Words]) -> WeighedCall:
    """The sound without the words that were accepted before, if the whole call was made out in it. The whole
    call is then no other call than the right one. Noise tears a call: the end of its first word begins
    another sound and may be taken for that word again.

    Args:
        weighed: a sound behind those words.
        begun: the words that were accepted.
        right: what is due behind them.
    """
    size = len(begun)
    if not begun or weighed.said[:size] != begun or weighed.said[size:] not in right:
        return weighed
    return WeighedCall(weighed.words[size:], weighed.right + weighed.wrong)
