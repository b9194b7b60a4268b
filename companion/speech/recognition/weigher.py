"""Weighs one kept sound against the call that is due: for the table, replays and benchmarks alike."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
import numpy as np

from companion.core.observations import LATEST_SOUND, HeardWord, Utterance
from companion.core.weighing import EVEN, CallDue, SpeakerWitness, WeighedCall, beginnings, by_confidence
from companion.core.weighing import fits as matches
from companion.speech.audio.levels import (
    FLOOR_DB,
    FRAME_S,
    MIN_SNR_DB,
    Levels,
    frame_levels,
    is_cut_off,
    loudest,
    smoothed,
    trim,
)
from companion.speech.audio.speaker_sound import SpeakerFilter
from companion.speech.model.grammar import Language
from companion.speech.model.models import Model
from companion.speech.recognition import call_posterior, verdict
from companion.speech.recognition.by_speaker import by_speaker
from companion.speech.recognition.call_posterior import FITTED, CallEvidence, CallProbabilities
from companion.speech.recognition.confirm import confirmed
from companion.speech.recognition.decoder import Decoder
from companion.speech.recognition.invented import InventedSounds
from companion.speech.recognition.kept_sounds import KeptSound, KeptSounds
from companion.speech.recognition.loudness_baseline import LoudnessBaseline
from companion.speech.recognition.mistakes import mistake
from companion.speech.recognition.verdict import CallScore
from companion.speech.voices.profiles import VoiceProfile

MARGIN_S = 0.3
"""Seconds kept before and behind what is above the background."""
BEFORE_S = 0.1
"""What is heard in the room is measured up to so many seconds before a sound, whose start may be reported
late."""
LATEST_CALLS = 24
"""So many calls do not count for what is heard in the room: more than anybody makes in the time for which
sound is kept."""


Judge = Callable[[CallEvidence], CallProbabilities]


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
        judge: gives the probabilities; None: the fitted posterior.
        speaker_filter: takes a player's sound out of what an array hears.
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
        judge: Judge | None = None,
        speaker_filter: SpeakerFilter | None = None,
    ) -> None:
        self._speaker_filter = speaker_filter
        self._model, self._language, self._prior, self._voices = model, language, prior, voices
        self._judge = judge if judge is not None else judge_for(prior)
        self.words, self.unreported = words, unreported
        self.invented = invented
        self._witness = witness
        self.invented_lock = threading.Lock()
        self._baseline = LoudnessBaseline()
        self._calls: deque[tuple[float, float]] = deque(maxlen=LATEST_CALLS)
        self._room_db = FLOOR_DB
        self.evidence: CallEvidence | None = None
        """Why the latest sound was weighed as it was, if it was weighed as words; for fitting."""

    def weigh(self, kept: KeptSound, utterance: Utterance, due: CallDue, sounds: KeptSounds) -> WeighedCall:
        """What an utterance was.

        Args:
            kept: its sound.
            utterance: as it was reported.
            due: what the table knows about the call.
            sounds: the latest sound, for what else is heard in the room.
        """
        room_db = sounds.room_level(utterance.start - BEFORE_S, self._calls)
        self._room_db = kept.background_db if room_db is None else room_db
        sound = kept if utterance.part is None else kept.part(*utterance.part)
        sound = self._without_silence(self._of_speaker(sound, due.speaker))
        if due.learn:
            return self._learned(sound, due)
        matches = any(map(self.invented.knows, due.right))
        found = self._matched(sound, due) if matches else self._likeliest(sound, due)
        if utterance.part is not None and self.evidence is not None and self.evidence.cut_off:
            # cut where a card came or sound was lost: no stream of the fit holds the rest of such a word
            found = msgspec.structs.replace(found, wrong=min(EVEN, found.wrong))
        return found if self._witness is None else by_speaker(found, sound, due, self._witness)

    # --- inside -------------------------------------------------------------------------------------------

    def _of_speaker(self, sound: KeptSound, speaker: str) -> KeptSound:
        """The sound from the caller's seat, where that is known and other sound is softer there."""
        if self._speaker_filter is None or not speaker:
            return sound
        found = self._speaker_filter(speaker, sound.start, sound.start + sound.samples.size / sound.rate)
        if found is None:
            return sound
        self._room_db -= found.softer_db
        return sound.filtered(found)

    def _without_silence(self, sound: KeptSound) -> KeptSound:
        levels = frame_levels(sound.samples, sound.rate)
        loud = np.flatnonzero(levels > sound.background_db + MIN_SNR_DB / 2)
        if loud.size == 0:
            return sound
        begin, end = loud[0] * FRAME_S - MARGIN_S, (loud[-1] + 1) * FRAME_S + MARGIN_S
        return sound.part(sound.start + max(0.0, begin), sound.start + end)

    def _learned(self, sound: KeptSound, due: CallDue) -> WeighedCall:
        """The caller invents a sound: a known word if it rather was one than not, otherwise a new sound."""
        found = self._weighed(sound, CallDue(learn=due.learn))
        if found.words and found.wrong >= EVEN:
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
        # another call or none: nothing tells which
        return WeighedCall(words, match.probability, 0.0 if fits else EVEN * (1.0 - match.probability))

    def _likeliest(self, sound: KeptSound, due: CallDue) -> WeighedCall:
        """What was made out of a sound. Soft talk before or behind a call makes one sound with it: if the
        right call was not made out, the loud part is weighed by itself, and counts if it probably is a call
        or is the likelier one."""
        found = self._weighed(sound, due)
        made_out = found.right >= EVEN and found.said in beginnings(due.right)
        loud = None if made_out else _without_soft_words(sound, found)
        if loud is None:
            return _without_talk(found, due)
        evidence, alone = self.evidence, self._likeliest(loud, due)
        if alone.right + alone.wrong >= min(EVEN, found.right + found.wrong):
            return alone
        self.evidence = evidence
        return _without_talk(found, due)

    def _weighed(self, sound: KeptSound, due: CallDue) -> WeighedCall:
        """A call in words is due, or none."""
        levels = frame_levels(sound.samples, sound.rate)
        decoder = Decoder(sound.samples, self._model, self.unreported, sound.rate, sound.background_db)
        self.evidence = None
        score = self._score(decoder, due) if due.right else None
        words = decoder.decode(self.words).words if score is None else score.words
        calls = self._without_idle_throat(words, due)
        spoken = (score is None or score.voiced) and (bool(calls) or not words)
        words, fits = calls, score is not None and score.fits
        if not fits:
            words = self._confirmed(decoder, words, levels, due)
        if not words and not due.right:
            return WeighedCall((), 0.0)
        right_log_odds = 0.0
        if score is not None:
            right_log_odds = verdict.log_odds_of(score.probability) - verdict.log_odds_of(self._prior)
        self.evidence = msgspec.structs.replace(
            self._evidence(decoder, words, fits, levels, due),
            right_log_odds=right_log_odds,
            cut_off=is_cut_off(levels, sound.background_db),
            spoken=spoken,
        )
        chances = self._judge(self.evidence)
        if not fits and chances.right > EVEN and is_whole(words, due):
            words = placed(due.right[0], words, levels, sound.background_db)
        found = WeighedCall(_moved(words, sound.start), *chances)
        if fits:
            self._baseline.learn(due.speaker, found.right, _level_db(words, levels))
        self._note_call(found)
        return found

    def _score(self, decoder: Decoder, due: CallDue) -> CallScore:
        """The right call against everything else."""
        voice = self._voices.get(due.speaker)
        opinion = None if voice is None else voice.second_opinion(decoder.rate)
        return verdict.score_decoded(
            decoder, self.words, due.right, self._prior, opinion, self._language.throat
        )

    def _confirmed(
        self, decoder: Decoder, words: tuple[HeardWord, ...], levels: Levels, due: CallDue
    ) -> tuple[HeardWord, ...]:
        """Words that are not the right call, as the verifier corrects them: Vosk takes "one" and "five" for
        "nine", and a wrong number that is not found is not noticed. Not corrected to the right call: that
        was scored against them."""
        if decoder.posteriors is None:
            return words
        among = frozenset(self.words) - self.unreported
        found = confirmed(words, decoder.posteriors, among, levels)
        found = self._without_idle_throat(found, due)
        return words if matches([word.word for word in found], due.right) else found

    def _evidence(
        self, decoder: Decoder, words: Sequence[HeardWord], fits: bool, levels: Levels, due: CallDue
    ) -> CallEvidence:
        """What tells whether the words were a call, and which."""
        level_db = _level_db(words, levels)
        above = call_posterior.above_room_db(level_db, self._room_db)
        softer = call_posterior.softer_db(level_db, self._baseline.usual_db(due.speaker))
        if fits or not words:
            return CallEvidence("right" if fits else "nothing", above, softer)
        said = tuple(word.word for word in words)
        odds = 0.0
        if decoder.posteriors is not None:
            odds = decoder.posteriors.log_odds(said, [(word.start, word.end) for word in words])
        return CallEvidence(
            "other" if due.right else "on gun",
            above,
            softer,
            verifier_log_odds=odds,
            mistake=mistake(said, due.right, self._language.numbers),
        )

    def _note_call(self, found: WeighedCall) -> None:
        """Keeps when a call was probably made: it does not count for what is heard in the room."""
        if found.words and found.right + found.wrong >= EVEN:
            self._calls.append((found.words[0].start, found.words[-1].end))

    def _without_idle_throat(self, words: tuple[HeardWord, ...], due: CallDue) -> tuple[HeardWord, ...]:
        """The words without throat sounds, unless one is right now or a sound is to be invented: music and
        coughs are taken for it, so it says nothing where no phone card is on top."""
        throat = self._language.throat
        if due.learn or any(throat in call for call in due.right):
            return words
        return tuple(word for word in words if word.word != throat)


