"""Was it the right call? The expected call is scored against everything else that could have been said.

The question at the table is not "which number was it?" but "was it the right one?". A piece of sound is
therefore decoded several times: with nothing but the right call and the competing words that are no calls
(other speech, coughs, laughter), with everything except one word of that call, and with everything. The
difference of two log-likelihoods is a log-likelihood ratio (J. Neyman and E. S. Pearson, 1933). With the
prior that a table is mostly right, and constants fitted on speakers that no model had heard, it becomes a
posterior probability (logistic calibration after J. Platt, 1999). Where the model folder has a network that
classifies whole words (companion.speech.model.verifier), its log odds are added, and it may find a call that
Vosk misses. What follows from the posterior is decided by companion.core.call_policy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.observations import HeardWord
from companion.core.weighing import EVEN, Words, beginnings
from companion.speech.audio.levels import frame_levels, is_clear
from companion.speech.audio.wav import RATE
from companion.speech.model.models import Model
from companion.speech.model.verifier import WordPosteriors
from companion.speech.recognition.decoder import Decoder, Decoding
from companion.speech.voices.profiles import SecondOpinion

PRIOR = 0.9
"""Share of right calls at a table, unless another prior is given."""
MAX_LOG_RATIO = 20.0
"""Log-likelihood ratios are limited to this many nats either way."""
MAX_LOG_ODDS = 30.0
"""Log odds are limited to this either way before they become a probability."""
CLEAR_LOG_ODDS = 2.0
"""A call that Vosk finds among all words, and the verifier with so high log odds, is not decoded further."""
CLEAR_LOG_RATIO = 8.0
"""The log-likelihood ratio that is assumed for such a call (nats): 90 of 100 right ones have more."""
MARGIN_S = 0.03
"""Seconds of sound kept before and behind a word that is cut out."""


class Calibration(msgspec.Struct, frozen=True):
    """Turns scores into log odds of the right call; the log odds of the prior are added to them."""

    slope: float
    """Per nat of the log-likelihood ratio, if Vosk finds the right call in the sound."""
    missing: float
    """If Vosk does not find it, and no other number either."""
    missing_slope: float
    """Per nat by which another number is ahead, if Vosk does not find the right call."""
    verifier_slope: float
    """Per unit of the verifier's log odds, if Vosk finds the right call."""
    missing_verifier_slope: float
    """The same if it does not."""

    def log_odds(self, nats: float, found: bool, verifier: float = 0.0) -> float:
        """Log odds of the right call, without the prior.

        Args:
            nats: how far it is ahead; if it is not found, of another number that is, at most 0.
            found: whether Vosk finds it in the sound.
            verifier: the verifier's log odds.
        """
        if found:
            return self.slope * nats + self.verifier_slope * verifier
        return self.missing + self.missing_slope * nats + self.missing_verifier_slope * verifier


VOSK_ONLY = Calibration(
    slope=0.4, missing=-0.4, missing_slope=0.22, verifier_slope=0.0, missing_verifier_slope=0.0
)
"""For a model folder without a verifier."""
WITH_VERIFIER = Calibration(
    slope=0.27, missing=0.95, missing_slope=0.2, verifier_slope=0.35, missing_verifier_slope=0.85
)
"""Between the fits of `python -m bench.speech.verdicts --fit` on each ninth and each eighteenth clip of two
held-out speakers; the fit on either of the two serves the other as well."""


class CallScore(msgspec.Struct, frozen=True):
    """What a piece of sound was, with a right call in mind."""

    words: tuple[HeardWord, ...]
    """What was most likely said; none if it was no word. Times are seconds of the piece."""
    probability: float
    """Posterior, 0 to 1, that it was the right call or its beginning."""
    log_ratio: float
    """Log-likelihood ratio in nats of the right call to everything else, within +-MAX_LOG_RATIO."""
    fits: bool
    """Whether `words` are the right call or its beginning."""
    voiced: bool
    """Whether something was said, though perhaps no known word: not a cough, a laugh or the background."""
    found: bool
    """Whether Vosk finds the right call in the sound at all."""
    verifier_log_odds: float
    """The verifier's log odds of the right call; 0 without a verifier."""

    @property
    def said(self) -> Words:
        """The words alone."""
        return tuple(word.word for word in self.words)


