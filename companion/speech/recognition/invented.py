"""Sounds that players invent: learnt from the first one who makes them, known again in other mouths.

Only what the model knows as no word comes here. The examples stay in memory and go with the game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.call_policy import LIKELY
from companion.core.observations import HeardWord
from companion.speech.audio.levels import frame_levels, trim
from companion.speech.recognition.verdict import logistic
from companion.speech.voices import dtw

ANOTHER = "another sound"
"""What is reported of a sound that is certainly not the one of the round."""
MOST_EXAMPLES = 5
"""So many examples of a sound are kept: the inventor's and those that were right without a doubt."""
CERTAIN = 0.95
SAME_SOUND = 0.2
"""Lowest probability at which a repetition counts as the same sound, and becomes an example."""
PAUSE_S = 0.12
"""A sound made twice in one breath has a gap of at least this length in it."""


class SoundMatch(msgspec.Struct, frozen=True):
    """A piece of sound beside an invented one: what it is reported as, and how likely it is the right one."""

    words: tuple[HeardWord, ...]
    probability: float


class InventedSounds:
    """The invented sounds of one game, by name.

    Args:
        prior: how often a call is right, above 0 and below 1.
    """

    def __init__(self, prior: float) -> None:
        self._lean = math.log(prior / (1.0 - prior))
        self._examples: dict[str, list[dtw.SoundFeatures]] = {}
        self.latest = ""
        """The name of the sound that was learnt last."""

    def knows(self, call: Sequence[str]) -> bool:
        """Whether every word of a call is a sound that was learnt."""
        return bool(call) and all(word in self._examples for word in call)

    def learn(self, name: str, samples: NDArray[np.int16], rate: int) -> tuple[HeardWord, ...]:
        """Takes the first example of a sound; nothing where there is nothing to learn from. Made twice in one
        breath, it is reported twice, and both are examples."""
        parts = [(span, dtw.features(_part(samples, rate, span), rate)) for span in _spans(samples, rate)]
        found = [(span, sound) for span, sound in parts if sound is not None]
        if not found:
            return ()
        twice = len(found) == 2 and dtw.probability(dtw.distance(found[0][1], found[1][1])) > 0.5
        if not twice:
            whole = dtw.features(samples, rate)
            span = trim(frame_levels(samples, rate), 0.0, samples.size / rate)
            if whole is None or span is None:
                return ()
            found = [(span, whole)]
        self._examples[name], self.latest = [sound for _, sound in found], name
        return tuple(HeardWord(name, *span, 1.0) for span, _ in found)

    def add_example(self, samples: NDArray[np.int16], rate: int) -> bool:
        """Takes one more example of the latest sound from whoever made it first; False: that was another one.
        Whoever makes it later is compared with the two examples that are nearest."""
        sound = dtw.features(samples, rate)
        kept = self._examples.get(self.latest, [])
        if sound is None or dtw.match_probability(kept, sound) < SAME_SOUND:
            return False
        self._examples[self.latest] = [*kept, sound][:MOST_EXAMPLES]
        return True

    def match(
        self, samples: NDArray[np.int16], rate: int, right: Iterable[Sequence[str]]
    ) -> SoundMatch | None:
        """Compares a piece with the sounds that would be right; None where it is no sound at all."""
        levels = frame_levels(samples, rate)
        span = trim(levels, 0.0, samples.size / rate)
        whole = dtw.features(samples, rate)
        if span is None or whole is None:
            return None
        best: tuple[float, tuple[HeardWord, ...]] = (0.0, ())
        for call in right:
            for spans in ([span], _spans(samples, rate)):
                if len(spans) <= len(call) and self.knows(call[: len(spans)]):
                    chance = min(
                        self._chance(name, _part(samples, rate, one), rate)
                        for name, one in zip(call, spans, strict=False)
                    )
                    if chance > best[0]:
                        named = zip(call, spans, strict=False)
                        best = (chance, tuple(HeardWord(name, *one, chance) for name, one in named))
        chance, words = best
        if chance >= CERTAIN and len(words) == 1:
            kept = self._examples[words[0].word]
            self._examples[words[0].word] = [*kept, whole][:MOST_EXAMPLES]
        if chance >= LIKELY:
            return SoundMatch(words, chance)
        return SoundMatch((HeardWord(ANOTHER, *span, 1.0 - chance),), chance)

    def _chance(self, name: str, samples: NDArray[np.int16], rate: int) -> float:
        sound = dtw.features(samples, rate)
        if sound is None:
            return 0.0
        alone = min(1.0 - 1e-9, max(1e-9, dtw.match_probability(self._examples[name], sound)))
        return logistic(math.log(alone / (1.0 - alone)) + self._lean)


def _part(samples: NDArray[np.int16], rate: int, span: tuple[float, float]) -> NDArray[np.int16]:
    margin = 0.02
    return samples[max(0, int((span[0] - margin) * rate)) : int((span[1] + margin) * rate)]


def _spans(samples: NDArray[np.int16], rate: int) -> list[tuple[float, float]]:
    """Where in a piece it sounds: two spans if its longest gap parts it into like halves, else one."""
    levels = frame_levels(samples, rate)
    span = trim(levels, 0.0, samples.size / rate)
    if span is None:
        return []
    first, last = round(span[0] * 100), round(span[1] * 100)
    quiet = levels[first:last] < float(levels[first:last].max()) - dtw.LOUD_DB
    gap = _longest(quiet)
    if gap is None or gap[1] - gap[0] < PAUSE_S * 100:
        return [span]
    one, two = gap[0], (last - first) - gap[1]
    if not 0.5 <= one / max(1, two) <= 2.0:
        return [span]
    return [(span[0], span[0] + gap[0] / 100), (span[0] + gap[1] / 100, span[1])]


def _longest(flags: NDArray[np.bool_]) -> tuple[int, int] | None:
    """The longest run of true, from and to."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    runs = [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return max(runs, key=lambda run: run[1] - run[0], default=None)