def judge_for(prior: float) -> Judge:
    """The fitted posterior for a share of right calls (above 0 and below 1) at this table."""
    shift = verdict.log_odds_of(1.0 - prior) - verdict.log_odds_of(1.0 - verdict.PRIOR)
    return lambda evidence: FITTED.probabilities(evidence, shift)


def weighed(weigher: CallWeigher, sounds: KeptSounds, utterance: Utterance, due: CallDue) -> WeighedCall:
    """Weighs an utterance. Of one whose sound is not kept any more nothing is known: its words are as
    probable as not, and the table is asked."""
    weigher.evidence = None
    if not utterance.sound:
        return by_confidence(utterance, due)
    if utterance.sound == LATEST_SOUND:
        kept = sounds.between(utterance.start, utterance.end)
    else:
        kept = sounds.get(utterance.sound)
        # numbers begin again with the next listener
        kept = kept if kept is not None and kept.overlaps(utterance.start, utterance.end) else None
    if kept is None:
        return by_confidence(msgspec.structs.replace(utterance, confidence=EVEN), due)
    return weigher.weigh(kept, utterance, due, sounds)


def _level_db(words: Sequence[HeardWord], levels: Levels) -> float:
    """How loud the loudest word is; without words, the whole sound."""
    spans = [(word.start, word.end) for word in words] or [(0.0, levels.size * FRAME_S)]
    return max(loudest(levels, *span) for span in spans)