class VerifierEvidence(msgspec.Struct, frozen=True):
    """What the verifier says about a call."""

    log_odds: float
    """Of the right call, in nats."""
    words: tuple[HeardWord, ...]
    """Its words where they would be in the sound."""


def score_call(
    samples: NDArray[np.int16],
    model: Model,
    words: Sequence[str],
    unreported: frozenset[str],
    right: Iterable[Sequence[str]],
    rate: int = RATE,
    prior: float = PRIOR,
    opinion: SecondOpinion | None = None,
    filler: str = "",
    background_db: float | None = None,
) -> CallScore:
    """Scores the right calls, and the beginnings of them, against everything else; takes 50 to 200 ms.

    Args:
        samples: int16, mono: one utterance.
        words: all that is listened for, competing words included.
        unreported: the competing words among them.
        right: the calls that would be right; at least one.
        rate: samples a second.
        prior: how often a call is right, above 0 and below 1.
        opinion: log odds from elsewhere for the right words where they would be
            (companion.speech.voices.profiles).
        filler: the word that a running tap or a fan is taken for (the throat sound): it may stand before and
            behind every call that does not contain it.
        background_db: level of the background about the piece, dB of full scale; None: it is taken from the
            piece, which needs a second of background or more.
    """
    decoder = Decoder(samples, model, unreported, rate, background_db)
    return score_decoded(decoder, words, right, prior, opinion, filler)


def score_decoded(
    decoder: Decoder,
    words: Sequence[str],
    right: Iterable[Sequence[str]],
    prior: float = PRIOR,
    opinion: SecondOpinion | None = None,
    filler: str = "",
) -> CallScore:
    """As `score_call`, of a piece for which there is a decoder already."""
    calls = tuple(tuple(call) for call in right)
    clear = None if opinion is not None else _clear_score(decoder, words, calls, prior, filler)
    if clear is not None:
        return clear
    samples, rate = decoder.samples, decoder.rate
    competing = [word for word in words if word in decoder.unreported]
    calls = beginnings(calls)
    spoken = {
        call: _without(decoder.decode((" ".join(call), *competing, *_fillers(filler, call))), filler, call)
        for call in calls
    }
    found = {call: decoding for call, decoding in spoken.items() if decoding.said == call}
    candidates = found or spoken
    call = max(candidates, key=lambda one: (candidates[one].score, len(one)))
    others = [decoder.decode([w for w in words if w != word]) for word in dict.fromkeys(call)]
    everything = _without(decoder.decode(words), filler, call)
    if everything.said not in calls:
        others.append(everything)  # the right call and more: "one two" where "one" was due
    other = max(others, key=lambda decoding: decoding.score)
    placed = spoken[call].words if call in found else other.words
    shift = 0.0
    audible = is_clear(frame_levels(samples, rate), _spans(placed))
    if opinion is not None and len(placed) == len(call) and audible:
        shift = opinion(call, [_cut(samples, word, rate) for word in placed])
    posteriors = decoder.posteriors
    evidence = None if posteriors is None else verifier_evidence(posteriors, call, placed, other, decoder)
    return combined_score(spoken[call], call in found, other, prior, shift, evidence)


def _clear_score(
    decoder: Decoder, words: Sequence[str], right: Sequence[Words], prior: float, filler: str
) -> CallScore | None:
    """The score of a call that both networks find without being told what is due: the usual case, and a third
    of the time. None for any other sound."""
    if decoder.posteriors is None:
        return None
    for call in right:
        found = _without(decoder.decode(words), filler, call)
        if found.said != call:
            continue
        log_odds = decoder.posteriors.log_odds(call, _spans(found.words))
        if log_odds >= CLEAR_LOG_ODDS:
            other = msgspec.structs.replace(found, score=found.score - CLEAR_LOG_RATIO)
            evidence = VerifierEvidence(log_odds, found.words)
            return combined_score(found, True, other, prior, 0.0, evidence)
    return None


