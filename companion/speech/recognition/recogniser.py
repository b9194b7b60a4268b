"""Finds utterances in a stream: blocks of sound in, utterances and a watermark out.

Vosk decodes the stream while something sounds. This module decides when an utterance is over, translates
sample numbers to clock time, keeps the sound of the latest utterances, and reports up to which time all
utterances have been reported (the watermark that deadlines wait for). What was said is decided later, when
the table knows which call is due (companion.speech.recognition.weigher).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import UsageError
from companion.core.observations import HeardWord, Listened, Utterance
from companion.core.weighing import CallDue, SpeakerWitness, WeighedCall
from companion.speech.audio.block_clock import BlockClock
from companion.speech.audio.dither import dithered
from companion.speech.audio.levels import (
    BEHIND_S,
    FRAME_S,
    MIN_SNR_DB,
    background_level,
    frame_levels,
    loudest,
    trim,
)
from companion.speech.audio.onset import OnsetDetector
from companion.speech.audio.speaker_sound import SpeakerFilter
from companion.speech.model import grammar, models
from companion.speech.model.models import Model
from companion.speech.recognition import calls, verdict
from companion.speech.recognition.call_posterior import CallEvidence
from companion.speech.recognition.invented import InventedSounds
from companion.speech.recognition.kept_sounds import KeptSounds
from companion.speech.recognition.weigher import CallWeigher, Judge, weighed
from companion.speech.recognition.word_filter import heard_words
from companion.speech.voices.profiles import VoiceProfile

SLICE_S = 0.06
"""Vosk gets the sound in slices of two network outputs, in seconds."""
QUIET_S = 0.2
"""An utterance ends after so many seconds without a loud frame."""
FADED_S = 0.25
"""An utterance ends after so many seconds at background level, if other people talk all the time. Calls in
babble at 10 dB were reported 0.2 s after their end with it, 0.7 to 1.1 s without it (median)."""
CALL_S = 1.5
"""Longest call of one or two words, in seconds."""
LONGEST_S = 6.0
"""An utterance ends after so many seconds, even if people go on talking."""
LAG_S = 0.45
"""A word is in the partial result at most so many seconds after its start: look-ahead of the network
(0.15 s), the slice, and the first states of the word."""
SOFT_S = 0.12
"""A word may begin so many seconds before it is loud enough for the onset detector (a soft f or s)."""
CALM_DB = -55.0
"""Below this noise floor (dB of full scale) the onset detector misses no call."""
SHORTEST_S = 0.12
"""A sound shorter than this (s) is a knock, not a call."""
ASLEEP_S = 0.6
"""Vosk gets no sound after so many quiet seconds, until something is loud: silence costs a tenth then."""
GAP_S = 0.1
"""If clock and samples differ by more than this (s), sound was lost."""
PREROLL_S = 0.3
"""A recogniser with a new grammar first gets so many seconds of the latest sound."""


class Listener:
    """Listens for some words on one stream of sound, and weighs what it has heard.

    It reports what sounds like speech, and keeps the sound; what was said is decided by `weigh`, when it is
    known which call is due. `feed` and `weigh` may be called from different threads.

    >>> from companion.core.weighing import CallDue
    >>> from companion.speech.audio.wav import read_wav
    >>> from companion.speech.model.models import find_model
    >>> listener = Listener(find_model("en"), ["five", "six", "seven"])
    >>> samples = read_wav("models/demo/calls/ada/seven.wav")
    >>> reports = listener.feed(samples, t=100.0) + listener.flush()
    >>> heard = [report for report in reports if isinstance(report, Utterance)]
    >>> [listener.weigh(one, CallDue((("seven",),))).said for one in heard]
    [('seven',)]

    Args:
        model: a model folder (see companion.speech.model.models).
        words: what to listen for; competing words (other speech, coughs, laughter, other numbers) are added.
        sample_rate: samples a second of the blocks, 16000 or more.
        language: of the model, e.g. `en`.
        opened: the model of that folder, if it is open already: several listeners may share it.
        prior: share of right calls at the table, above 0 and below 1.
        voices: voice profiles by player; used while that player is to call.
        invented: the invented sounds of the game so far, from an earlier listener.
        witness: what is known about who made a sound, e.g. from the directions of an array.
        judge: gives the probabilities of weighed sounds; None: the fitted posterior.
        speaker_filter: takes the caller's sound out of what an array hears.

    Raises:
        Unavailable: the model cannot be opened.
        UsageError: a word that the model does not know, or too low a rate.
    """

    def __init__(
        self,
        model: Path | str,
        words: Iterable[str],
        sample_rate: int = 16000,
        language: str = "en",
        *,
        opened: Model | None = None,
        prior: float = verdict.PRIOR,
        voices: Mapping[str, VoiceProfile] | None = None,
        invented: InventedSounds | None = None,
        witness: SpeakerWitness | None = None,
        judge: Judge | None = None,
        speaker_filter: SpeakerFilter | None = None,
    ) -> None:
        if sample_rate < 16000:
            raise UsageError("speech.low_rate", rate=sample_rate)
        self._path = models.find_model(folder=model)
        self._model = models.open_model(self._path) if opened is None else opened
        self._language = grammar.language(language)
        self._known = models.vocabulary(self._path)
        self._rate = sample_rate
        self._slice = round(sample_rate * SLICE_S)
        self._rest: NDArray[np.int16] = np.zeros(0, np.int16)
        self._tail: NDArray[np.int16] = np.zeros(0, np.int16)
        self._clock = BlockClock(sample_rate)
        self._taken = 0  # samples received
        self._heard = 0  # samples decoded by Vosk
        self._closed = 0  # samples before this one are in an utterance that was reported
        self._reported = 0.0  # the watermark, in samples
        self._lost: int | None = None  # sound was lost before this sample
        self._onset = OnsetDetector(sample_rate)
        self._due: tuple[tuple[str, ...], ...] = ()
        self._begun: float | None = None  # start of the pending utterance, in samples
        asked = tuple(words)
        self._words = self._all_words = grammar.with_competing_words(asked, self._known, self._language)
        self._unreported = self._all_unreported = grammar.competing_words(asked, self._known)
        self._sounds = KeptSounds()
        self._asleep = False
        self._weigher = CallWeigher(
            self._model,
            self._words,
            self._unreported,
            self._language,
            prior,
            {} if voices is None else voices,
            InventedSounds(prior) if invented is None else invented,
            witness,
            judge,
            speaker_filter,
        )
        self.repeats_left = 0
        """So many further repetitions of the latest invented sound become examples and are not reported."""
        self._restart()

    @property
    def words(self) -> tuple[str, ...]:
        """What is being listened for, competing words included."""
        return self._words

    def expect(self, words: Iterable[str] = ()) -> None:
        """Sets what is listened for from now on; takes about 1 ms. Empty: the words given to the constructor.

        If the words change, the last PREROLL_S of sound are decoded again.
        """
        asked = tuple(words)
        wanted = (
            grammar.with_competing_words(asked, self._known, self._language) if asked else self._all_words
        )
        if wanted != self._words:
            self._unreported = grammar.competing_words(asked, self._known) if asked else self._all_unreported
            self._words = wanted
            self._weigher.words, self._weigher.unreported = self._words, self._unreported
            self._restart()

    def weigh(self, utterance: Utterance, due: CallDue) -> WeighedCall:
        """What an utterance was, now that it is known which call is due; takes 30 to 200 ms."""
        if due.right and due.right != self._due:
            self._due, self.repeats_left = due.right, 0
        return weighed(self._weigher, self._sounds, utterance, due)

    @property
    def latest_evidence(self) -> CallEvidence | None:
        """Why the sound weighed last was weighed as it was; for fitting."""
        return self._weigher.evidence

    def repeat_sound(self, times: int) -> None:
        """Takes the next sounds as repetitions of the latest invented sound, until another call is due.

        Each becomes an example of that sound. Without an invented sound nothing happens.

        Args:
            times: how many.
        """
        self.repeats_left = times if self._weigher.invented.latest else 0

    def feed(self, block: NDArray[np.int16], t: float) -> list[Utterance | Listened]:
        """Takes the next block of sound.

        Args:
            block: int16, mono, of any size.
            t: clock time (s) of its first sample.

        Returns:
            The utterances that ended, in order, then the watermark; nothing for an empty block.
        """
        heard: list[Utterance | Listened] = []
        if block.size == 0:
            return heard
        if abs(self._clock.mark(self._taken, t)) > GAP_S:
            self._lost = self._heard
            heard += self._close()
        self._taken += block.size
        self._rest = np.concatenate([self._rest, block.astype(np.int16, copy=False)])
        while self._rest.size >= self._slice:
            piece, self._rest = self._rest[: self._slice], self._rest[self._slice :]
            heard += self._hear(piece)
        heard.append(Listened(self._clock.time(self._watermark())))
        return heard

    def flush(self) -> list[Utterance | Listened]:
        """Ends the pending utterance: for the end of a recording, or when the microphone is closed."""
        heard: list[Utterance | Listened] = []
        if self._rest.size:
            piece, self._rest = self._rest, np.zeros(0, np.int16)
            heard += self._hear(piece)
        heard += self._close()
        heard.append(Listened(self._clock.time(self._heard)))
        return heard

    # --- inside ---------------------------------------------------------------------------------------------

    def _restart(self) -> None:
        """Makes a new recogniser, and decodes the latest sound that is not reported yet with it."""
        import vosk

        listed = grammar.vosk_grammar(self._words, self._unreported)
        self._vosk = vosk.KaldiRecognizer(self._model.vosk, float(self._rate), listed)
        self._vosk.SetWords(True)
        again = min(self._tail.size, self._heard - self._closed)
        self._origin = self._heard - again
        self._begun = None
        self._asleep = False
        if again:
            self._vosk.AcceptWaveform(dithered(self._tail[-again:], self._origin).tobytes())

    def _hear(self, piece: NDArray[np.int16]) -> list[Utterance | Listened]:
        self._onset.feed(piece)
        self._heard += piece.size
        self._sounds.hear(piece, self._rate, self._clock.time(self._heard - piece.size))
        self._tail = np.concatenate([self._tail, piece])[-round(self._kept_s() * self._rate) :]
        if self._asleep:
            if self._onset.quiet_for() > SLICE_S:
                return []
            self._restart()
        elif self._vosk.AcceptWaveform(dithered(piece, self._heard - piece.size).tobytes()):
            result = self._vosk.Result()
            return self._report(result, self._middle_of_silence(result))
        if not json.loads(self._vosk.PartialResult())["partial"]:
            self._begun = self._start_of_wordless_sound()
            self._asleep = self._begun is None and self._onset.quiet_for() > ASLEEP_S
            return [] if self._begun is None else self._close()
        if self._begun is None:
            self._begun = self._start_of_pending()
        return self._close() if self._ended(self._begun) or self._pending_s() > LONGEST_S else []

    def _kept_s(self) -> float:
        """Seconds of the latest sound to keep: the pending utterance, or a sound without a word."""
        sounding = 0.0
        if self._onset.onsets and self._onset.quiet_for() < 3 * QUIET_S:
            sounding = min(LONGEST_S, self._onset.now - self._onset.onsets[-1] + SOFT_S)
        return max(self._pending_s(), sounding) + PREROLL_S

    def _ended(self, begun: float) -> bool:
        """Whether the utterance that began at a sample is over: it is quiet, or at background level."""
        if self._onset.quiet_for() >= QUIET_S and self._onset.last_loud * self._rate > begun:
            return True
        levels, since = self._onset.levels()
        now = levels.size * FRAME_S
        background = background_level(levels, now - BEHIND_S, now - BEHIND_S)
        said = loudest(levels, max(begun / self._rate - since, now - CALL_S), now)
        quiet = background + MIN_SNR_DB
        return said > quiet and self._onset.below_for(quiet) >= FADED_S

    def _start_of_wordless_sound(self) -> float | None:
        """First sample of a sound that has ended and holds no word."""
        if not self._onset.onsets:
            return None
        begin = self._onset.onsets[-1] * self._rate
        long_enough = self._onset.last_loud * self._rate - begin >= SHORTEST_S * self._rate
        ended = self._onset.quiet_for() >= 2 * QUIET_S
        return (
            max(begin - SOFT_S * self._rate, 0.0) if begin >= self._closed and long_enough and ended else None
        )

    def _start_of_pending(self) -> float:
        """The earliest sample at which the first word of the partial result can have begun."""
        onset = self._onset.onset_near(self._heard / self._rate - LAG_S / 2, LAG_S / 2)
        earliest = self._heard - LAG_S * self._rate
        return earliest if onset is None else min(earliest, (onset - SOFT_S) * self._rate)

    def _pending_s(self) -> float:
        return 0.0 if self._begun is None else (self._heard - self._begun) / self._rate

    def _close(self) -> list[Utterance | Listened]:
        """Ends and reports the pending utterance, and starts a new recogniser."""
        found = self._report(self._vosk.FinalResult(), self._heard)
        self._restart()
        return found

    def _middle_of_silence(self, result: str) -> int:
        """The middle of what follows the last word of a result, as a sample. Vosk has decoded only the first
        part of that, and found silence; in the rest a call may have begun."""
        words = json.loads(result).get("result")
        if not words:
            return self._heard
        last: float = max(self._closed, self._begun or 0.0, self._origin + words[-1]["end"] * self._rate)
        return round((last + self._heard) / 2)

    def _report(self, result: str, end: int) -> list[Utterance | Listened]:
        """Reports the pending utterance, which ends before a sample."""
        begun, self._begun = self._begun, None
        first, self._closed = self._closed, end
        levels, since = self._onset.levels()
        heard = self._timed(
            heard_words(result, self._unreported, self._origin / self._rate - since, levels), since
        )
        if begun is None:
            if not heard:
                return []
            begun = first
        length, piece = self._piece(max(first, begun), end)
        if self.repeats_left:
            with self._weigher.invented_lock:
                self.repeats_left -= self._weigher.invented.add_example(piece, self._rate)
            return []
        over = end / self._rate - since
        background_db = background_level(levels, over - length / self._rate, over)
        offset = self._clock.time(end - length)
        seconds = length / self._rate
        sounding = frame_levels(piece, self._rate)
        span = trim(sounding, SOFT_S, seconds, background_db, one_word=False) or (0.0, seconds)
        if not heard and span[1] - span[0] < SHORTEST_S:
            return []
        number = self._sounds.add(piece, self._rate, offset, background_db)
        is_torn = self._lost is not None and end - length <= self._lost
        part = (offset, offset + seconds) if is_torn else None
        if heard:
            return [msgspec.structs.replace(calls.utterance(heard), confidence=0.0, sound=number, part=part)]
        return [Utterance((), offset + span[0], offset + span[1], 0.0, sound=number, part=part)]

    def _timed(self, words: Iterable[HeardWord], since: float) -> list[HeardWord]:
        """Words with clock times; theirs are seconds from `since`, which is seconds from the first sample."""
        return [
            msgspec.structs.replace(word, start=self._at(since + word.start), end=self._at(since + word.end))
            for word in words
        ]

    def _piece(self, begun: float, end: int) -> tuple[int, NDArray[np.int16]]:
        """Length in samples, and samples, of the sound between two samples, as far as it is kept."""
        kept = self._tail[: self._tail.size - (self._heard - end)]
        length = min(kept.size, end - int(begun))
        return length, kept[kept.size - length :]

    def _at(self, seconds: float) -> float:
        """The clock time of so many seconds from the first sample."""
        return self._clock.time(seconds * self._rate)

    def _watermark(self) -> float:
        """The sample up to which everything has been reported."""
        if self._begun is not None:
            known = self._begun
        elif self._onset.floor < CALM_DB and self._onset.quiet_for() > SOFT_S:
            known = self._heard - SOFT_S * self._rate
        else:
            known = self._heard - LAG_S * self._rate
        self._reported = max(self._reported, self._closed, known)
        return self._reported
