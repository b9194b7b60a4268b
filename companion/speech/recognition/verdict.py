"""Was it the right call? The expected call is weighed against everything else that could have been said.

The question at the table is not "which number was it?" but "was it the right one?". A piece of sound is
therefore read several times: once with nothing but the right call and the rivals that are no calls (other
speech, coughs, laughter), once for every word of that call with everything except this word, and once with
everything. The difference of the two log-likelihoods is a likelihood ratio (J. Neyman and E. S. Pearson,
1933); with the prior that a table is mostly right, and constants fitted on speakers that no model had
heard, it becomes a probability (logistic calibration after J. Platt, 1999). A recogniser's own list of
alternatives does not do: its lattice is pruned to one reading for nearly every clear word, and to none of
use for an unclear one. Where the model folder has a network that looks at words as a whole
(companion.speech.model.verifier), its log odds count as well, and a call that Vosk overhears may be seen
by it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.call_policy import DOUBTFUL, LIKELY, beginnings
from companion.core.observations import HeardWord
from companion.speech.audio.dither import dithered
from companion.speech.audio.levels import (
    FRAME_S,
    STANDS,
    Levels,
    extent,
    frame_levels,
    loudest,
    room_level,
)
from companion.speech.model import grammar
from companion.speech.model.models import Model
from companion.speech.model.verifier import WordPosteriors
from companion.speech.voices.profiles import SecondOpinion

PRIOR = 0.9
"""So many calls of a table are right, until somebody sets it otherwise."""
MAX_LOG_RATIO = 20.0
"""Nats beyond which a difference says nothing more."""
MAX_LOG_ODDS = 30.0
BEFORE_S, BEHIND_S = 0.3, 0.4
"""Silence that is put round the piece."""
AROUND_S = 0.03
"""A word is cut out with so much round it."""
LOUD_DB = 20.0
"""The loud part of a word lies within so much of its loudest frame."""
MIN_BACKGROUND_FRAMES = 8
"""So many frames of the room are needed to know how loud it is."""
CLEAR_DB = 15.0
"""A second opinion is asked only where words stand this far above what is round them: in babble the examples
that a player taught accuse wrongly more often than they help (`python -m bench.speech.taught`)."""

Call = tuple[str, ...]


class Calibration(msgspec.Struct, frozen=True):
    """Log odds of the right call, to which the prior comes."""

    slope: float
    """For each nat that it is ahead of everything else, where it is found in the sound."""
    unheard: float
    """Where it is found nowhere in the sound and no other number either."""
    unheard_slope: float
    """For each nat that another number is ahead where it is found nowhere."""
    look: float = 0.0
    """For each unit of the verifier's own log odds, where it is found."""
    unheard_look: float = 0.0
    """The same where it is not."""


ALONE = Calibration(slope=0.4, unheard=-0.4, unheard_slope=0.22)
"""For a model folder without a verifier."""
WITH_VERIFIER = Calibration(slope=0.27, unheard=0.95, unheard_slope=0.2, look=0.35, unheard_look=0.85)
"""Between those that `python -m bench.speech.verdicts --fit` asks for on each ninth and each eighteenth clip
of two held-out speakers; the fit on either of the two serves the other as well."""


class CallScore(msgspec.Struct, frozen=True):
    """What a piece of sound was, with a right call in mind.

    `words` are what was most likely said (times in seconds of the piece); none if it was no word. `right` is
    the probability, 0 to 1, that it was the right call or its beginning; `ahead` the nats by which it is.
    """

    words: tuple[HeardWord, ...]
    right: float
    ahead: float
    fits: bool
    """Whether `words` are the right call or its beginning."""
    voiced: bool = True
    """Whether something was said at all, though perhaps no word: not a cough, a laugh or the room alone."""
    heard: bool = False
    """Whether Vosk finds the right call in the sound at all."""
    margin: float = 0.0
    """The log odds of the right call that the verifier gives, where the model has one."""

    @property
    def said(self) -> Call:
        """The words alone."""
        return tuple(word.word for word in self.words)


class Decoding(msgspec.Struct, frozen=True):
    score: float
    words: tuple[HeardWord, ...]
    rivals: tuple[str, ...] = ()
    """The unreported words in it."""

    @property
    def said(self) -> Call:
        return tuple(word.word for word in self.words)


