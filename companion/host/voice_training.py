"""Teach me your voice: a player says each word three times into the table's own microphone.

What is heard is cut into words, shown as heard or asked for again (companion.speech.recognition.lesson),
and at the end kept if it helps (companion.speech.voices.profiles). Only features are kept, never sound; the
microphone is used only while the page keeps asking; the listening lamp is lit then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.api.devices import LessonOutcome, LessonState, VoiceState
from companion.core.clock import Clock
from companion.core.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.speech.recognition.lesson import Lesson
    from companion.speech.voices.profiles import VoiceProfiles

WATCHED_S = 6.0
"""A lesson ends by itself if no phone has asked for so long."""
LONGEST_NAME = 40


class VoiceTraining:
    """What the page of the voices shows and does. Every method may be called from any thread.

    Args:
        folder: where the voices are kept.
        words: what is to be said.
        on_listening: told when the use of sound begins (True) and ends (False).
        busy: whether a game listens now.
    """

    def __init__(
        self,
        folder: Path,
        words: Sequence[str],
        clock: Clock,
        on_listening: Callable[[bool], None],
        busy: Callable[[], bool],
    ) -> None:
        self._folder = folder
        self._words = tuple(words)
        self._clock = clock
        self._on_listening = on_listening
        self._busy = busy
        self._lock = threading.Lock()
        self._lesson: Lesson | None = None
        self._until = 0.0
        self._outcome: LessonOutcome | None = None

    def hear(self, samples: NDArray[np.int16], rate: int) -> None:
        """Takes a block of sound; nothing is done with it unless somebody is being taught."""
        if self._lesson is None:
            return
        with self._lock:
            lesson = self._lesson
            if lesson is None or not lesson.word:
                return
            if self._clock() >= self._until:
                self._end()
            else:
                lesson.hear(samples, rate)

    def state(self) -> VoiceState:
        """The voices, the lesson and what came of the latest one."""
        with self._lock:
            self._until = self._clock() + WATCHED_S
            lesson = self._lesson
            if lesson is not None and not lesson.word:
                self._end()
        if lesson is not None and not lesson.word:
            self._conclude(lesson)
            lesson = None
        return VoiceState(
            tuple(self._voices.players()),
            None if lesson is None else LessonState(lesson.player, lesson.word, *lesson.said, lesson.finding),
            self._outcome,
        )

    def begin(self, player: str) -> None:
        """From now on the microphone listens for this player's words.

        Raises:
            UsageError: the player has no name, or a game is listening.
        """
        name = player.strip()
        if not 0 < len(name) <= LONGEST_NAME:
            raise UsageError("teaching.no_player", longest=LONGEST_NAME)
        if self._busy():
            raise UsageError("teaching.busy")
        from companion.speech.recognition.lesson import Lesson

        with self._lock:
            self._lesson, self._outcome = Lesson(name, self._words), None
            self._until = self._clock() + WATCHED_S
        self._on_listening(True)

    def stop(self) -> None:
        """Ends a lesson before its end; nothing of it is kept."""
        with self._lock:
            self._end()

    def forget(self, player: str) -> None:
        """Removes a voice for good.

        Raises:
            UsageError: there is none.
        """
        self._voices.forget(player)

    @property
    def _voices(self) -> VoiceProfiles:
        from companion.speech.voices.profiles import VoiceProfiles

        return VoiceProfiles(self._folder)

    def _end(self) -> None:
        if self._lesson is not None:
            self._lesson = None
            self._on_listening(False)

    def _conclude(self, lesson: Lesson) -> None:
        """On the page's thread, not the microphone's: comparing all with all takes a while."""
        try:
            outcome, helps = self._voices.keep(lesson.voice()).message, True
        except UsageError as error:
            outcome, helps = error.message, False
        self._outcome = LessonOutcome(lesson.player, helps, outcome)