def _without_soft_words(sound: KeptSound, found: WeighedCall) -> KeptSound | None:
    """The loudest part of a sound, between the words that are clearly softer: they are of somebody else. None
    if no word is. The words of one call are alike in loudness (31 pairs of three speakers: within 4 dB)."""
    levels = frame_levels(sound.samples, sound.rate)
    words = [(one.start - sound.start, one.end - sound.start) for one in found.words]
    peak_db = loudest(levels, 0.0, levels.size * FRAME_S)
    soft = [word for word in words if loudest(levels, *word) < peak_db - MIN_SNR_DB]
    if not soft:
        return None
    begins, ends = zip(*soft, strict=True)
    gaps = zip((0.0, *ends), (*begins, levels.size * FRAME_S), strict=True)
    begin, end = max(gaps, key=lambda gap: loudest(levels, *gap))
    return sound.part(sound.start + begin, sound.start + end)


def _without_talk(found: WeighedCall, due: CallDue) -> WeighedCall:
    """The one call that is right, if that is likely and what was made out ends with it: the rest is
    somebody's talk. Not if it begins with it: who calls a pair where one number is due makes a mistake."""
    if found.right <= EVEN or len(due.right) != 1:
        return found
    (call,) = due.right
    fits = found.said[-len(call) :] == tuple(call)
    return msgspec.structs.replace(found, words=found.words[-len(call) :]) if fits else found


def is_whole(heard: Sequence[HeardWord], due: CallDue) -> bool:
    """Whether the sound may be taken for the one call that is right: as many words were made out. A sound in
    which none was made out is one word. A pair of which less was made out may be one number: who forgets the
    second one makes a mistake, and no stream of the fit holds any."""
    return len(due.right) == 1 and max(1, len(heard)) == len(due.right[0])


def placed(
    call: Sequence[str], heard: Sequence[HeardWord], levels: Levels, background_db: float
) -> tuple[HeardWord, ...]:
    """The words of a call that was taken for as many other words, or for none if it is one word: at the
    places of those words, otherwise where the sound is about as loud as its loudest part. What is clearly
    softer was said by somebody else.

    Args:
        heard: what it was taken for.
        levels: of the sound.
        background_db: level of the background about it.
    """
    if heard:
        return tuple(msgspec.structs.replace(one, word=word) for word, one in zip(call, heard, strict=True))
    smooth = smoothed(levels)
    if smooth.size == 0:
        return ()
    loud = np.flatnonzero(smooth >= smooth.max() - MIN_SNR_DB) * FRAME_S
    begin, end = max(0.0, float(loud[0]) - MARGIN_S), min(levels.size * FRAME_S, float(loud[-1]) + MARGIN_S)
    span = trim(levels, begin, end, background_db, one_word=False) or (begin, end)
    return tuple(HeardWord(word, *span, 1.0) for word in call)


def _moved(words: Iterable[HeardWord], offset: float) -> tuple[HeardWord, ...]:
    """Words of a piece of sound with clock times; `offset`: of the start of the piece."""
    return tuple(
        msgspec.structs.replace(word, start=offset + word.start, end=offset + word.end) for word in words
    )