def verifier_evidence(
    posteriors: WordPosteriors,
    call: Words,
    placed: Sequence[HeardWord],
    other: Decoding,
    decoder: Decoder,
) -> VerifierEvidence | None:
    """The verifier's evidence where the words of a call were placed, or at their most likely places if they
    were not; None where they have no place."""
    spans = _spans(placed)
    if len(spans) != len(call):
        spans = posteriors.places(call)
        if len(spans) != len(call):
            return None
    words = (decoder.word(name, *span) for name, span in zip(call, spans, strict=True))
    log_odds, more = posteriors.log_odds(call, spans), _further_words(call, other)
    if more:  # the other explanation holds the call as well: what it has more decides
        against = posteriors.log_odds([word.word for word in more], _spans(more))
        log_odds = min(log_odds, -against)
    return VerifierEvidence(log_odds, tuple(words))


def _further_words(call: Words, other: Decoding) -> tuple[HeardWord, ...]:
    """What another decoding has before and behind a call; nothing if the call is not in it."""
    count = len(call)
    for place in range(len(other.said) - count + 1):
        if other.said[place : place + count] == call:
            return (*other.words[:place], *other.words[place + count :])
    return ()


def combined_score(
    mine: Decoding,
    found: bool,
    other: Decoding,
    prior: float,
    shift: float = 0.0,
    evidence: VerifierEvidence | None = None,
) -> CallScore:
    """The posterior and the words to report.

    Args:
        mine: the decoding with the right call.
        found: whether the right call is in it at all.
        other: the best decoding as anything else.
        prior: how often a call is right, above 0 and below 1.
        shift: log odds from elsewhere.
        evidence: of the verifier; None without one.
    """
    log_ratio = max(-MAX_LOG_RATIO, min(MAX_LOG_RATIO, mine.score - other.score))
    log_odds = _log_odds(log_ratio, found, bool(other.words), evidence)
    probability = logistic(log_odds + shift + math.log(prior / (1.0 - prior)))
    verifier_log_odds = 0.0 if evidence is None else evidence.log_odds
    score = CallScore((), probability, log_ratio, True, True, found, verifier_log_odds)
    if found and (probability >= EVEN or not other.words):
        return msgspec.structs.replace(score, words=mine.words)
    if evidence is not None and not found and evidence.log_odds > 0.0 and probability >= EVEN:
        return msgspec.structs.replace(score, words=evidence.words)
    voiced = bool(other.words) or found or any(not is_noise(word) for word in other.competing)
    return msgspec.structs.replace(score, words=other.words, fits=False, voiced=voiced)


def _log_odds(log_ratio: float, found: bool, competes: bool, evidence: VerifierEvidence | None) -> float:
    """Calibrated log odds of the right call, without the prior; `competes`: another number was decoded."""
    calibration = VOSK_ONLY if evidence is None else WITH_VERIFIER
    seen = 0.0 if evidence is None else evidence.log_odds
    behind = min(0.0, log_ratio) if competes else 0.0
    return calibration.log_odds(log_ratio if found else behind, found, seen)


def _fillers(filler: str, call: Words) -> tuple[str, ...]:
    """The filler, where it may stand before and behind a call."""
    return (filler,) if filler and filler not in call else ()


def _without(decoding: Decoding, filler: str, call: Words) -> Decoding:
    """The decoding without fillers; one of nothing but fillers stays as it is."""
    fillers = _fillers(filler, call)
    kept = tuple(word for word in decoding.words if word.word not in fillers)
    return msgspec.structs.replace(decoding, words=kept) if kept else decoding


def _spans(words: Iterable[HeardWord]) -> list[tuple[float, float]]:
    return [(word.start, word.end) for word in words]


def _cut(samples: NDArray[np.int16], word: HeardWord, rate: int) -> NDArray[np.int16]:
    """The sound of one word, with a little of what is before and behind it."""
    return samples[max(0, round((word.start - MARGIN_S) * rate)) : round((word.end + MARGIN_S) * rate)]


def is_noise(word: str) -> bool:
    """Whether a competing word stands for a noise that people make: `[cough]`, `[laughter]`, not `[unk]`."""
    return word.startswith("[") and word != "[unk]"


def logistic(log_odds: float) -> float:
    """Log odds as a probability."""
    return 1.0 / (1.0 + math.exp(-max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, log_odds))))


def log_odds_of(probability: float) -> float:
    """A probability as log odds, within +-MAX_LOG_ODDS."""
    least = logistic(-MAX_LOG_ODDS)
    probability = max(least, min(1.0 - least, probability))
    return math.log(probability / (1.0 - probability))