class Decoder:
    """Reads one piece of sound with different vocabularies.

    Args:
        samples: int16, mono.
        model: opened, with a runtime grammar.
        unreported: words that are heard and never told.
        room: how loud the room is about the piece, in dB (companion.speech.audio.levels.room_level); words
            that do not stand out of it are not told either. None: as the piece itself says.
    """

    def __init__(
        self,
        samples: NDArray[np.int16],
        model: Model,
        unreported: frozenset[str],
        rate: int = 16000,
        room: float | None = None,
    ) -> None:
        ends = np.zeros(int(rate * BEFORE_S), np.int16), np.zeros(int(rate * BEHIND_S), np.int16)
        self._data = dithered(np.concatenate([ends[0], samples, ends[1]])).tobytes()
        self._levels = frame_levels(samples, rate)
        self._room = room_level(self._levels, 0.0, samples.size / rate) if room is None else room
        self._model = model
        self._unreported = unreported
        self._rate = rate

    def read(self, phrases: Sequence[str]) -> Decoding:
        """The best reading that these words and phrases allow."""
        import vosk

        listed = grammar.written(phrases, self._unreported)
        ear = vosk.KaldiRecognizer(self._model.vosk, float(self._rate), listed)
        ear.SetWords(True)
        ear.SetMaxAlternatives(1)
        parts = [ear.Result()] if ear.AcceptWaveform(self._data) else []
        found = [json.loads(part)["alternatives"][0] for part in (*parts, ear.FinalResult())]
        words = [item for part in found for item in part.get("result", [])]
        told = (self._placed(item) for item in words if item["word"] not in self._unreported)
        return Decoding(
            sum(float(part["confidence"]) for part in found),
            tuple(w for w in told if loudest(self._levels, w.start, w.end) - self._room > STANDS),
            tuple(item["word"] for item in words if item["word"] in self._unreported),
        )

    def _placed(self, item: dict[str, Any]) -> HeardWord:
        return self.word(item["word"], max(0.0, item["start"] - BEFORE_S), max(0.0, item["end"] - BEFORE_S))

    def word(self, name: str, start: float, end: float) -> HeardWord:
        """A word about this span of the piece (s), placed by its loudness."""
        return HeardWord(name, *(extent(self._levels, start, end, self._room) or (start, end)), 1.0)


def score_call(
    samples: NDArray[np.int16],
    model: Model,
    words: Sequence[str],
    unreported: frozenset[str],
    right: Iterable[Sequence[str]],
    rate: int = 16000,
    prior: float = PRIOR,
    second: SecondOpinion | None = None,
    filler: str = "",
    room: float | None = None,
) -> CallScore:
    """Weighs the right calls, and the beginnings of them, against everything else.

    Args:
        words: all that is listened for, rivals included.
        unreported: the rivals among them.
        right: the calls that would be right; at least one.
        prior: how often a call is right, above 0 and below 1.
        second: another opinion on the right words where they would lie (companion.speech.voices.profiles).
        filler: the word that a running tap or a fan is taken for (the throat sound): it may stand round every
            call that does not hold it.
        room: how loud the room is about the piece, in dB (companion.speech.audio.levels.room_level); None:
            as the piece itself says, which holds if it has a second or more of room.
    """
    decoder = Decoder(samples, model, unreported, rate, room)
    rivals = [word for word in words if word in unreported]
    calls = beginnings(right)
    spoken = {
        call: _without_fillers(
            decoder.read((" ".join(call), *rivals, *_fillers(filler, call))), *_fillers(filler, call)
        )
        for call in calls
    }
    heard = {call: reading for call, reading in spoken.items() if reading.said == call}
    candidates = heard or spoken
    call = max(candidates, key=lambda one: (candidates[one].score, len(one)))
    others = [decoder.read([w for w in words if w != word]) for word in dict.fromkeys(call)]
    everything = _without_fillers(decoder.read(words), *_fillers(filler, call))
    if everything.said not in calls:
        others.append(everything)  # the right call and more: "one two" where "one" was due
    other = max(others, key=lambda reading: reading.score)
    placed = spoken[call].words if call in heard else other.words
    shift = 0.0
    if second is not None and len(placed) == len(call) and is_clear(frame_levels(samples, rate), placed):
        shift = second(call, [_cut(samples, word, rate) for word in placed])
    looked = None
    if model.verifier is not None:
        looked = _verifier_evidence(model.verifier.posteriors(samples, rate), call, placed, other, decoder)
    return combined_score(spoken[call], call in heard, other, prior, shift, looked)


class VerifierEvidence(msgspec.Struct, frozen=True):
    """What the verifier says to a call: the log odds of it, its words where it would lie, and the log odds of
    what was heard instead."""

    margin: float
    words: tuple[HeardWord, ...]
    instead: float = 0.0


