"""Weighs one kept sound against the call that is due: for the table, replays and benchmarks alike."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from companion.core.call_policy import DOUBTFUL
from companion.core.observations import LATEST_SOUND, HeardWord, Utterance
from companion.core.weighing import CallDue, SpeakerWitness, WeighedCall, beginnings, by_confidence
from companion.speech.audio.levels import FRAME_S, MIN_SNR_DB, Levels, frame_levels, is_cut_off, loudest
from companion.speech.model.grammar import Language
from companion.speech.model.models import Model
from companion.speech.recognition import other_speech, verdict
from companion.speech.recognition.by_speaker import by_speaker
from companion.speech.recognition.decoder import Decoder
from companion.speech.recognition.invented import InventedSounds
from companion.speech.recognition.kept_sounds import KeptSound, KeptSounds
from companion.speech.recognition.loudness_baseline import LoudnessBaseline
from companion.speech.voices.profiles import VoiceProfile

KNOWN_WORD_CONFIDENCE = 0.8
"""Where a sound is to be invented, a known word of lower probability is taken for the invented sound."""
MARGIN_S = 0.3
"""Seconds kept before and behind what is above the background."""
CALL_PRIOR = 0.5
"""Share of calls among the sounds with words that are not the right call, while a call is due: even odds.
Right calls that were accused in all noises, development and report speakers (N = 375 and 388): 0.3 and 0 %
with 0.5, 0.3 and 1.0 % with 0.65, 1.1 and 1.5 % with 0.75; wrong calls caught 26 and 29, 38 and 42, 42 and
46 %, most others are asked about. A wrong accusation weighs more than a question."""
SILENT_PRIOR = 0.4
"""The same while nothing may be said. Other sounds that would accuse somebody (N = 203 and 186): none and one
with 0.4, one and one with 0.45; numbers that were called: 15 and 22, 28 and 37 % accused, the rest of those
above 0.5 is asked about."""


class CallWeigher:
    """Weighs the sounds of one game. Not safe to use from two threads at a time, but for the invented sounds.

    Args:
        model: opened.
        words: all that is listened for, competing words included.
        unreported: the competing words among them.
        language: of the model.
        prior: share of right calls at the table, above 0 and below 1.
        voices: voice profiles by player; used while that player is to call.
        invented: the invented sounds of the game so far.
        witness: what is known about who made a sound.
    """

    def __init__(
        self,
        model: Model,
        words: tuple[str, ...],
        unreported: frozenset[str],
        language: Language,
        prior: float,
        voices: Mapping[str, VoiceProfile],
        invented: InventedSounds,
        witness: SpeakerWitness | None = None,
    ) -> None:
        self._model, self._language, self._prior, self._voices = model, language, prior, voices
        self.words, self.unreported = words, unreported
        self.invented = invented
        self._witness = witness
        self.invented_lock = threading.Lock()
        self._baseline = LoudnessBaseline()
        self.evidence: other_speech.CallEvidence | None = None
        """Of the words of the latest sound that were not the right call; for fitting."""
        self.score: verdict.CallScore | None = None
        """Of the latest sound against the right call; for fitting."""

    def weigh(self, kept: KeptSound, utterance: Utterance, due: CallDue) -> WeighedCall:
        """What an utterance was.

        Args:
            kept: its sound.
            utterance: as it was reported.
            due: what the table knows about the call.
        """
        sound = kept if utterance.part is None else kept.part(*utterance.part)
        sound = self._without_silence(sound)
        if due.learn:
            return self._learned(sound, due)
        matches = any(map(self.invented.knows, due.right))
        found = self._matched(sound, due) if matches else self._weighed(sound, due)
        return found if self._witness is None else by_speaker(found, sound, due, self._witness)

    # --- inside -------------------------------------------------------------------------------------------

    def _without_silence(self, sound: KeptSound) -> KeptSound:
        levels = frame_levels(sound.samples, sound.rate)
        loud = np.flatnonzero(levels > sound.background_db + MIN_SNR_DB / 2)
        if loud.size == 0:
            return sound
        begin, end = loud[0] * FRAME_S - MARGIN_S, (loud[-1] + 1) * FRAME_S + MARGIN_S
        return sound.part(sound.start + max(0.0, begin), sound.start + end)

    def _learned(self, sound: KeptSound, due: CallDue) -> WeighedCall:
        """The caller invents a sound: a known word, or a new sound."""
        found = self._weighed(sound, CallDue(learn=due.learn))
        if found.words and found.wrong >= KNOWN_WORD_CONFIDENCE:
            return WeighedCall(found.words, found.wrong)
        with self.invented_lock:
            made = self.invented.learn(due.learn, sound.samples, sound.rate)
        words = _moved(made, sound.start)
        return WeighedCall(words, 1.0) if words else WeighedCall(found.words, found.wrong)

    def _matched(self, sound: KeptSound, due: CallDue) -> WeighedCall:
        """An invented sound is due."""
        with self.invented_lock:
            match = self.invented.match(sound.samples, sound.rate, due.right)
        if match is None:
            return WeighedCall((), 0.0)
        words = _moved(match.words, sound.start)
        fits = tuple(word.word for word in words) in beginnings(due.right)
        return WeighedCall(words, match.probability, 0.0 if fits else min(DOUBTFUL, 1.0 - match.probability))

    def _weighed(self, sound: KeptSound, due: CallDue) -> WeighedCall:
        """A call in words is due, or none."""
        levels = frame_levels(sound.samples, sound.rate)
        decoder = Decoder(sound.samples, self._model, self.unreported, sound.rate, sound.background_db)
        self.score, self.evidence = None, None
        right = 0.0
        if due.right:
            voice = self._voices.get(due.speaker)
            opinion = None if voice is None else voice.second_opinion(sound.rate)
            throat = self._language.throat
            self.score = verdict.score_decoded(decoder, self.words, due.right, self._prior, opinion, throat)
            level_db = loudest(levels, 0.0, levels.size * FRAME_S)
            right, words = self._less_if_softer(self.score.probability, level_db, due), self.score.words
            if self.score.fits:
                self._baseline.learn(due.speaker, right, level_db)
                return WeighedCall(_moved(words, sound.start), right)
        else:
            words = decoder.decode(self.words).words
        words = self._without_idle_throat(words, due)
        if not words:
            return WeighedCall((), right)
        wrong = (1.0 - right) * self._call_probability(decoder, words, levels, due)
        if is_cut_off(levels, sound.background_db):
            wrong = min(DOUBTFUL, wrong)
        return WeighedCall(_moved(words, sound.start), right, wrong)

    def _without_idle_throat(self, words: tuple[HeardWord, ...], due: CallDue) -> tuple[HeardWord, ...]:
        """The words without throat sounds, unless one is right now or a sound is to be invented: music and
        coughs are taken for it, so it says nothing where no phone card is on top."""
        throat = self._language.throat
        if due.learn or any(throat in call for call in due.right):
            return words
        return tuple(word for word in words if word.word != throat)

    def _less_if_softer(self, probability: float, level_db: float, due: CallDue) -> float:
        """The probability of the right call, less if it is softer than the caller's calls."""
        softer_db = other_speech.softer_by(level_db, self._baseline.usual_db(due.speaker))
        odds = probability / max(1e-12, 1.0 - probability)
        odds *= math.exp(other_speech.FITTED.softer * softer_db)
        return odds / (1.0 + odds)

    def _call_probability(
        self, decoder: Decoder, words: Sequence[HeardWord], levels: Levels, due: CallDue
    ) -> float:
        """The probability that words that are not the right call were called at all."""
        said = tuple(word.word for word in words)
        competing = tuple(word for word in self.words if word in self.unreported)
        ratio = decoder.decode((*dict.fromkeys(said), *competing)).score - decoder.decode(competing).score
        odds = 0.0
        if decoder.posteriors is not None:
            odds = decoder.posteriors.log_odds(said, [(word.start, word.end) for word in words])
        usual_db = self._baseline.usual_db(due.speaker)
        throat = self._language.throat
        odd = throat in said and not any(throat in call for call in due.right)
        self.evidence = other_speech.evidence(words, levels, ratio, odds, usual_db, odd)
        call = other_speech.probability(self.evidence, SILENT_PRIOR if due.silent else CALL_PRIOR)
        return call if odds >= 0.0 else min(DOUBTFUL, call)


def weighed(weigher: CallWeigher, sounds: KeptSounds, utterance: Utterance, due: CallDue) -> WeighedCall:
    """Weighs an utterance. One whose sound is not kept any more has no calibrated probability: it is doubtful
    and is asked about at most."""
    if not utterance.sound:
        return by_confidence(utterance, due)
    if utterance.sound == LATEST_SOUND:
        kept = sounds.between(utterance.start, utterance.end)
    else:
        kept = sounds.get(utterance.sound)
        kept = kept if kept is not None and kept.holds(utterance.start) else None
    if kept is None:
        doubtful = msgspec.structs.replace(utterance, confidence=DOUBTFUL)
        return by_confidence(doubtful, due)
    return weigher.weigh(kept, utterance, due)


def _moved(words: Iterable[HeardWord], offset: float) -> tuple[HeardWord, ...]:
    """Words of a piece of sound with clock times; `offset`: of the start of the piece."""
    return tuple(
        msgspec.structs.replace(word, start=offset + word.start, end=offset + word.end) for word in words
    )
