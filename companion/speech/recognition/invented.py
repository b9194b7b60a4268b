"""Invented sounds: defined by the first example of the player who invents one, recognised from all players.

Only sounds that the model does not recognise as words are compared here. The examples are kept in memory
until the game ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.observations import HeardWord
from companion.core.weighing import EVEN
from companion.speech.audio.levels import frame_levels, trim
from companion.speech.recognition.verdict import logistic
from companion.speech.voices import dtw

OTHER_SOUND = "another sound"
"""Reported instead of a word for a sound that is probably not the invented one."""
MAX_EXAMPLES = 5
"""So many examples of a sound are kept: those of its inventor, and later ones that are almost certain."""
EXAMPLE_PROBABILITY = 0.95
"""A sound from another player becomes an example from this posterior on."""
MIN_REPETITION_PROBABILITY = 0.2
"""A repetition by the inventor becomes an example from this probability on, with a prior of 0.5."""
PAUSE_S = 0.12
"""A sound made twice without a break has a pause of at least this many seconds in its middle."""
MARGIN_S = 0.02
"""Seconds kept before and behind a sound that is cut out."""


class SoundMatch(msgspec.Struct, frozen=True):
    """What a piece of sound is, compared with the invented sounds that would be right."""

    words: tuple[HeardWord, ...]
    """To report; times are seconds of the piece."""
    probability: float
    """Posterior, 0 to 1, that it is the right sound."""


class InventedSounds:
    """The invented sounds of one game, by name.

    Args:
        prior: how often a call is right, above 0 and below 1.
    """

    def __init__(self, prior: float) -> None:
        self._prior_log_odds = math.log(prior / (1.0 - prior))
        self._examples: dict[str, list[dtw.SoundFeatures]] = {}
        self.latest = ""
        """The name of the sound that was defined last; empty: none was."""

    def knows(self, call: Sequence[str]) -> bool:
        """Whether every word of a call is the name of an invented sound."""
        return bool(call) and all(word in self._examples for word in call)

    def learn(self, name: str, samples: NDArray[np.int16], rate: int) -> tuple[HeardWord, ...]:
        """Defines a sound by its first example.

        Returns:
            The sound once, or twice if it was made twice without a break: then both are examples. Times are
            seconds of `samples`. Empty if there is no usable sound: then nothing is defined.
        """
        parts = [(span, dtw.features(_part(samples, rate, span), rate)) for span in _spans(samples, rate)]
        found = [(span, sound) for span, sound in parts if sound is not None]
        if not found:
            return ()
        twice = len(found) == 2 and dtw.probability(dtw.distance(found[0][1], found[1][1])) > 0.5
        if not twice:
            whole = dtw.features(samples, rate)
            span = trim(frame_levels(samples, rate), 0.0, samples.size / rate, one_word=False)
            if whole is None or span is None:
                return ()
            found = [(span, whole)]
        self._examples[name], self.latest = [sound for _, sound in found], name
        return tuple(HeardWord(name, *span, 1.0) for span, _ in found)

    def add_example(self, samples: NDArray[np.int16], rate: int) -> bool:
        """Adds an example of the latest sound by its inventor.

        Returns:
            False if it is probably another sound; then it is not added.
        """
        sound = dtw.features(samples, rate)
        kept = self._examples.get(self.latest, [])
        if sound is None or dtw.match_probability(kept, sound) < MIN_REPETITION_PROBABILITY:
            return False
        self._examples[self.latest] = [*kept, sound][:MAX_EXAMPLES]
        return True

    def match(
        self, samples: NDArray[np.int16], rate: int, right: Iterable[Sequence[str]]
    ) -> SoundMatch | None:
        """Compares a piece of sound with the calls that would be right; None if there is no usable sound."""
        levels = frame_levels(samples, rate)
        span = trim(levels, 0.0, samples.size / rate, one_word=False)
        whole = dtw.features(samples, rate)
        if span is None or whole is None:
            return None
        best: tuple[float, tuple[HeardWord, ...]] = (0.0, ())
        for call in right:
            for spans in ([span], _spans(samples, rate)):
                if len(spans) <= len(call) and self.knows(call[: len(spans)]):
                    posterior = min(
                        self._posterior(name, _part(samples, rate, one), rate)
                        for name, one in zip(call, spans, strict=False)
                    )
                    if posterior > best[0]:
                        named = zip(call, spans, strict=False)
                        best = (posterior, tuple(HeardWord(name, *one, posterior) for name, one in named))
        posterior, words = best
        if posterior >= EXAMPLE_PROBABILITY and len(words) == 1:
            kept = self._examples[words[0].word]
            self._examples[words[0].word] = [*kept, whole][:MAX_EXAMPLES]
        if posterior >= EVEN:
            return SoundMatch(words, posterior)
        return SoundMatch((HeardWord(OTHER_SOUND, *span, 1.0 - posterior),), posterior)

    def _posterior(self, name: str, samples: NDArray[np.int16], rate: int) -> float:
        sound = dtw.features(samples, rate)
        if sound is None:
            return 0.0
        alone = min(1.0 - 1e-9, max(1e-9, dtw.match_probability(self._examples[name], sound)))
        return logistic(math.log(alone / (1.0 - alone)) + self._prior_log_odds)


def _part(samples: NDArray[np.int16], rate: int, span: tuple[float, float]) -> NDArray[np.int16]:
    """The samples of a span (s) and MARGIN_S on both sides."""
    return samples[max(0, int((span[0] - MARGIN_S) * rate)) : int((span[1] + MARGIN_S) * rate)]


def _spans(samples: NDArray[np.int16], rate: int) -> list[tuple[float, float]]:
    """The spans (s) of a piece that hold sound: one, or two if a pause of at least PAUSE_S divides it.

    One half may be at most twice as long as the other.
    """
    levels = frame_levels(samples, rate)
    span = trim(levels, 0.0, samples.size / rate, one_word=False)
    if span is None:
        return []
    first, last = round(span[0] * 100), round(span[1] * 100)
    quiet = levels[first:last] < float(levels[first:last].max()) - dtw.LOUD_RANGE_DB
    gap = _longest_run(quiet)
    if gap is None or gap[1] - gap[0] < PAUSE_S * 100:
        return [span]
    one, two = gap[0], (last - first) - gap[1]
    if not 0.5 <= one / max(1, two) <= 2.0:
        return [span]
    return [(span[0], span[0] + gap[0] / 100), (span[0] + gap[1] / 100, span[1])]


def _longest_run(flags: NDArray[np.bool_]) -> tuple[int, int] | None:
    """First index, and index after the last, of the longest run of true; None without any."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    runs = [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return max(runs, key=lambda run: run[1] - run[0], default=None)