def _verifier_evidence(
    looks: WordPosteriors, call: Call, placed: Sequence[HeardWord], other: Decoding, decoder: Decoder
) -> VerifierEvidence | None:
    """WordPosteriors where the words were placed, or where they lie best if they were not."""
    spans = [(word.start, word.end) for word in placed]
    if len(spans) != len(call):
        spans = looks.places(call)
        if len(spans) != len(call):
            return None
    words = (decoder.word(name, *span) for name, span in zip(call, spans, strict=True))
    instead = looks.margin(other.said, [(word.start, word.end) for word in other.words])
    return VerifierEvidence(looks.margin(call, spans), tuple(words), instead)


def _fillers(filler: str, call: Call) -> tuple[str, ...]:
    """The filler, where it may stand round a call."""
    return (filler,) if filler and filler not in call else ()


def _without_fillers(reading: Decoding, *fillers: str) -> Decoding:
    """The reading without the words that may stand round the call; a reading of nothing else stays."""
    kept = tuple(word for word in reading.words if word.word not in fillers)
    return msgspec.structs.replace(reading, words=kept) if kept else reading


def is_clear(levels: Levels, words: Iterable[HeardWord]) -> bool:
    """Whether words stand out of the room, CLEAR_DB or more; not so where nothing of the room is heard.

    Args:
        levels: from frame_levels; the words' times are seconds from its first frame.
    """
    inside = np.zeros(levels.size, bool)
    for word in words:
        inside[max(0, round(word.start / FRAME_S)) : round(word.end / FRAME_S)] = True
    said, room = levels[inside], levels[~inside]
    if said.size == 0 or room.size < MIN_BACKGROUND_FRAMES:
        return False
    return _mean(said[said > said.max() - LOUD_DB]) - _mean(room) >= CLEAR_DB


def _mean(levels: Levels) -> float:
    """The level of the mean power."""
    return float(10.0 * np.log10(np.mean(10.0 ** (levels.astype(np.float64) / 10.0))))


def _cut(samples: NDArray[np.int16], word: HeardWord, rate: int) -> NDArray[np.int16]:
    """The sound of one word, with a little of what is round it."""
    return samples[max(0, round((word.start - AROUND_S) * rate)) : round((word.end + AROUND_S) * rate)]


def is_noise(word: str) -> bool:
    """Whether a rival stands for a noise that people make: `[cough]`, `[laughter]`, but not `[unk]`."""
    return word.startswith("[") and word != "[unk]"


def combined_score(
    mine: Decoding,
    heard: bool,
    other: Decoding,
    prior: float,
    shift: float = 0.0,
    looked: VerifierEvidence | None = None,
) -> CallScore:
    """The outcome: `mine` is the reading as the right call, `heard` if it is found in it at all, `other` the
    best reading as anything else; `shift` log odds come from elsewhere, and `looked` from the verifier. What
    Vosk hears instead of the right call and the verifier takes for something else is doubted."""
    ahead = max(-MAX_LOG_RATIO, min(MAX_LOG_RATIO, mine.score - other.score))
    constants = ALONE if looked is None else WITH_VERIFIER
    if heard:
        odds = constants.slope * ahead
    else:
        odds = constants.unheard + constants.unheard_slope * (min(0.0, ahead) if other.words else 0.0)
    if looked is not None:
        odds += (constants.look if heard else constants.unheard_look) * looked.margin
    probability = logistic(odds + shift + math.log(prior / (1.0 - prior)))
    found = CallScore((), probability, ahead, True, True, heard, 0.0 if looked is None else looked.margin)
    if heard and (probability >= LIKELY or not other.words):
        return msgspec.structs.replace(found, words=with_confidence(mine.words, probability))
    if looked is not None and not heard and looked.margin > 0.0 and probability >= LIKELY:
        return msgspec.structs.replace(found, words=with_confidence(looked.words, probability))
    voiced = bool(other.words) or heard or any(not is_noise(word) for word in other.rivals)
    words = with_confidence(other.words, 1.0 - probability)
    if looked is not None and looked.instead < 0.0:
        words = as_doubtful(words)
    return msgspec.structs.replace(found, words=words, fits=False, voiced=voiced)


def with_confidence(words: Iterable[HeardWord], confidence: float) -> tuple[HeardWord, ...]:
    """The words, each with this confidence."""
    return tuple(msgspec.structs.replace(word, confidence=confidence) for word in words)


def as_doubtful(words: Iterable[HeardWord]) -> tuple[HeardWord, ...]:
    """The words with DOUBTFUL at most."""
    return tuple(msgspec.structs.replace(word, confidence=min(DOUBTFUL, word.confidence)) for word in words)


def logistic(odds: float) -> float:
    """Log odds as a probability."""
    return 1.0 / (1.0 + math.exp(-max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, odds))))
