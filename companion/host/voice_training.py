"""Voice training: a player says each word three times into the table's microphone.

The sound is split into words; each is accepted or asked for again (companion.speech.recognition.lesson). At
the end the profile is kept if it improves recognition (companion.speech.voices.profiles). Only features are
stored, never sound. The microphone is used only while the page polls; the listening lamp is lit then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.api.devices import LessonOutcome, LessonState, VoiceState
from companion.core.clock import Clock
from companion.core.errors import UsageError
from companion.host.watched_lesson import WatchedLesson, named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.speech.recognition.lesson import Lesson
    from companion.speech.voices.profiles import VoiceProfiles


class VoiceTraining:
    """The service behind the voices page. Every method may be called from any thread.

    Args:
        folder: stores the voices.
        words: the words of a lesson.
        on_listening: called with True when the use of sound begins and with False when it ends.
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
        self._busy = busy
        self._lessons: WatchedLesson[Lesson] = WatchedLesson(clock, on_listening)
        self._outcome: LessonOutcome | None = None

    def hear(self, samples: NDArray[np.int16], rate: int) -> None:
        """Takes a block of sound; ignores it without a lesson."""
        self._lessons.hear(lambda lesson: lesson.hear(samples, rate), _is_over)

    def state(self) -> VoiceState:
        """The voices, the lesson, and the result of the latest lesson."""
        lesson, over = self._lessons.watched(_is_over)
        if over is not None:
            self._conclude(over)
        return VoiceState(
            tuple(self._voices.players()),
            None if lesson is None else LessonState(lesson.player, lesson.word, *lesson.said, lesson.finding),
            self._outcome,
        )

    def begin(self, player: str) -> None:
        """Starts a lesson: the microphone listens for this player's words.

        Raises:
            UsageError: the player has no name, or a game is listening.
        """
        name = named(player)
        if self._busy():
            raise UsageError("teaching.busy")
        from companion.speech.recognition.lesson import Lesson

        self._outcome = None
        self._lessons.begin(Lesson(name, self._words))

    def stop(self) -> None:
        """Cancels the lesson; nothing of it is kept."""
        self._lessons.stop()

    def forget(self, player: str) -> None:
        """Deletes a player's voice.

        Raises:
            UsageError: the player has no trained voice.
        """
        self._voices.forget(player)

    @property
    def _voices(self) -> VoiceProfiles:
        from companion.speech.voices.profiles import VoiceProfiles

        return VoiceProfiles(self._folder)

    def _conclude(self, lesson: Lesson) -> None:
        """Evaluates the lesson, on the page's thread: comparing all recordings takes too long for the
        microphone's."""
        try:
            outcome, helps = self._voices.keep(lesson.voice()).message, True
        except UsageError as error:
            outcome, helps = error.message, False
        self._outcome = LessonOutcome(lesson.player, helps, outcome)


def _is_over(lesson: Lesson) -> bool:
    """Whether all words were said."""
    return not lesson.word
